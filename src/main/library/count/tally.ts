import type { Entry } from '../../../shared/model/conversation/entry'
import type { ConversationDrift } from '../../../shared/model/drift/drift'
import type { CountedLine } from './counted-line'
import type { DriftTally } from './drift-tally'

/** More than anybody talks to in one conversation, and few enough to keep and to show. */
const mostModels = 100

/** The counts of a conversation: plain data. */
export interface TallyCounts {
  readonly files: number
  readonly lines: number
  readonly entries: number
  readonly blank: number
  readonly damaged: number
  /** Packed files that could not be read to their end: a sentence each. */
  readonly broken: readonly string[]
  /** Named by the entries, in order of first appearance. */
  readonly models: readonly string[]
  /** Names and versions on the lines that the reader does not know; undefined where that was not checked. */
  readonly drift: ConversationDrift | undefined
}

/** A running count of a conversation's lines and entries. */
export class CountTally {
  files = 0
  lines = 0
  entries = 0
  blank = 0
  damaged = 0
  readonly broken: string[] = []
  private readonly named = new Set<string>()
  private readonly drift: DriftTally | undefined
  private place = ''
  private nextLine = 1

  /** @param drift counts what is new, where lines are checked for that */
  constructor(drift?: DriftTally) {
    this.drift = drift
  }

  get counts(): TallyCounts {
    const { files, lines, entries, blank, damaged, broken } = this
    const models = [...this.named]
    const drift = this.drift?.found
    return { files, lines, entries, blank, damaged, broken: [...broken], models, drift }
  }

  /** Begins a file, or the part of one from a line. */
  begin(place: string, line = 1): void {
    this.place = place
    this.nextLine = line
    this.drift?.beginFile()
  }

  /** A line with an entry of another conversation than `key` is none of this one's. */
  addLine({ kind, values, drift }: CountedLine, key: string, offset: number): void {
    const line = this.nextLine
    this.nextLine += 1
    const first = values[0]?.key
    if (kind === 'entry' && first !== undefined && first !== key) return
    this.lines += 1
    if (kind === 'blank') this.blank += 1
    if (kind === 'damaged') this.damaged += 1
    if (kind === 'entry' || kind === 'damaged') this.drift?.addShown(offset)
    if (drift !== undefined) this.drift?.add(drift, { file: this.place, line })
    for (const value of values) {
      if (value.key !== undefined && value.key !== key) continue
      this.entries += value.entries
      for (const model of value.models) this.name(model)
    }
  }

  addEntry({ metadata }: Pick<Entry, 'metadata'>): void {
    this.entries += 1
    const model = metadata?.model
    if (typeof model === 'string') this.name(model)
  }

  private name(model: string): void {
    if (this.named.size < mostModels) this.named.add(model)
  }
}
