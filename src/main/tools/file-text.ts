import type { DiskFile } from '../disk/disk'
import { type RawLine, readExactly, readLines } from '../disk/lines'
import { Refusal } from './define'
import { counted, cutAt, cutBefore } from './wording'

/** Lines of a file as text, as they stand: with their line feeds, and carriage returns where there are. */
export interface LinesText {
  readonly text: string
  /** Lines of which at least a part is in the text. */
  readonly lines: number
  /** The text does not hold all of these lines. */
  readonly isCut: boolean
}

/** Looked at for zero bytes, by which git and grep tell binary files too. */
const sniffedBytes = 8192

const text = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes as text: bad UTF-8 and zero characters, which no model's API takes well, are replaced. */
export function decoded(bytes: Uint8Array): string {
  return text.decode(bytes).replaceAll('\0', '\ufffd')
}

/** @throws Refusal where the file's beginning holds a zero byte */
export async function mustBeText(file: DiskFile, shown: string): Promise<void> {
  const head = await readExactly(file, 0, sniffedBytes)
  if (!head.includes(0)) return
  const { sizeBytes } = await file.stat()
  throw new Refusal(`${shown} is a binary file of ${counted(sizeBytes, 'byte')}, not text`)
}

/**
 * Up to `count` lines from byte `from`, the start of a line; as many characters as fit. Reads little more than those,
 * however large the file or a line is.
 */
export async function linesFrom(
  file: DiskFile,
  from: number,
  count: number,
  fits: number,
  signal: AbortSignal,
): Promise<LinesText> {
  const to = from + enoughBytes(fits)
  const lines: RawLine[] = []
  for await (const batch of readLines(file, { from, to, signal })) {
    lines.push(...batch.slice(0, count - lines.length))
    if (lines.length >= count) break
  }
  const all = lines.map(lineText)
  const whole = all.join('')
  const kept = cutAt(whole, fits)
  return { text: kept, lines: linesWithin(all, kept.length), isCut: kept.length < whole.length }
}

/** The last `count` lines of a file; of what does not fit the end is kept. Reads little more than those. */
export async function lastLines(
  file: DiskFile,
  sizeBytes: number,
  count: number,
  fits: number,
  signal: AbortSignal,
): Promise<LinesText> {
  const from = Math.max(0, sizeBytes - enoughBytes(fits))
  const lines: RawLine[] = []
  for await (const batch of readLines(file, { from, to: sizeBytes, signal })) lines.push(...batch)
  const all = lines.slice(-count).map(lineText)
  const whole = all.join('')
  const kept = cutBefore(whole, fits)
  const shown = linesWithin(all.reverse(), kept.length)
  return { text: kept, lines: shown, isCut: kept.length < whole.length }
}

/** The byte at which a line begins, counted from 1; or how many lines there are, where there are fewer. */
export async function findLine(
  file: DiskFile,
  wanted: number,
  signal: AbortSignal,
): Promise<{ readonly offset: number } | { readonly count: number }> {
  let seen = 0
  let offset = 0
  if (wanted > 1)
    // Up to the end of the line before: the wanted one may be as long as it likes. Of none is more than its place held.
    for await (const batch of readLines(file, { longestBytes: 4096, signal })) {
      const before = batch[wanted - 2 - seen]
      seen += batch.length
      if (before === undefined) continue
      seen = wanted - 1
      offset = before.offset + before.length + 1
      break
    }
  const isThere = seen === wanted - 1 && (await readExactly(file, offset, 1)).length > 0
  return isThere ? { offset } : { count: seen }
}

/** A character of a JavaScript string comes from three bytes at most; some more, so that none at the limit is torn. */
function enoughBytes(fits: number): number {
  return 3 * fits + 16
}

function lineText(line: RawLine): string {
  return decoded(line.bytes) + (line.ended ? '\n' : '')
}

/** How many of the texts, in their order, reach into so many characters. */
function linesWithin(texts: readonly string[], characters: number): number {
  let left = characters
  let lines = 0
  for (const each of texts) {
    if (left <= 0) break
    left -= each.length
    lines += 1
  }
  return lines
}
