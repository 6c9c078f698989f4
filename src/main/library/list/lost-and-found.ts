import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { allowGaps } from '../../../shared/model/conversation/reading'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { LostAndFound, LostItem, LostKind } from '../../../shared/model/lost'
import type { Disk } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { readers } from '../../readers/index'
import type { Histories } from '../sources/histories'
import type { ConversationListing } from './conversation-source'
import type { LibraryFacts } from './library-facts'

const pressing: readonly LostKind[] = ['unreadable', 'damaged', 'unplaced', 'gone', 'noticed']

/**
 * Lists what is lost, as far as it is known: damaged lines that were counted, conversations that cannot be read or are
 * gone, and notices.
 *
 * @param countedBytes larger conversations are not counted in the background
 */
export async function lostAndFound(
  listings: readonly ConversationListing[],
  facts: LibraryFacts,
  unplaced: readonly LostItem[],
  countedBytes: number,
): Promise<LostAndFound> {
  const items: LostItem[] = [...unplaced]
  let [counted, waiting, large] = [0, 0, 0]
  for (const listed of listings) {
    const row = await facts.row(listed)
    const count = facts.counted(listed)
    if (count !== undefined) counted += 1
    else if (row.unreadable === undefined && listed.bytes > countedBytes) large += 1
    else if (row.unreadable === undefined) waiting += 1
    const { source, key, shownPlace: place } = listed
    const of = { source, key, title: row.title, place }
    if (row.unreadable !== undefined)
      items.push({ ...of, kind: 'unreadable', lines: 0, words: [row.unreadable] })
    // What could not be read is damage without a line that could be shown.
    if (count !== undefined && count.damaged + count.unread.length > 0)
      items.push({ ...of, kind: 'damaged', lines: count.damaged, words: [...count.unread] })
    const noticed = [...(count?.notices ?? [])]
    if (noticed.length > 0) items.push({ ...of, kind: 'noticed', lines: 0, words: noticed })
  }
  for (const key of facts.gone()) {
    const row = facts.remembered(key)
    if (row !== undefined) items.push(goneItem(row))
  }
  items.sort(
    (a, b) => pressing.indexOf(a.kind) - pressing.indexOf(b.kind) || a.title.localeCompare(b.title),
  )
  return { items, counted, waiting, large }
}

function goneItem({ source, key, title, entries }: ConversationSummary): LostItem {
  const held = entries === undefined ? '' : ` It held ${entries} entries.`
  const words = [`Its files are no longer on the disk.${held}`]
  return { kind: 'gone', source, key, title, lines: 0, words, place: '' }
}

/** Returns the roots that could not be listed to their ends: conversations of theirs may be missing. */
export function unlistedRoots(histories: Histories): readonly LostItem[] {
  return histories.unlisted().map(({ root: { source, path: root }, words }) => ({
    kind: 'unreadable',
    source,
    title: sourceLabel(source),
    place: shownPath(root),
    lines: 0,
    words: [words],
  }))
}

/**
 * Finds lines that no conversation has, and notices, in formats whose files hold several conversations: in such a
 * format every line of a file is in a conversation's part if the file has one, so only files without any are read. A
 * root that cannot be read is none of them: see `unlistedRoots`.
 */
export async function unplacedLines(
  disk: Disk,
  histories: Histories,
  signal: AbortSignal,
): Promise<readonly LostItem[]> {
  const items: LostItem[] = []
  const placed = new Set<string>()
  for (const { ref } of histories.known())
    for (const { file } of ref.files) placed.add(path.join(ref.root, file))
  for (const { source, path: root } of histories.roots) {
    const reader = readers.find(({ id }) => id === source)
    // Facts of a file come after the question whether it is wanted.
    let about = root
    const isWanted = (file: string) => {
      if (placed.has(file)) return false
      about = file
      return true
    }
    try {
      const accounts = reader?.accounts?.(root, disk, signal, isWanted)
      if (accounts === undefined) continue
      const of = () => ({
        source,
        title: path.relative(root, about) || sourceLabel(source),
        place: shownPath(about),
      })
      const facts = allowGaps(accounts, ({ sentence }) =>
        items.push({ ...of(), kind: 'unreadable', lines: 0, words: [sentence] }),
      )
      for await (const fact of facts) {
        if (fact.type === 'notice')
          items.push({ ...of(), kind: 'noticed', lines: 0, words: [fact.notice] })
        if (fact.type !== 'file' || fact.ledger.damaged.length === 0) continue
        const { file, damaged: all } = fact.ledger
        const words = [...new Set(all.map(({ reason }) => reason))].slice(0, 3)
        const damaged = all.slice(0, shownLines).map((line) => ({ ...line, file }))
        items.push({ ...of(), kind: 'unplaced', lines: all.length, words, damaged })
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
    }
  }
  return items
}

/** Each brings up to 4 KB of its bytes. */
const shownLines = 50
