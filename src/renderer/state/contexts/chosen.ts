import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'
import { leavesList, makeChange, type SeveralChange } from './several-change'

/** Conversation that a change was refused for, and why. */
export interface RefusedConversation {
  readonly key: LibraryKey
  readonly message: string
}

/** State and actions of the store of the conversations that are chosen in the library. */
export interface ChosenState {
  /** In the order in which they were chosen. */
  readonly keys: ReadonlySet<LibraryKey>
  /** The row from which a range goes. */
  readonly anchor: string | undefined
  /** Question before an act on all of them. */
  readonly question: 'tag' | 'color' | 'trash' | undefined
  /** Position of the open menu of what can be done with them, in pixels of the window. */
  readonly menu: { readonly x: number; readonly y: number } | undefined
  /** How far a change of several is. */
  readonly work: { readonly done: number; readonly total: number } | undefined
  /** Those that the last change was refused for. */
  readonly refused: readonly RefusedConversation[]
  /** Chooses conversations, or no longer where all of them were. @param anchor the row that they are in */
  toggle(keys: readonly LibraryKey[], anchor: string): void
  /** Chooses exactly these. */
  choose(keys: readonly LibraryKey[], anchor: string | undefined): void
  clear(): void
  ask(question: 'tag' | 'color' | 'trash'): void
  leave(): void
  openMenu(x: number, y: number): void
  closeMenu(): void
  /**
   * Makes a change to conversations one after the other. Resolves to those for which it was made; the others are in `refused`.
   * Does nothing while another one goes on. Resolves to none where another home was opened meanwhile.
   */
  change(change: SeveralChange, keys: readonly LibraryKey[]): Promise<readonly LibraryKey[]>
  /** Ends a change after the conversation that it is at. */
  stop(): void
  dismissRefused(): void
  /** A conversation has another key now. */
  renamed(from: LibraryKey, to: LibraryKey): void
  /** Chooses conversations no longer: they are in the trash, or an act took them out of the list. */
  drop(keys: readonly LibraryKey[]): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the conversations that are chosen in the library. */
export type ChosenStore = StoreApi<ChosenState>

const nothing = {
  keys: new Set<LibraryKey>(),
  anchor: undefined,
  question: undefined,
  menu: undefined,
  work: undefined,
  refused: [],
} as const

/** Makes the store of the conversations that are chosen in the library. */
export function createChosenStore(api: Api): ChosenStore {
  let isStopped = false
  /** Grows with each home. */
  let generation = 0

  return createStore<ChosenState>()((set, get) => ({
    ...nothing,

    toggle(some, anchor) {
      const keys = new Set(get().keys)
      const areAll = some.every((key) => keys.has(key))
      for (const key of some)
        if (areAll) keys.delete(key)
        else keys.add(key)
      set({ keys, anchor, question: undefined })
    },
    choose: (keys, anchor) => set({ keys: new Set(keys), anchor, question: undefined }),
    clear: () => set({ keys: nothing.keys, anchor: undefined, question: undefined }),
    ask: (question) => set({ question }),
    leave: () => set({ question: undefined }),
    openMenu: (x, y) => set({ menu: { x, y } }),
    closeMenu: () => set({ menu: undefined }),

    async change(change, keys) {
      if (get().work !== undefined || keys.length === 0) return []
      const mine = generation
      isStopped = false
      const made: LibraryKey[] = []
      const refused: RefusedConversation[] = []
      set({ work: { done: 0, total: keys.length }, refused: [] })
      for (const key of keys) {
        if (isStopped || mine !== generation) break
        try {
          await makeChange(api, change, key)
          made.push(key)
        } catch (error) {
          refused.push({ key, message: toErrorReport(error).message })
        }
        if (mine === generation)
          set({ work: { done: made.length + refused.length, total: keys.length } })
      }
      // What was made in the home before cannot be undone in this one.
      if (mine !== generation) return []
      set({ work: undefined, refused })
      // What leaves the list by its own act must not be chosen where it is shown again.
      if (leavesList(change)) get().drop(made)
      return made
    },
    stop() {
      isStopped = true
    },
    dismissRefused: () => set({ refused: [] }),
    renamed(from, to) {
      const { keys, anchor, refused } = get()
      if (keys.has(from)) set({ keys: new Set([...keys].map((key) => (key === from ? to : key))) })
      if (anchor === from) set({ anchor: to })
      if (refused.some(({ key }) => key === from))
        set({ refused: refused.map((one) => (one.key === from ? { ...one, key: to } : one)) })
    },
    drop(gone) {
      const { keys, anchor } = get()
      const left = new Set(keys)
      for (const key of gone) left.delete(key)
      if (left.size < keys.size) set({ keys: left })
      if (gone.some((key) => key === anchor)) set({ anchor: undefined })
    },
    reset() {
      generation += 1
      set(nothing)
    },
  }))
}
