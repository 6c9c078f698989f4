import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import type { VisibleSettings } from '../../../shared/model/settings/settings'
import type { Settings, SettingsApproval } from '../../settings/settings'

/**
 * Serves the calls of `settingsContract`. Every window gets an event of a change, whichever made it.
 *
 * @param current the settings of the home that is open, or would be
 * @param allow asks a person, outside of the page
 * @param isNews hears what is read, and returns whether the windows have yet to hear of it: the file may have been edited elsewhere
 */
export function settingsHandlers(
  current: () => Settings,
  allow: SettingsApproval,
  tell: Emitters<Contract['settings']>,
  isNews: (view: VisibleSettings) => boolean = () => false,
): Handlers<Contract['settings']> {
  /** Every window hears of a change, whichever made it. */
  const told = async (changed: Promise<VisibleSettings>) => {
    const view = await changed
    tell.changed(view)
    return view
  }
  return {
    async get({ key }) {
      const view = await current().view(key)
      // What was read may be a conversation's; every window has the home's.
      if (isNews(view)) tell.changed(await current().view())
      return view
    },
    setPreferences: (change) => told(current().setPreferences(change)),
    setModel: (change) => told(current().setModel(change, allow)),
    config: ({ key }) => current().config(key),
    async setValue({ context, ...change }) {
      // Another home may be open once a person has decided.
      const settings = current()
      await settings.setValue(change, context, allow)
      tell.changed(await current().view())
      return settings.config(context)
    },
    setKey: ({ key, allowWeak }) => told(current().setKey(key, allowWeak, allow)),
    async check() {
      const { ok, message, models } = await current().check()
      return { ok, message, models: [...models] }
    },
    texts: async () => [...(await current().texts.list())],
    readText: async ({ name }) => ({ text: await current().texts.read(name) }),
    async writeText({ name, text, before }) {
      const { texts } = current()
      await texts.write(name, text, before)
      // models.toml has values of Settings.
      if (name === 'models.toml') tell.changed(await current().view())
      return [...(await texts.list())]
    },
    prompts: async () => [...(await current().texts.prompts())],
    async renamePrompt({ from, to }) {
      const { texts } = current()
      await texts.rename(from, to)
      return [...(await texts.list())]
    },
    localServers: async () =>
      (await current().localServers()).map(({ models, ...server }) => ({
        ...server,
        models: [...models],
      })),
  }
}
