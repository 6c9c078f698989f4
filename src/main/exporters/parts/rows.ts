import { firstWords } from '../../../shared/model/basics/first-words'
import {
  type Entry,
  type EntryId,
  shownText,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { Exportable, ExportOptions } from './exporter'

/** Row of a document, in order. */
export type ExportedRow =
  | TranscriptRow
  /** The next row does not go on from the one above; `from` are the first words of what it goes on from. */
  | { readonly type: 'fork'; readonly from: string }
  /** Another conversation of the family begins. */
  | { readonly type: 'branch'; readonly conversation: Exportable }

/** Returns a function that is true for the ids of a path; without a path it is true for every id. */
export function isOnPath(active: readonly EntryId[] | undefined): (id: EntryId) => boolean {
  if (active === undefined) return () => true
  const ids = new Set(active)
  return (id) => ids.has(id)
}

/**
 * Yields the rows of a document: the active path, or every branch with a `fork` row where one leaves. Damaged lines
 * are always among them.
 */
export async function* exportedRows(
  conversation: Pick<Exportable, 'rows' | 'active'>,
  { branches, family = [] }: ExportOptions,
  signal: AbortSignal,
): AsyncGenerator<ExportedRow> {
  if (branches === 'active') {
    const onPath = isOnPath(conversation.active)
    for await (const row of conversation.rows) {
      signal.throwIfAborted()
      if (row.type === 'damaged' || onPath(row.entry.id)) yield row
    }
    return
  }
  yield* wholeTree(conversation, signal)
  for (const other of family) {
    yield { type: 'branch', conversation: other }
    yield* wholeTree(other, signal, (entry) => entry.inherited === true)
  }
}

/** Yields the entries of a document, each with its conversation, for formats that write nothing but entries. */
export async function* exportedEntries(
  conversation: Exportable,
  options: ExportOptions,
  signal: AbortSignal,
): AsyncGenerator<{ readonly entry: Entry; readonly conversation: Exportable }> {
  let owner = conversation
  for await (const row of exportedRows(conversation, options, signal)) {
    if (row.type === 'branch') owner = row.conversation
    if (row.type === 'entry') yield { entry: row.entry, conversation: owner }
  }
}

/** Yields the entries of a document for which `hasPlace` is true. */
export async function* exportedEntriesWhere(
  conversation: Exportable,
  options: ExportOptions,
  signal: AbortSignal,
  hasPlace: (entry: Entry) => boolean,
): AsyncGenerator<Entry> {
  for await (const row of exportedRows(conversation, options, signal))
    if (row.type === 'entry' && hasPlace(row.entry)) yield row.entry
}

async function* wholeTree(
  conversation: Pick<Exportable, 'rows'>,
  signal: AbortSignal,
  wasTold: (entry: Entry) => boolean = () => false,
): AsyncGenerator<ExportedRow> {
  const words = new Map<EntryId, string>()
  const goneOnFrom = new Set<EntryId>()
  for await (const row of conversation.rows) {
    signal.throwIfAborted()
    if (row.type === 'damaged') {
      yield row
      continue
    }
    const { entry } = row
    const { parent } = entry
    // Parallel tool results share a parent as well; a branch begins with somebody's words.
    const isFork = parent != null && goneOnFrom.has(parent) && speakerOf(entry) !== undefined
    // Only formats with parents have forks; for others nothing need be remembered.
    if (parent !== undefined) words.set(entry.id, wordsOf(entry))
    if (parent != null) goneOnFrom.add(parent)
    if (wasTold(entry)) continue
    if (isFork) yield { type: 'fork', from: words.get(parent) ?? parent }
    yield row
  }
}

function wordsOf(entry: Entry): string {
  return firstWords(shownText(entry), 60) || entry.entry_type
}
