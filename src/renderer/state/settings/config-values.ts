import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConfigChange, ConfigView } from '../../../shared/model/settings/settings'
import { toErrorReport } from '../base/failure'

/** State and actions for the keys of chibi's files, of the home or of one context. */
export interface ConfigState {
  /** Undefined before the first load. */
  readonly config: { readonly key: LibraryKey | undefined; readonly view: ConfigView } | undefined
  readonly configFailure: ErrorReport | undefined
  /** Why the last change of a key was refused, by key. */
  readonly configRefusals: Readonly<Record<string, ErrorReport>>
  /** @param key the context; undefined for the home */
  loadConfig(key: LibraryKey | undefined): Promise<void>
  /** Changes a key in a file of the home or of the loaded context. Resolves to false where it was refused. */
  setValue(change: ConfigChange): Promise<boolean>
}

type Change = (change: (state: ConfigState) => Partial<ConfigState>) => void

/** Makes the part of the settings store for chibi's files. */
export function createConfigValues(api: Api, set: Change, get: () => ConfigState): ConfigState {
  /** Grows with each request: answers to an earlier one are dropped. */
  let asked = 0
  return {
    config: undefined,
    configFailure: undefined,
    configRefusals: {},

    async loadConfig(key) {
      const mine = ++asked
      try {
        const view = await api.settings.config(key === undefined ? {} : { key })
        if (mine === asked) set(() => ({ config: { key, view }, configFailure: undefined }))
      } catch (error) {
        if (mine === asked) set(() => ({ configFailure: toErrorReport(error) }))
      }
    },

    async setValue(change) {
      const context = get().config?.key
      set(({ configRefusals: { [change.key]: _gone, ...configRefusals } }) => ({ configRefusals }))
      try {
        const view = await api.settings.setValue(
          context === undefined ? change : { ...change, context },
        )
        asked += 1
        set(() => ({ config: { key: context, view } }))
        return true
      } catch (error) {
        set(({ configRefusals }) => ({
          configRefusals: { ...configRefusals, [change.key]: toErrorReport(error) },
        }))
        return false
      }
    },
  }
}
