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

export interface EndpointAnswer {
  readonly ok: boolean
  readonly message: string
  readonly models: readonly string[]
}

/** What a change of the settings was about: its refusal is shown there. */
export type SettingsPart = 'preferences' | 'model' | 'key'

export interface SettingsState extends ConfigState {
  /** As they hold for the home. */
  readonly view: VisibleSettings | undefined
  /** As they hold for the open conversation, where that was asked. */
  readonly here: { readonly key: LibraryKey; readonly view: VisibleSettings } | undefined
  readonly failure: ErrorReport | undefined
  readonly refusals: Readonly<Partial<Record<SettingsPart, ErrorReport>>>
  readonly isChecking: boolean
  readonly answer: EndpointAnswer | undefined
  /** Undefined until they were looked for. */
  readonly localServers: readonly LocalServer[] | undefined
  load(): Promise<void>
  loadFor(key: LibraryKey): Promise<void>
  setPreferences(change: Partial<Preferences>): Promise<void>
  setModel(change: ModelChange): Promise<boolean>
  setKey(key: string | null, allowWeak: boolean): Promise<boolean>
  /** Takes note of a refusal. */
  dismiss(part: SettingsPart): void
  check(): Promise<void>
  findLocalServers(): Promise<void>
  fold(view: VisibleSettings): void
}
export type SettingsStore = StoreApi<SettingsState>

export interface ModelChange {
  readonly model?: string
  readonly baseUrl?: string
  readonly provider?: 'endpoint' | 'practice'
}

/** Settings: where every value comes from, and changes of those that are Skein's own. */
export function createSettingsStore(api: Api): SettingsStore {
  /** The conversation that was asked about last: an answer about another one is not wanted any more. */
  let asked: { readonly key: LibraryKey } | undefined
  /** Counts the checks, and what made one void. */
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
          // A context without settings of its own: what holds for the home is shown.
          if (asked === mine) set({ here: undefined })
        }
      },

      async setPreferences(preferences) {
        await change('preferences', () => api.settings.setPreferences(preferences))
      },
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
        // What is still being asked may be another endpoint than the one that is shown now.
        checks++
        set({ view, answer: undefined, isChecking: false })
        const { config } = get()
        if (config !== undefined) void get().loadConfig(config.key)
        if (asked !== undefined) void get().loadFor(asked.key)
      },
    }
  })
}

/** The settings that hold for a conversation; those of the home where it has none of its own. */
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
