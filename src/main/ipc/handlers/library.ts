import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../current/current-home'

/** Serves the calls of `libraryContract`. Conversations are counted in the background after the first list. */
export function libraryHandlers(
  home: CurrentHome<'library' | 'countInBackground'>,
): Handlers<Contract['library']> {
  return {
    async list({ cursor, limit }) {
      const { library, countInBackground } = home()
      const page = await library.list(cursor, limit)
      // After the list: counting must not keep its first rows waiting.
      countInBackground()
      return page
    },
  }
}
