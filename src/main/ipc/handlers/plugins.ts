import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import type { Permissions } from '../../permission/permissions'
import { pluginQuestion } from '../../permission/plugin-question'
import type { Plugins } from '../../plugins/plugins'

/**
 * Serves the calls of `pluginsContract`. Trust is given only after a question outside of the page.
 *
 * @param current the plugins of the home that is open
 * @param permissions where a person is asked, outside of the page
 */
export function pluginsHandlers(
  current: () => Plugins | undefined,
  permissions: Pick<Permissions, 'require'>,
): Handlers<Contract['plugins']> {
  const open = () => {
    const plugins = current()
    if (plugins === undefined) throw new AppError('not-found', 'No home is open.')
    return plugins
  }
  return {
    list: async () => open().list(),
    look: async ({ name }) => open().look(name),
    async trust({ name, hash }) {
      // Another home may be open once a person has decided: it is trusted in the one that they were asked about.
      const plugins = open()
      const look = await plugins.look(name)
      if (look.hash !== hash)
        throw new AppError(
          'bad-argument',
          `${name} has changed since you looked at it. It was not trusted: look again.`,
        )
      const known = (await plugins.list()).plugins.find((plugin) => plugin.name === name)
      const question = pluginQuestion(look, known?.state === 'changed')
      await permissions.require(question, `${name} was not trusted.`)
      await plugins.trust(name, look.hash)
      return plugins.list()
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
