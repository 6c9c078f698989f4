import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type {
  ConversationQuote,
  OfferedFile,
  QuotedPart,
} from '../../../shared/model/attachments/mentions'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** Question which part of a conversation is quoted. */
export interface QuoteQuestion {
  /** Of the draft that it is quoted in. */
  readonly place: string
  readonly key: LibraryKey
  readonly title: string
  readonly part: QuotedPart
  /** The text of that part; undefined while it is read. */
  readonly quote: ConversationQuote | undefined
  /** Why there is none. */
  readonly failure: ErrorReport | undefined
}

/** Files that fit what was typed, best first, and for which conversation and words. */
export interface FilesForWord {
  readonly key: LibraryKey | undefined
  readonly query: string
  readonly files: readonly OfferedFile[]
  /** Not all folders were looked through. */
  readonly isCut: boolean
}

/** State and actions of the store of what a message can name. */
export interface MentionsState {
  /** The last answer to `find`; undefined before the first one, and after a home was left. */
  readonly found: FilesForWord | undefined
  readonly question: QuoteQuestion | undefined
  /** Finds files for a conversation, or a new one; an answer for an earlier word is dropped. */
  find(key: LibraryKey | undefined, query: string): Promise<void>
  /** Reads a file; the report says why it cannot be read. */
  readFile(
    key: LibraryKey | undefined,
    path: string,
  ): Promise<{ readonly name: string; readonly bytes: Uint8Array } | ErrorReport>
  /** Asks which part of a conversation is quoted in a draft; reads the first choice. */
  ask(place: string, key: LibraryKey, title: string): void
  choose(part: QuotedPart): void
  leave(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of what a message can name. */
export type MentionsStore = StoreApi<MentionsState>

const nothing = { found: undefined, question: undefined } as const

/** Makes the store of what a message can name. */
export function createMentionsStore(api: Api): MentionsStore {
  let finds = 0
  let quotes = 0

  return createStore<MentionsState>()((set, get) => {
    async function load(
      asked: Pick<QuoteQuestion, 'place' | 'key' | 'title' | 'part'>,
    ): Promise<void> {
      const mine = ++quotes
      const { key, part } = asked
      set({ question: { ...asked, quote: undefined, failure: undefined } })
      try {
        const quote = await api.mentions.quote({ key, part })
        if (mine === quotes) set({ question: { ...asked, quote, failure: undefined } })
      } catch (error) {
        const failure = toErrorReport(error)
        if (mine === quotes) set({ question: { ...asked, quote: undefined, failure } })
      }
    }

    return {
      ...nothing,

      async find(key, query) {
        const mine = ++finds
        const found = await api.mentions
          .files(key === undefined ? { query } : { key, query })
          .catch(() => ({ files: [], isCut: true }))
        if (mine === finds) set({ found: { key, query, ...found } })
      },

      async readFile(key, path) {
        try {
          return await api.mentions.readFile(key === undefined ? { path } : { key, path })
        } catch (error) {
          return toErrorReport(error)
        }
      },

      ask: (place, key, title) => void load({ place, key, title, part: 'last' }),

      choose(part) {
        const { question } = get()
        if (question === undefined) return
        const { place, key, title } = question
        void load({ place, key, title, part })
      },

      leave() {
        quotes += 1
        set({ question: undefined })
      },

      reset() {
        finds += 1
        quotes += 1
        set(nothing)
      },
    }
  })
}
