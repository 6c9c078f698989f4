import type { Exporter } from '../parts/exporter'
import { isOnPath } from '../parts/rows'

/**
 * One entry a line, in `skein read`'s shape: the whole tree, in file order. Damaged lines are no entries; JSON has
 * them in its ledger.
 */
export const jsonlExporter: Exporter = {
  id: 'jsonl',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'all',
  hasBranches: true,
  hasProject: false,
  hasLabels: true,
  hasOutputs: true,
  lostOf: () => [],
  async *write(conversation, { branches, family = [] }, signal) {
    const onPath = isOnPath(branches === 'all' ? undefined : conversation.active)
    for (const one of branches === 'all' ? [conversation, ...family] : [conversation])
      for await (const row of one.rows) {
        signal.throwIfAborted()
        if (row.type !== 'entry' || !onPath(row.entry.id)) continue
        // A fork repeats its parent's entries; the family's line for them was written.
        if (one !== conversation && row.entry.inherited === true) continue
        yield `${JSON.stringify(row.entry)}\n`
      }
  },
}
