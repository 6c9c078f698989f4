import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../../current/current-home'

/** Serves the landmarks of one conversation. */
export function landmarksHandlers(home: CurrentHome<'landmarks'>): Handlers<Contract['landmarks']> {
  return {
    list: ({ from, reading, ...of }) => home().landmarks.list(of, from, reading),
    async places({ wanted, ...of }) {
      const places = await home().landmarks.places(of, wanted)
      return places.map((place) => place ?? null)
    },
  }
}
