import type { Entry } from '../../shared/model/entry'

/** More than anybody talks to in one conversation, and few enough to keep and to show. */
const mostModels = 100

/** What was counted up: plain data. */
export interface Counts {
  readonly files: number
  readonly lines: number
  readonly entries: number
  readonly blank: number
  readonly damaged: number
  /** Packed files that could not be read to their end: a sentence each. */
  readonly broken: readonly string[]
  /** Named by the entries, in order of first appearance. */
  readonly models: readonly string[]
}

/** Counts up what stands in a conversation. */
export class CountTally {
  files = 0
  lines = 0
  entries = 0
  blank = 0
  damaged = 0
  readonly broken: string[] = []
  private readonly named = new Set<string>()

  get counts(): Counts {
    const { files, lines, entries, blank, damaged, broken } = this
    const models = [...this.named]
    return { files, lines, entries, blank, damaged, broken: [...broken], models }
  }

  addLine(line: {
    readonly kind: 'entry' | 'control' | 'blank' | 'damaged'
    readonly entries: readonly Pick<Entry, 'metadata'>[]
  }): void {
    this.lines += 1
    if (line.kind === 'blank') this.blank += 1
    if (line.kind === 'damaged') this.damaged += 1
    for (const entry of line.entries) this.addEntry(entry)
  }

  addEntry({ metadata }: Pick<Entry, 'metadata'>): void {
    this.entries += 1
    const model = metadata?.model
    if (typeof model === 'string' && this.named.size < mostModels) this.named.add(model)
  }
}
