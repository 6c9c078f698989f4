import type { Store } from '../store/store'

/** A whole transcript in numbers. */
export interface TranscriptCount {
  readonly entries: number
  readonly lines: number
  readonly blank: number
  readonly damaged: number
  readonly partitions: number
  readonly strays: readonly string[]
  readonly notices: readonly string[]
  /** Named by the entries, in order of first appearance. */
  readonly models: ReadonlySet<string>
}

/** Counts a transcript by reading all of it; holds one chunk at a time. @throws AppError `not-found`, `unreadable` */
export async function countTranscript(
  store: Store,
  name: string,
  signal?: AbortSignal,
): Promise<TranscriptCount> {
  const reading = await store.readWhole(name, signal)
  const models = new Set<string>()
  let entries = 0
  for await (const row of reading.rows) {
    if (row.type !== 'entry') continue
    entries += 1
    const model = row.entry.metadata?.model
    if (typeof model === 'string' && models.size < 100) models.add(model)
  }
  const sum = (pick: (ledger: (typeof reading.ledgers)[number]) => number) =>
    reading.ledgers.reduce((total, ledger) => total + pick(ledger), 0)
  return {
    entries,
    lines: sum((ledger) => ledger.lines),
    blank: sum((ledger) => ledger.blank),
    damaged: sum((ledger) => ledger.damaged.length),
    partitions: reading.partitions,
    strays: reading.strays,
    notices: reading.notices,
    models,
  }
}
