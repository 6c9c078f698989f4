import path from 'node:path'
import type { ConversationSummary } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { LostAndFound, LostItem, LostKind } from '../../shared/model/lost'
import type { Disk } from '../disk/disk'
import { shownPath } from '../disk/shown-path'
import { readers } from '../readers/index'
import type { SourceRef } from '../readers/reader'
import { brokenArchives, brokenWords } from './broken-archives'
import type { LibraryFacts } from './facts'
import type { Histories } from './histories'
import type { Listed } from './shelf'

const pressing: readonly LostKind[] = ['unreadable', 'damaged', 'unplaced', 'gone', 'noticed']

/**
 * What is not where it belongs, as far as it is known: what was counted, what cannot be read, what is gone.
 *
 * @param countedBytes larger conversations are not counted in the background
 */
export async function lostAndFound(
  listings: readonly Listed[],
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
    // A broken archive is damage without a line that could be shown.
    if (count !== undefined && count.damaged + count.broken.length > 0)
      items.push({ ...of, kind: 'damaged', lines: count.damaged, words: [...count.broken] })
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
  const words = [`Its files are not on the disk any more.${held}`]
  return { kind: 'gone', source, key, title, lines: 0, words, place: '' }
}

/**
 * Files with lines that no conversation has, and broken archives that hold none, in formats whose files hold several:
 * such a file is read whole. A root that cannot be read is told of elsewhere.
 */
export async function unplacedLines(
  disk: Disk,
  histories: Histories,
  signal: AbortSignal,
): Promise<readonly LostItem[]> {
  const items: LostItem[] = []
  const found = await histories.list(signal)
  for (const { source, path: root } of histories.roots) {
    const reader = readers.find(({ id }) => id === source)
    if (reader?.accounts === undefined) continue
    const parts = partsByFile(found.map(({ ref }) => ref).filter((ref) => ref.source === source))
    try {
      for await (const fact of reader.accounts(root, disk, signal)) {
        if (fact.type === 'notice')
          items.push({
            kind: 'noticed',
            source,
            title: reader.label,
            lines: 0,
            words: [fact.notice],
            place: shownPath(root),
          })
        if (fact.type !== 'file') continue
        const { file, damaged } = fact.ledger
        const here = parts.get(file) ?? []
        const lines = damaged.filter(({ offset }) => !here.some((part) => holds(part, offset)))
        const words = [...new Set(lines.map(({ reason }) => reason))].slice(0, 3)
        const whole = path.join(root, file)
        const place = shownPath(whole)
        const files = here.length === 0 ? [{ path: whole, place: file }] : []
        // A broken archive with lines of conversations is told of by them.
        const broken = (await brokenArchives(disk, files, signal)).map(brokenWords)
        if (broken.length > 0)
          items.push({ kind: 'unreadable', source, title: file, lines: 0, words: broken, place })
        if (lines.length === 0) continue
        const first = lines.slice(0, shownLines).map((line) => ({ ...line, file }))
        const of = { kind: 'unplaced', source, title: file, place } as const
        items.push({ ...of, lines: lines.length, words, damaged: first })
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

type Part = { readonly offset: number; readonly end: number }

function partsByFile(refs: readonly SourceRef[]): ReadonlyMap<string, readonly Part[]> {
  const parts = new Map<string, Part[]>()
  for (const { files } of refs)
    for (const { file, bytes, part = { offset: 0, end: bytes } } of files)
      parts.set(file, [...(parts.get(file) ?? []), part])
  return parts
}

function holds({ offset, end }: Part, at: number): boolean {
  return at >= offset && at < end
}
