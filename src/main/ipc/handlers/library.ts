import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../open-home'

export function libraryHandlers(home: CurrentHome): Handlers<Contract['library']> {
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
