import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AppParts, AppStatus, HomeChoice } from '../../../shared/ipc/app/app'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { LinkedPlace } from '../../../shared/model/conversation-link'
import type { QuickKeyState } from '../../../shared/model/keys/quick-key'
import type { UpdateAnswer } from '../../../shared/model/updates'
import { toErrorReport } from '../base/failure'

export type { AppStatus, BundledPackage, MenuCommand } from '../../../shared/ipc/app/app'

/** Route of the app window: what the middle pane shows. */
export type Route =
  | { readonly type: 'none' }
  | { readonly type: 'draft' }
  | { readonly type: 'conversation'; readonly key: LibraryKey }

/** Names of the sections of Settings for people, in their order. */
export const settingsSections = {
  appearance: 'Appearance',
  keyboard: 'Keyboard',
  model: 'Model',
  sources: 'Sources',
  texts: 'Texts',
  prompts: 'Prompts',
  plugins: 'Plugins',
  exports: 'Exports',
  storage: 'Storage',
  about: 'About',
} as const

/** Section of Settings, by its name in the code. */
export type SettingsSection = keyof typeof settingsSections

/** State and actions of the app store. */
export interface AppState {
  readonly status: AppStatus | undefined
  /** Why there is no status; while both are undefined, the status is loading. */
  readonly failure: ErrorReport | undefined
  /** The choice of a home that is being opened. */
  readonly opening: HomeChoice['type'] | undefined
  readonly openFailure: ErrorReport | undefined
  /** Versions and licences of the app, once they were asked for. */
  readonly parts: AppParts | undefined
  readonly partsFailure: ErrorReport | undefined
  /** Whether there is a newer Skein, once that was asked. */
  readonly update: UpdateAnswer | undefined
  readonly updateFailure: ErrorReport | undefined
  readonly isChecking: boolean
  readonly place: Route
  /** The section of Settings that is open over the panes. */
  readonly settings: SettingsSection | undefined
  /** A link or a folder that could not be opened. */
  readonly outsideFailure: ErrorReport | undefined
  /** State of the key of the quick entry, once it was asked for. */
  readonly quickKey: QuickKeyState | undefined
  load(): Promise<void>
  loadParts(): Promise<void>
  /** Asks whether there is a newer Skein; while that is asked, does nothing. */
  checkForUpdates(): Promise<void>
  openHome(choice: HomeChoice['type']): Promise<void>
  show(place: Route): void
  openSettings(section: SettingsSection): void
  closeSettings(): void
  openLink(url: string): Promise<void>
  /** Takes the place of a link from outside, where one waits. */
  takeLink(): Promise<LinkedPlace | undefined>
  /** Asks whether the key of the quick entry works. */
  loadQuickKey(): Promise<void>
  foldQuickKey(state: QuickKeyState): void
  /** Shows a file of a context; an empty key and file mean the home itself. */
  reveal(key: string, file: string): Promise<void>
  dismissOutsideFailure(): void
}
/** Store of the open home, the route and the open section of Settings. */
export type AppStore = StoreApi<AppState>

/** Makes the store of the open home, the route and the open section of Settings. */
export function createAppStore(api: Api): AppStore {
  return createStore<AppState>()((set, get) => ({
    status: undefined,
    failure: undefined,
    opening: undefined,
    openFailure: undefined,
    parts: undefined,
    partsFailure: undefined,
    update: undefined,
    updateFailure: undefined,
    isChecking: false,
    place: { type: 'none' },
    settings: undefined,
    outsideFailure: undefined,
    quickKey: undefined,

    async load() {
      set({ failure: undefined })
      try {
        set({ status: await api.app.status() })
      } catch (error) {
        set({ failure: toErrorReport(error) })
      }
    },

    async loadParts() {
      set({ partsFailure: undefined })
      try {
        set({ parts: await api.app.parts() })
      } catch (error) {
        set({ partsFailure: toErrorReport(error) })
      }
    },

    async checkForUpdates() {
      if (get().isChecking) return
      set({ isChecking: true, update: undefined, updateFailure: undefined })
      try {
        set({ update: await api.app.checkForUpdates() })
      } catch (error) {
        set({ updateFailure: toErrorReport(error) })
      } finally {
        set({ isChecking: false })
      }
    },

    async openHome(type) {
      set({ opening: type, openFailure: undefined })
      try {
        set({ status: await api.app.openHome({ type }) })
      } catch (error) {
        set({ openFailure: toErrorReport(error) })
      } finally {
        set({ opening: undefined })
      }
    },

    show: (place) => set({ place }),
    openSettings: (settings) => set({ settings }),
    closeSettings: () => set({ settings: undefined }),

    async takeLink() {
      try {
        return (await api.app.takeLink()) ?? undefined
      } catch (error) {
        set({ outsideFailure: toErrorReport(error) })
        return undefined
      }
    },

    async loadQuickKey() {
      set({ quickKey: await api.app.quickKey().catch(() => undefined) })
    },

    foldQuickKey: (quickKey) => set({ quickKey }),

    async openLink(url) {
      try {
        await api.app.openLink({ url })
      } catch (error) {
        const failure = toErrorReport(error)
        // A person who refused it in the dialog needs no message.
        if (failure.code !== 'denied') set({ outsideFailure: failure })
      }
    },

    async reveal(key, file) {
      try {
        await api.app.revealFile({ key, file })
      } catch (error) {
        set({ outsideFailure: toErrorReport(error) })
      }
    },

    dismissOutsideFailure: () => set({ outsideFailure: undefined }),
  }))
}
