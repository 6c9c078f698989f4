import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { SearchableConversation } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import { forkRuleOf, type SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import type { History } from './histories'
import { isReadWhole, readWholeRows, settled, treeSourceOf } from './history-transcript'
import { type LeftEntries, leftOfTree, nothingLeft } from './tree/left-entries'
import { LineTree } from './tree/line-tree'
import { placedRecords } from './tree/record-rows'
import { layRowTree } from './tree/row-tree'

/** Returns what `leftEntries` takes of a conversation that may have branches inside; undefined for all others. */
export function treeOf({ reader, ref }: Pick<History, 'reader' | 'ref'>): unknown {
  return reader.forkRule === undefined || ref.isLinear === true ? undefined : ref
}

/**
 * Finds the entries of a conversation that are on branches which were left, as it is now. Reads all of it once, at some 100 MB a second, and
 * holds no texts; yields to other work.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function leftEntries(
  disk: Disk,
  { source, key, tree }: Pick<SearchableConversation, 'source' | 'key' | 'tree'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<LeftEntries> {
  const reader = readers.find(({ id }) => id === source)
  if (tree === undefined || reader === undefined) return nothingLeft
  const own = tree as SourceRef // `treeOf` made it
  const rule = forkRuleOf(reader, own)
  if (rule === undefined) return nothingLeft
  const ref = (await reader.withBeginning?.(own, disk, signal)) ?? own
  const history: History = { key: libraryKeyOf(source, key), reader, ref }
  if (isReadWhole(history)) {
    const { rows, leaves } = await readWholeRows(disk, history, signal)
    return leftOfTree(await layRowTree(placedRecords(rows), leaves, rule), [], true)
  }
  return settled(disk, history, async ({ files }) => {
    const lines = treeSourceOf(history, files)
    if (lines === undefined) return nothingLeft
    const laid = new LineTree(disk, lines.decode, lines.rule)
    return leftOfTree(await laid.read(files, signal), laid.repeats, false)
  })
}
