import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KeptValues } from './storage'

/** A message that is being written. */
export interface Draft {
  readonly text: string
  /** The name of the conversation that the message will begin; of no use where one is open. */
  readonly name?: string
}

export interface DraftsState {
  readonly drafts: Readonly<Record<string, Draft>>
  /** Drafts that the browser's storage refused: they live until the window closes. */
  readonly notKept: Readonly<Record<string, boolean>>
  /** Goes over to the drafts of a home. */
  enter(home: string): void
  get(place: string): Draft
  set(place: string, draft: Draft): void
  clear(place: string): void
}
export type DraftsStore = StoreApi<DraftsState>

/** The place of the draft that begins a new conversation. No context can have this name. */
export const newDraftPlace = ' new'

/** Unsent messages by conversation, kept over reloads and crashes. */
export function createDraftsStore(kept: KeptValues): DraftsStore {
  let home = ''
  const nameOf = (place: string) => `skein.draft:${home}:${place}`

  return createStore<DraftsState>()((set, get) => ({
    drafts: {},
    notKept: {},

    enter(path) {
      home = path
      set({ drafts: {}, notKept: {} })
    },

    get(place) {
      return get().drafts[place] ?? parsed(kept.get(nameOf(place)))
    },

    set(place, draft) {
      const isKept = kept.set(nameOf(place), JSON.stringify(draft))
      set(({ drafts, notKept }) => ({
        drafts: { ...drafts, [place]: draft },
        notKept: { ...notKept, [place]: !isKept },
      }))
    },

    clear(place) {
      kept.remove(nameOf(place))
      set(({ drafts, notKept }) => ({
        drafts: { ...drafts, [place]: { text: '' } },
        notKept: { ...notKept, [place]: false },
      }))
    },
  }))
}

function parsed(text: string | undefined): Draft {
  if (text === undefined) return { text: '' }
  try {
    const draft: unknown = JSON.parse(text)
    if (typeof draft !== 'object' || draft === null) return { text: '' }
    const { text: message, name } = draft as Record<string, unknown>
    return {
      text: typeof message === 'string' ? message : '',
      ...(typeof name === 'string' ? { name } : {}),
    }
  } catch {
    // Somebody else's value under our name; it is overwritten with the next letter.
    return { text: '' }
  }
}
