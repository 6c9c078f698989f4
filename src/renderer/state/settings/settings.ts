import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  LocalServer,
  Preferences,
  VisibleSettings,
} from '../../../shared/model/settings/settings'
import { toErrorReport } from '../base/failure'
import { type ConfigState, createConfigValues } from './config-values'

/** Answer of the endpoint to a check, in words, with the ids of its models. */
export interface EndpointAnswer {
  readonly ok: boolean
  readonly message: string
  readonly models: readonly string[]
}

/** Part of the settings that a change concerns: its refusal is shown there. */
export type SettingsPart = 'preferences' | 'model' | 'key'

/** State and actions of the settings store. */
export interface SettingsState extends ConfigState {
  /** Settings of the home. */
  readonly view: VisibleSettings | undefined
  /** Settings of the open conversation, where they were loaded. */
  readonly here: { readonly key: LibraryKey; readonly view: VisibleSettings } | undefined
  readonly failure: ErrorReport | undefined
  readonly refusals: Readonly<Partial<Record<SettingsPart, ErrorReport>>>
  readonly isChecking: boolean
  readonly answer: EndpointAnswer | undefined
  /** Undefined before the first search. */
  readonly localServers: readonly LocalServer[] | undefined
  load(): Promise<void>
  loadFor(key: LibraryKey): Promise<void>
  /** Resolves to whether it was saved; where it was not, the reason is among the refusals. */
  setPreferences(change: Partial<Preferences>): Promise<boolean>
  setModel(change: ModelChange): Promise<boolean>
  setKey(key: string | null, allowWeak: boolean): Promise<boolean>
  /** Dismisses a refusal. */
  dismiss(part: SettingsPart): void
  check(): Promise<void>
  findLocalServers(): Promise<void>
  fold(view: VisibleSettings): void
}
/** Store of the settings. */
export type SettingsStore = StoreApi<SettingsState>

/** Change of the default model, its endpoint or its provider; absent parts stay. */
export interface ModelChange {
  readonly model?: string
  readonly baseUrl?: string
  readonly provider?: 'endpoint' | 'practice'
}

/**
 * Makes the store of the settings: their values with origins, and changes of Skein's own ones and of chibi's files.
 */
export function createSettingsStore(api: Api): SettingsStore {
  /** The conversation of the last request: answers for another one are dropped. */
  let asked: { readonly key: LibraryKey } | undefined
  /** Grows with each check and each change: the answer to an earlier check is dropped. */
  let checks = 0
  return createStore<SettingsState>()((set, get) => {
    async function change(
      part: SettingsPart,
      call: () => Promise<VisibleSettings>,
    ): Promise<boolean> {
      get().dismiss(part)
      try {
        get().fold(await call())
        return true
      } catch (error) {
        set(({ refusals }) => ({ refusals: { ...refusals, [part]: toErrorReport(error) } }))
        return false
      }
    }

    return {
      ...createConfigValues(api, set, get),
      view: undefined,
      here: undefined,
      failure: undefined,
      refusals: {},
      isChecking: false,
      answer: undefined,
      localServers: undefined,

      async load() {
        set({ failure: undefined })
        try {
          set({ view: await api.settings.get({}) })
        } catch (error) {
          set({ failure: toErrorReport(error) })
        }
      },

      async loadFor(key) {
        const mine = { key }
        asked = mine
        try {
          const view = await api.settings.get({ key })
          if (asked === mine) set({ here: { key, view } })
        } catch {
          // Without settings of its own the home's are shown.
          if (asked === mine) set({ here: undefined })
        }
      },

      setPreferences: (preferences) =>
        change('preferences', () => api.settings.setPreferences(preferences)),
      setModel: (model) => change('model', () => api.settings.setModel({ ...model })),
      setKey: (key, allowWeak) => change('key', () => api.settings.setKey({ key, allowWeak })),

      dismiss: (part) => set(({ refusals }) => ({ refusals: withoutPart(refusals, part) })),

      async check() {
        const mine = ++checks
        set({ isChecking: true, answer: undefined })
        const answer = await api.settings
          .check()
          .catch((error) => ({ ok: false, message: toErrorReport(error).message, models: [] }))
        if (mine === checks) set({ isChecking: false, answer })
      },

      async findLocalServers() {
        try {
          set({ localServers: await api.settings.localServers() })
        } catch {
          set({ localServers: [] })
        }
      },

      fold(view) {
        // A check in progress may be of another endpoint than the one shown now.
        checks++
        set({ view, answer: undefined, isChecking: false })
        const { config } = get()
        if (config !== undefined) void get().loadConfig(config.key)
        if (asked !== undefined) void get().loadFor(asked.key)
      },
    }
  })
}

/** Returns the settings that hold for a conversation: its own where they are loaded, else those of the home. */
export function settingsFor(
  state: Pick<SettingsState, 'view' | 'here'>,
  key: string | undefined,
): VisibleSettings | undefined {
  return state.here !== undefined && state.here.key === key ? state.here.view : state.view
}

function withoutPart(
  refusals: SettingsState['refusals'],
  part: SettingsPart,
): SettingsState['refusals'] {
  const { [part]: _gone, ...rest } = refusals
  return rest
}
