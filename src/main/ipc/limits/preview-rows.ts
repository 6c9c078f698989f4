import { undoJsonEscapes } from '../../../shared/model/basics/json-escapes'
import { smallestOf } from '../../../shared/model/basics/long-lists'
import type { Entry } from '../../../shared/model/conversation/entry'
import { callUserMessage } from '../../../shared/model/conversation/entry'
import type { DamagedLine, TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { HitPreview, PreviewedPart } from '../../../shared/model/hit-preview'
import type { SearchHit } from '../../../shared/model/search'
import { rowsForWindow } from './rows-for-window'

/** Text that a preview looks for in its hit: the piece around the first match, with the places in it. */
export type SoughtText = Pick<SearchHit, 'snippet' | 'ranges'>

/** Limits of a part, before and behind its place. */
interface PartLimits {
  readonly linesBefore: number
  readonly unitsBefore: number
  readonly linesAfter: number
  readonly unitsAfter: number
}

/** A text that is within the limits of the hit's part on both sides is shown whole. */
const ofHit: PartLimits = { linesBefore: 8, unitsBefore: 1500, linesAfter: 24, unitsAfter: 3000 }
const ofNeighbour: PartLimits = { linesBefore: 0, unitsBefore: 0, linesAfter: 12, unitsAfter: 1200 }

/** Cuts rows to what a preview shows: the row with the hit around the match, the others to their beginnings. */
export function previewRows(
  rows: readonly TranscriptRow[],
  hit: number | null,
  sought: SoughtText,
): Omit<HitPreview, 'isLeft'> {
  const parts: (PreviewedPart | null)[] = []
  // A query that asks for no words has no match that could be elsewhere.
  let hasMatch = hit === null || sought.ranges.length === 0
  const cut = rows.map((row, index): TranscriptRow => {
    if (row.type !== 'entry') {
      if (index === hit && isInLine(row.damaged, sought)) hasMatch = true
      parts.push(null)
      return row
    }
    const { entry } = row
    const place = index === hit ? placeOf(textOf(entry), sought) : undefined
    if (place !== undefined) hasMatch = true
    const { text, part } = partOf(textOf(entry), place ?? 0, index === hit ? ofHit : ofNeighbour)
    parts.push(part)
    return part === null
      ? row
      : { type: 'entry', entry: { ...withText(entry, text), wholeLength: part.characters } }
  })
  return { rows: rowsForWindow(cut), hit, parts, hasMatch }
}

/** Returns true where the match is in the bytes of a damaged line that are shown, as they are or with JSON's escapes undone, as search has them. */
function isInLine({ bytes }: DamagedLine, sought: SoughtText): boolean {
  const text = Buffer.from(bytes, 'base64').toString('utf8')
  return [text, undoJsonEscapes(text)].some((shown) => placeOf(shown, sought) !== undefined)
}

/** Finds the row of a hit: the entry itself, else the line that it is on. */
export function rowOfHit(
  rows: readonly TranscriptRow[],
  {
    file,
    offset,
    entry,
  }: { readonly file: string; readonly offset: number; readonly entry?: string | undefined },
): number | null {
  const onLine = (row: TranscriptRow) => {
    const line = row.type === 'entry' ? row.entry : row.damaged
    return line.offset === offset && line.file === file
  }
  const same = rows.findIndex(
    (row) => row.type === 'entry' && row.entry.id === entry && onLine(row),
  )
  const at = same >= 0 ? same : rows.findIndex(onLine)
  if (at >= 0) return at
  const named = rows.findIndex((row) => row.type === 'entry' && row.entry.id === entry)
  return named >= 0 ? named : null
}

/** Returns the text of an entry as it is shown: words that are said by a call, without its JSON. */
function textOf(entry: Entry): string {
  return callUserMessage(entry)?.words ?? entry.content
}

function withText(entry: Entry, text: string): Entry {
  const isCall = callUserMessage(entry) !== undefined
  return { ...entry, content: isCall ? JSON.stringify({ message: text }) : text }
}

/** Finds the first match in a text; undefined where the text is another one, as the JSON of arguments may be. */
function placeOf(text: string, { snippet, ranges }: SoughtText): number | undefined {
  const first = ranges[0]?.[0] ?? 0
  const at = text.indexOf(snippet)
  if (at >= 0) return at + first
  const marks = [...new Set(ranges.map(([from, to]) => snippet.slice(from, to)))]
  const places = marks.map((mark) => (mark === '' ? -1 : text.indexOf(mark)))
  const found = places.filter((place) => place >= 0)
  return found.length === 0 ? undefined : smallestOf(found)
}

/** Cuts the part of a text around a place, at the ends of lines where these are near. Linear in the text. */
export function partOf(
  text: string,
  place: number,
  limits: PartLimits = ofHit,
): { readonly text: string; readonly part: PreviewedPart | null } {
  const start = startBefore(text, place, limits)
  const end = endBehind(text, place, limits)
  if (start === 0 && end === text.length) return { text, part: null }
  const firstLine = countLineFeeds(text, 0, start) + 1
  const shown = text.slice(start, end)
  const lastLine = firstLine + countLineFeeds(shown, 0, shown.replace(/\n$/, '').length)
  const feeds = countLineFeeds(text, end, text.length)
  const lines = firstLine + countLineFeeds(shown, 0, shown.length) + feeds
  return {
    text: shown,
    part: {
      firstLine,
      lastLine,
      lines: text.endsWith('\n') ? lines - 1 : lines,
      characters: text.length,
    },
  }
}

function startBefore(text: string, place: number, { linesBefore, unitsBefore }: PartLimits) {
  const least = Math.max(0, place - unitsBefore)
  let start = text.lastIndexOf('\n', Math.max(0, place - 1)) + 1
  if (place === 0) start = 0
  for (let line = 0; line < linesBefore && start > least; line++)
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  return start >= least ? start : betweenCharacters(text, least)
}

function endBehind(text: string, place: number, { linesAfter, unitsAfter }: PartLimits) {
  const most = Math.min(text.length, place + unitsAfter)
  let end = place
  for (let line = 0; line <= linesAfter && end < most; line++) {
    const feed = text.indexOf('\n', end)
    end = feed < 0 ? text.length : feed + 1
  }
  return end <= most ? end : betweenCharacters(text, most)
}

/** Moves a place out of the middle of a pair of surrogates. */
function betweenCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

function countLineFeeds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count += 1
  return count
}
