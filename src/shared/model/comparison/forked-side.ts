import { firstWords } from '../basics/first-words'
import { type Entry, type EntryId, shownText, speakerOf } from '../conversation/entry'

/** One side of a comparison, parted at the fork; entries are in the order of its path. */
export interface ForkedSide {
  readonly conversation: {
    readonly source: string
    readonly key: string
    readonly title: string
  }
  /** Facts of what it shares with the other side. */
  readonly shared: SharedPart
  /** Entries that it alone has. */
  readonly after: readonly Entry[]
}

/** Facts of the entries that two sides share, so that their texts need not be held. */
export interface SharedPart {
  readonly entries: number
  /** The last one; undefined where there is none. */
  readonly last: EntryId | undefined
  /** First words of the last message among them; empty where nobody speaks. */
  readonly words: string
  /** Names of the tools that they call, by the call's id. */
  readonly tools: ReadonlyMap<string, string>
}

/** Gathers the facts of shared entries, which are added in order. */
export class SharedFacts {
  private entries = 0
  private last: EntryId | undefined
  private words = ''
  private readonly tools = new Map<string, string>()

  add(entry: Entry): void {
    this.entries += 1
    this.last = entry.id
    if (speakerOf(entry) !== undefined) this.words = firstWords(shownText(entry)) || this.words
    if (entry.entry_type === 'tool_call' && entry.tool_call_id !== undefined)
      this.tools.set(entry.tool_call_id, entry.to)
  }

  part(): SharedPart {
    const { entries, last, words, tools } = this
    return { entries, last, words, tools }
  }
}
