import { parseRecordPath } from '../../records/interface/record-format'
import type { SourceRef } from '../common/reader'
import { cursorFormat, tabFormat } from './lines/names'
import { storeFormat } from './store/store-records'

/** Ranks of the stores, by how much they keep of a chat: a transcript has no results, and the editor drops what is older. */
const ranks: Readonly<Record<string, number>> = {
  [storeFormat]: 3,
  [cursorFormat]: 2,
  [tabFormat]: 2,
}

/**
 * Tells whether the first of two copies of a chat counts: that in the store of the command line, then the editor's, then
 * the transcript; of two alike the larger one. One without anything in it never counts.
 */
export function isRicherChat(one: SourceRef, other: SourceRef): boolean {
  const [rank, before] = [rankOf(one), rankOf(other)]
  return rank === before ? one.bytes > other.bytes : rank > before
}

function rankOf({ files, bytes }: SourceRef): number {
  if (bytes === 0) return 0
  const format = parseRecordPath(files[0]?.file ?? '')?.format
  return format === undefined ? 1 : (ranks[format] ?? 1)
}
