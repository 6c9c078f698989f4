import { pushAll } from '../../../shared/model/basics/long-lists'
import { type EntryDraft, isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { damageExcerpt } from '../../disk/json/json-line'
import { runInSlices } from '../../disk/pacing/slices'
import { type FileLine, readExactly, readLines, readLinesBackward } from '../../disk/reading/lines'
import type { TranscriptFile } from '../core/transcript-file'
import { endPosition } from '../lines/cursor'
import { decodeLineAsync } from '../lines/entry-line'
import { openUnmoved } from '../lines/file-facts'
import { stepsBackward } from '../lines/line-steps'
import { digestEntry } from './entry-digests'

/** A line of context.jsonl that the transcript does not have. */
export interface WindowOnlyLine {
  readonly offset: number
  /** In bytes, without the line feed. */
  readonly length: number
  readonly line: number
  /** Unix seconds, where it is an entry with a time. */
  readonly seconds: number | undefined
}

/** Lines that context.jsonl has and the transcript does not. */
export interface WindowOnlyLines {
  /** In their order. */
  readonly lines: readonly WindowOnlyLine[]
  /** How many of them are at its end, behind everything that both have. */
  readonly atEnd: number
}

/** The files of a comparison of context.jsonl with the transcript, and how far back it goes. */
export interface WindowComparison {
  readonly disk: Disk
  readonly name: string
  /** context.jsonl. */
  readonly window: TranscriptFile
  /** The transcript's, in reading order, without context.jsonl. */
  readonly files: readonly TranscriptFile[]
  /**
   * So far back from its end the transcript is read, in bytes; what an anchor keeps from before that counts as found. All
   * of it, where that is needed and this is undefined.
   */
  readonly withinBytes?: number | undefined
}

/** A shorter summary is no proof that a message repeats it. In characters. */
const shortestSummary = 20
const tailBytes = 16 * 1024

/**
 * Resolves to true where context.jsonl ends with another entry than the transcript: only then can it be ahead of it.
 * Two short reads, whatever the sizes.
 *
 * @throws FileMovedError, DiskError
 */
export async function windowEndDiffers(options: WindowComparison): Promise<boolean> {
  const { disk, name, window, files } = options
  const there = await lastIdOf(disk, window)
  if (there === undefined) return false
  for await (const { fact } of stepsBackward(disk, name, files, endPosition(files), undefined))
    for (const row of [...fact.rows].reverse()) {
      if (row.type !== 'entry' || row.entry.entry_type === 'system_prompt_changed') continue
      const kept: unknown = isAnchor(row.entry) ? row.entry.metadata?.kept : undefined
      const last = Array.isArray(kept) && kept.length > 0 ? kept.at(-1) : row.entry.id
      return there !== last
    }
  return true
}

/**
 * Finds the lines of context.jsonl that the transcript lacks. Entries are compared by type and text, and by their
 * metadata where they have any, under one id or, where chibi has rewritten the window, under others; damaged lines by
 * length and beginning. Prompts, anchors that chibi makes up, and a message that repeats the summary of an anchor do
 * not count.
 *
 * Reads the window whole, and the transcript back until everything was found.
 *
 * @throws FileMovedError, DiskError
 */
export async function findWindowOnlyLines(options: WindowComparison): Promise<WindowOnlyLines> {
  const { disk, name, window, files, withinBytes = Number.POSITIVE_INFINITY } = options
  const items = await itemsOf(disk, window)
  const search = new Search(items)
  let bytes = 0
  for await (const { fact } of stepsBackward(disk, name, files, endPosition(files), undefined)) {
    if (search.isDone) break
    if (bytes > withinBytes) {
      search.takeKept()
      break
    }
    bytes += fact.place.length
    for (const row of fact.rows) await search.take(row)
  }
  const left = search.left()
  const lost = left.size === 0 ? left : await withoutSummaries(disk, window, left, search.summaries)
  let atEnd = 0
  while (atEnd < lost.size && lost.has(items[items.length - 1 - atEnd] as Item)) atEnd += 1
  return { lines: items.filter((item) => lost.has(item)), atEnd }
}

/** Reads the bytes of some lines of context.jsonl, without their line feeds. @throws FileMovedError, DiskError */
export async function* readLineBytes(
  disk: Disk,
  window: TranscriptFile,
  lines: Iterable<WindowOnlyLine>,
): AsyncGenerator<Uint8Array> {
  const opened = await openUnmoved(disk, window)
  try {
    for (const { offset, length } of lines) yield await readExactly(opened, offset, length)
  } finally {
    await opened.close()
  }
}

/** A line of context.jsonl, or one of several entries on it, with what it is found by elsewhere. */
interface Item extends WindowOnlyLine {
  readonly id: string
  readonly key: string
  /** Of a line that is cut off the id is all that can be compared with the whole one. */
  readonly isDamaged: boolean
}

/** Looks for the items among the rows of the transcript, from the newest back. */
class Search {
  readonly summaries: string[] = []
  private readonly items: readonly Item[]
  private readonly byId = new Map<string, Item[]>()
  private readonly seen = new Set<Item>()
  private readonly keptIds = new Set<string>()
  /** By key: how many items were not found by their id, less the rows of that key that are no item's by id. */
  private readonly due = new Map<string, number>()
  private open = 0

  constructor(items: readonly Item[]) {
    this.items = items
    for (const item of items) {
      const same = this.byId.get(item.id)
      if (same === undefined) this.byId.set(item.id, [item])
      else same.push(item)
      this.add(item.key, 1)
    }
  }

  get isDone(): boolean {
    return this.open === 0
  }

  async take(row: TranscriptRow): Promise<void> {
    if (row.type === 'damaged') {
      // Never by its id: what is cut off here may be whole in the window.
      this.add(damagedKey(row.damaged.bytes, row.damaged.length), -1)
      return
    }
    const { entry } = row
    if (isAnchor(entry)) {
      const { kept, summary } = entry.metadata ?? {}
      if (typeof summary === 'string' && summary.trim().length >= shortestSummary)
        this.summaries.push(summary)
      if (Array.isArray(kept)) for (const id of kept) this.keptIds.add(String(id))
    }
    const { said, withDetails } = await runInSlices(digestEntry(entry))
    // What has its id and another text or metadata was changed in one of the two: it is nowhere else.
    const isSame = ({ isDamaged, key }: Item) => isDamaged || key === said || key === withDetails
    if (this.takeSame(entry.id, isSame)) return
    const isWhole = withDetails !== undefined && (this.due.get(withDetails) ?? 0) > 0
    this.add(isWhole ? withDetails : said, -1)
  }

  takeKept(): void {
    for (const id of this.keptIds) this.takeSame(id, () => true)
  }

  /** Returns the lines that were not found. Of several with one text the last ones: what was lost, was lost at the end. */
  left(): ReadonlySet<Item> {
    const due = new Map(this.due)
    const left = new Set<Item>()
    for (const item of [...this.items].reverse()) {
      const some = due.get(item.key) ?? 0
      if (some <= 0 || this.seen.has(item)) continue
      due.set(item.key, some - 1)
      left.add(item)
    }
    return left
  }

  private takeSame(id: string, isSame: (item: Item) => boolean): boolean {
    const same = (this.byId.get(id) ?? []).filter(isSame)
    for (const item of same) {
      if (this.seen.has(item)) continue
      this.seen.add(item)
      this.add(item.key, -1)
    }
    return same.length > 0
  }

  private add(key: string, by: number): void {
    const before = this.due.get(key)
    // A key that is nowhere in the window does not matter.
    if (before === undefined && by < 0) return
    const after = (before ?? 0) + by
    this.due.set(key, after)
    this.open += Math.max(0, after) - Math.max(0, before ?? 0)
  }
}

async function itemsOf(disk: Disk, window: TranscriptFile): Promise<readonly Item[]> {
  const items: Item[] = []
  const opened = await openUnmoved(disk, window)
  try {
    let line = 0
    for await (const lines of readLines(opened))
      for (const raw of lines) {
        line += 1
        pushAll(items, await itemsIn(raw, line))
      }
  } finally {
    await opened.close()
  }
  return items
}

async function itemsIn(raw: FileLine, line: number): Promise<readonly Item[]> {
  const decoded = await decodeLineAsync(raw)
  if (decoded.type === 'blank') return []
  const { offset, length } = raw
  const place = { offset, length, line }
  const drafts = decoded.type === 'entry' ? [decoded.draft] : decoded.recovered
  const items: Item[] = []
  for (const draft of drafts.filter(isCompared)) {
    const { id, timestamp } = draft
    const { said, withDetails } = await runInSlices(digestEntry(draft))
    const key = withDetails ?? said
    items.push({ ...place, id, key, isDamaged: false, seconds: timestamp ?? undefined })
  }
  if (decoded.type === 'entry' || items.length > 0) return items
  const beginning = damageExcerpt(raw)
  const text = partialTextOf(beginning)
  // What a power failure leaves, zeros or the beginning of a line before its text, does not count.
  if (!/[^\0\s]/.test(text) || (text.startsWith('{"id":"') && !text.includes('"content":')))
    return []
  return [
    {
      ...place,
      id: idIn(text),
      key: damagedKey(beginning, length),
      isDamaged: true,
      seconds: undefined,
    },
  ]
}

/** Messages, calls and what ended a window; not the anchors that chibi makes up where there is none, and no prompt. */
function isCompared({ entry_type }: EntryDraft): boolean {
  return !['context_created', 'system_prompt', 'system_prompt_changed'].includes(entry_type)
}

/** @param beginning as rows have it: base64 of the first bytes @param length in bytes: of a long line the rest may differ */
function damagedKey(beginning: string, length: number): string {
  return `damaged\0${length}\0${beginning}`
}

function partialTextOf(beginning: string): string {
  return Buffer.from(beginning, 'base64').toString('utf8')
}

/** The id that a line begins with, which a whole line elsewhere may have; empty where it has none. */
function idIn(text: string): string {
  return /^\s*\{"id":"([^"\\]+)"/.exec(text)?.[1] ?? ''
}

/** Whether a message is chibi's of a compaction: text of its own, and then the summary to the end. */
function repeats(content: string, summaries: readonly string[]): boolean {
  const text = content.trimEnd()
  return summaries.some((summary) => text.endsWith(summary.trim()))
}

/** chibi begins a window after a compaction with a message that repeats the summary, which the anchor has. */
async function withoutSummaries(
  disk: Disk,
  window: TranscriptFile,
  left: ReadonlySet<Item>,
  summaries: readonly string[],
): Promise<ReadonlySet<Item>> {
  if (summaries.length === 0) return left
  const lost = new Set<Item>()
  const items = [...left]
  let at = 0
  for await (const bytes of readLineBytes(disk, window, items)) {
    const item = items[at++]
    const decoded = await decodeLineAsync({ bytes, offset: 0, length: bytes.length, ended: true })
    const content = decoded.type === 'entry' ? decoded.draft.content : ''
    if (item !== undefined && !repeats(content, summaries)) lost.add(item)
  }
  return lost
}

/** The id of the last entry that counts; undefined where none does. */
async function lastIdOf(disk: Disk, window: TranscriptFile): Promise<string | undefined> {
  const opened = await openUnmoved(disk, window)
  try {
    const last = { firstChunkBytes: tailBytes }
    for await (const lines of readLinesBackward(opened, window.sizeBytes, last))
      for (const line of lines) {
        const item = (await itemsIn(line, 0)).at(-1)
        if (item !== undefined) return item.id
      }
    return undefined
  } finally {
    await opened.close()
  }
}
