import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import { AppError } from '../../shared/model/errors'
import type { Plugins } from '../plugins/plugins'

/** @param current the plugins of the home that is open */
export function pluginsHandlers(current: () => Plugins | undefined): Handlers<Contract['plugins']> {
  const open = () => {
    const plugins = current()
    if (plugins === undefined) throw new AppError('not-found', 'No home is open.')
    return plugins
  }
  return {
    list: async () => open().list(),
    look: async ({ name }) => open().look(name),
    async trust({ name, hash }) {
      await open().trust(name, hash)
      return open().list()
    },
    async distrust({ name }) {
      await open().distrust(name)
      return open().list()
    },
    async askAgain({ name }) {
      open().askAgain(name)
      return open().list()
    },
  }
}
