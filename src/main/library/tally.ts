import type { Entry } from '../../shared/model/entry'

/** More than anybody talks to in one conversation, and few enough to keep and to show. */
const mostModels = 100

/** Counts up what stands in a conversation. */
export class CountTally {
  files = 0
  lines = 0
  entries = 0
  blank = 0
  damaged = 0
  private readonly named = new Set<string>()

  /** Named by the entries, in order of first appearance. */
  get models(): readonly string[] {
    return [...this.named]
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
