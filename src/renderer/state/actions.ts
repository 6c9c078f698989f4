import type { HomeChoice } from '../../shared/ipc/app'
import { LibraryKey as Key, type LibraryKey } from '../../shared/model/conversation'
import { isActive } from './completion'
import { newDraftPlace } from './drafts'
import type { KeptValues } from './storage'
import type { Stores } from './stores'

/** What a person does that touches more than one store. */
export interface Actions {
  /** Asks for everything that the window shows first. */
  start(): Promise<void>
  openHome(choice: HomeChoice['type']): Promise<void>
  openConversation(key: LibraryKey): void
  newConversation(): void
  /** Sends a message; the draft is cleared when it is durable, and stays when it is refused. */
  send(key: LibraryKey, text: string): Promise<boolean>
  /** Begins a conversation with its first message. */
  begin(name: string, text: string): Promise<boolean>
  zoom(step: 'in' | 'out' | 'reset'): void
}

const lastOpenName = (home: string) => `skein.last:${home}`
const zoomSteps = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

/** Joins the stores to what a person does. */
export function createActions(stores: Stores, kept: KeptValues): Actions {
  const { app, library, transcript, reading, completion, settings, drafts, layout } = stores

  const home = () => app.getState().status?.home.path ?? ''

  /** Opens what was open the last time, else the newest; a home without conversations opens with a new one. */
  async function enterHome(): Promise<void> {
    drafts.getState().enter(home())
    await Promise.all([library.getState().load(), settings.getState().load()])
    if (app.getState().place.type !== 'none') return
    const { conversations, phase } = library.getState()
    const last = kept.get(lastOpenName(home()))
    const wanted = conversations.find(({ key }) => key === last) ?? conversations[0]
    if (wanted !== undefined) actions.openConversation(wanted.key)
    else if (phase === 'ready') actions.newConversation()
  }

  const actions: Actions = {
    async start() {
      await app.getState().load()
      const status = app.getState().status
      if (status?.phase === 'ready')
        await Promise.all([enterHome(), completion.getState().resync()])
      else await settings.getState().load()
    },

    async openHome(choice) {
      const before = app.getState().status?.home.path
      await app.getState().openHome(choice)
      const { status } = app.getState()
      if (status?.phase !== 'ready') return
      if (status.home.path !== before) {
        app.getState().show({ type: 'none' })
        transcript.getState().close()
        completion.getState().reset()
      }
      await enterHome()
    },

    openConversation(key) {
      const summary = library.getState().conversations.find((known) => known.key === key)
      app.getState().show({ type: 'conversation', key })
      reading.getState().reset()
      completion.getState().forget(key)
      void transcript.getState().open(key)
      if (summary !== undefined) transcript.getState().foldLock(key, summary.lock)
      if (summary?.running || isActive(completion.getState().runs[key]))
        void completion.getState().resync()
      void settings.getState().loadFor(key)
      kept.set(lastOpenName(home()), key)
      layout.getState().closeOverlay()
    },

    newConversation() {
      transcript.getState().close()
      app.getState().show({ type: 'draft' })
      layout.getState().closeOverlay()
    },

    async send(key, text) {
      reading.getState().askForEnd()
      void transcript.getState().goToEnd()
      const isSent = await completion.getState().start(key, text, false)
      if (isSent) drafts.getState().clear(key)
      return isSent
    },

    async begin(name, text) {
      const key = Key.parse(name)
      const isSent = await completion.getState().start(key, text, true)
      if (!isSent) return false
      drafts.getState().clear(newDraftPlace)
      actions.openConversation(key)
      return true
    },

    zoom(step) {
      const now = settings.getState().view?.preferences.textZoom ?? 1
      const next =
        step === 'reset'
          ? 1
          : step === 'in'
            ? zoomSteps.find((zoom) => zoom > now + 0.001)
            : zoomSteps.findLast((zoom) => zoom < now - 0.001)
      if (next !== undefined) void settings.getState().setPreferences({ textZoom: next })
    },
  }
  return actions
}
