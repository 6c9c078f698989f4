import {
  type Entry,
  type EntryId,
  isAnchor,
  type Place,
  shownText,
  speakerOf,
} from '../../shared/model/entry'
import { assertNever } from '../../shared/model/errors'
import { runErrorType } from '../../shared/model/run'
import { momentOf } from '../../shared/model/time'
import { type DamagedLine, rowKey, type TranscriptRow } from '../../shared/model/transcript'
import { bytesOf } from './bytes'
import { failureOf } from './metadata'
import { callUserText, isCall, isResult, pairTools } from './tool-pairs'

/** What stands in a transcript, one virtual row each. */
export type Item =
  | { readonly type: 'day'; readonly key: string; readonly atMs: number }
  | { readonly type: 'user'; readonly key: string; readonly entry: Entry; readonly text: string }
  | {
      readonly type: 'agent'
      readonly key: string
      readonly entry: Entry
      readonly text: string
      /** Begins what the model says: who and when stand above it. */
      readonly isHead: boolean
      /** chibi's answer to its own `call_user`, which carries the text. */
      readonly result?: Entry
    }
  | {
      readonly type: 'tool'
      readonly key: string
      /** Absent where a result stands alone. */
      readonly call?: Entry
      readonly result?: Entry
      readonly isHead: boolean
    }
  /** Anchors that follow one another are one seam. */
  | { readonly type: 'seam'; readonly key: string; readonly entries: readonly Entry[] }
  | { readonly type: 'damaged'; readonly key: string; readonly damaged: DamagedLine }
  | { readonly type: 'error'; readonly key: string; readonly entry: Entry }
  | { readonly type: 'other'; readonly key: string; readonly entry: Entry }

export interface ItemOptions {
  /** Rows stand before these that are not here: what depends on them waits for them. */
  readonly hasBefore: boolean
  /** Keys under which rows were shown before. */
  readonly shownAs: ReadonlyMap<string, string>
}

/**
 * The rows of a transcript as items, in file order. O(rows).
 *
 * An item depends on the rows before it (a call's result, whose turn it is, the day). So with `hasBefore` the first
 * rows up to the first certain one are held back: an item never changes when the page before it arrives.
 */
export function buildItems(rows: readonly TranscriptRow[], options: ItemOptions): Item[] {
  const held = options.hasBefore ? countHeld(rows) : 0
  const pairs = pairTools(rows)
  const items: Item[] = []
  let previous: Item | undefined
  let dayOf: number | undefined

  rows.forEach((row, index) => {
    const item = itemOf(row, previous, pairs, options.shownAs)
    if (item === undefined) return
    const atMs = timeOf(row)
    const day = atMs === undefined ? undefined : new Date(atMs).setHours(0, 0, 0, 0)
    const isNewDay = day !== undefined && day !== dayOf
    dayOf = day ?? dayOf
    const merged = mergedSeam(previous, item)
    if (merged !== undefined) {
      if (index >= held) items[items.length - 1] = merged
      previous = merged
      return
    }
    const placed = isNewDay && 'isHead' in item ? { ...item, isHead: true } : item
    previous = placed
    if (index < held) return
    if (isNewDay && atMs !== undefined) items.push({ type: 'day', key: `day:${item.key}`, atMs })
    items.push(placed)
  })
  return items
}

/** The source lines of an item. */
export function placesOf(item: Item): readonly ItemLine[] {
  switch (item.type) {
    case 'day':
      return []
    case 'damaged':
      return [item.damaged]
    case 'seam':
      return item.entries
    case 'tool':
      return linesOf(item.call, item.result)
    case 'agent':
      return linesOf(item.entry, item.result)
    default:
      return [item.entry]
  }
}

/** A source line of an item, and the entry on it where there is one. */
export type ItemLine = Place & { readonly id?: EntryId }

/** Entries that are there, as lines. */
export function linesOf(...entries: readonly (Entry | undefined)[]): readonly ItemLine[] {
  return entries.filter((entry) => entry !== undefined)
}

/** What copying an item gives: its words, not its JSON. */
export function copyTextOf(item: Item): string {
  switch (item.type) {
    case 'day':
      return ''
    case 'damaged':
      return new TextDecoder().decode(bytesOf(item.damaged.bytes))
    case 'seam':
      return item.entries.map(({ content, metadata }) => metadata?.summary ?? content).join('\n\n')
    case 'tool':
      return [item.call?.content, item.result?.content].filter(Boolean).join('\n\n')
    case 'user':
    case 'agent':
      return item.text
    case 'error': {
      const { message, advice, response } = failureOf(item.entry)
      return [message, advice, response].filter(Boolean).join('\n')
    }
    case 'other':
      return item.entry.content
    default:
      return assertNever(item)
  }
}

/** When a row was written, in Unix milliseconds. */
function timeOf(row: TranscriptRow): number | undefined {
  return row.type === 'entry' ? momentOf(row.entry.timestamp) : undefined
}

/** Rows at the start that cannot be shown truly without the ones before: one row, a run of anchors, or a batch of calls. */
function countHeld(rows: readonly TranscriptRow[]): number {
  let held = 0
  const skip = (is: (entry: Entry) => boolean) => {
    for (let row = rows[held]; row?.type === 'entry' && is(row.entry); row = rows[held]) held++
  }
  skip(isAnchor)
  if (held === 0) {
    skip(isCall)
    skip(isResult)
  }
  return Math.max(held, 1)
}

function itemOf(
  row: TranscriptRow,
  previous: Item | undefined,
  pairs: ReturnType<typeof pairTools>,
  shownAs: ReadonlyMap<string, string>,
): Item | undefined {
  const own = rowKey(row)
  const key = shownAs.get(own) ?? own
  if (row.type === 'damaged') return { type: 'damaged', key, damaged: row.damaged }
  const { entry } = row
  const isHead = previous?.type !== 'agent' && previous?.type !== 'tool'
  if (isCall(entry)) {
    const result = pairs.resultOf.get(own)
    const text = callUserText(entry)
    const found = result === undefined ? {} : { result }
    return text === undefined
      ? { type: 'tool', key, call: entry, isHead, ...found }
      : { type: 'agent', key, entry, text, isHead, ...found }
  }
  if (isResult(entry))
    // Shown with its call.
    return pairs.paired.has(own) ? undefined : { type: 'tool', key, result: entry, isHead }
  if (entry.entry_type === runErrorType) return { type: 'error', key, entry }
  if (isAnchor(entry) || isSeam(entry)) return { type: 'seam', key, entries: [entry] }
  const speaker = speakerOf(entry)
  if (speaker === 'user') return { type: 'user', key, entry, text: shownText(entry) }
  if (speaker === 'agent') return { type: 'agent', key, entry, text: entry.content, isHead }
  return { type: 'other', key, entry }
}

function isSeam(entry: Entry): boolean {
  return entry.entry_type === 'system_prompt_changed' || entry.entry_type === 'control_transfer'
}

function mergedSeam(previous: Item | undefined, item: Item): Item | undefined {
  if (previous?.type !== 'seam' || item.type !== 'seam') return undefined
  if (![...previous.entries, ...item.entries].every(isAnchor)) return undefined
  return { ...previous, entries: [...previous.entries, ...item.entries] }
}
