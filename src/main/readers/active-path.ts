import { pushAll } from '../../shared/model/basics/long-lists'
import type { EntryId } from '../../shared/model/conversation/entry'
import { allowGaps } from '../../shared/model/conversation/reading'
import { entryTree } from '../../shared/model/family/entry-tree'
import { isOfSubagent, type TreeEntry } from '../../shared/model/family/tree-record'
import type { Disk } from '../disk/interface/disk'
import { forkRuleOf, type HistoryReader, type SourceRef } from './common/reader'

/**
 * Reads the ids of the entries on the path to where a conversation is now; undefined for a format without parents, where
 * all are. Reads the conversation once, and holds no text.
 *
 * @throws AppError `unreadable`, `not-found`
 */
export async function readActivePath(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly EntryId[] | undefined> {
  const rule = forkRuleOf(reader, ref)
  if (rule === undefined) return undefined
  const entries: TreeEntry[] = []
  const leaves: EntryId[] = []
  // Who needs to know of gaps reads the conversation itself.
  for await (const fact of allowGaps(reader.read(ref, disk, signal), () => undefined)) {
    if (fact.type === 'leaf') pushAll(leaves, fact.leaves)
    if (fact.type !== 'entry') continue
    const { id, parent, entry_type, role, to, metadata } = fact.entry
    entries.push({
      id,
      entry_type,
      to,
      content: '',
      ...(parent === undefined ? {} : { parent }),
      ...(role === undefined ? {} : { role }),
      metadata: {
        ...(metadata?.injected === true ? { injected: true } : {}),
        ...(isOfSubagent(fact.entry) ? { subagent: metadata?.subagent } : {}),
      },
    })
  }
  const path = entryTree(entries, rule)?.active(leaves)
  return path?.flatMap((at) => entries[at]?.id ?? [])
}
