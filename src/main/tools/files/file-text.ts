import { setImmediate } from 'node:timers/promises'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { DiskFile } from '../../disk/interface/disk'
import { type FileLine, readExactly, readLines } from '../../disk/reading/lines'
import { ToolRefusal } from '../base/define-tool'
import { truncateEnd, truncateStart } from '../base/short-text'

/** Lines of a file as text, unchanged: with their line feeds, and carriage returns where there are any. */
export interface LinesText {
  readonly text: string
  /** Lines of which at least a part is in the text. */
  readonly lines: number
  /** The text does not hold all of these lines. */
  readonly isCut: boolean
}

/** Bytes searched for a zero, by which git and grep recognize binary files too. */
const sniffedBytes = 8192
/** The longest time in ms that a tool searches one file; enough for several gigabytes on a local disk. */
export const fileTimeLimitMs = 30_000
const lineFeed = 0x0a
/** Some milliseconds at most, even where every byte is a line feed. */
const countedAtOnce = 256 * 1024

const text = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes bytes as UTF-8; invalid bytes and zero characters, which models' APIs do not take well, are replaced. */
export function decodeFileText(bytes: Uint8Array): string {
  return text.decode(bytes).replaceAll('\0', '\ufffd')
}

/**
 * Rejects a binary file, by a zero byte in its first 8 KiB.
 *
 * @throws ToolRefusal where the file's beginning holds a zero byte
 */
export async function assertTextFile(file: DiskFile, shown: string): Promise<void> {
  const head = await readExactly(file, 0, sniffedBytes)
  if (!head.includes(0)) return
  const { sizeBytes } = await file.stat()
  throw new ToolRefusal(
    `${shown} is a binary file of ${countWithNoun(sizeBytes, 'byte')}, not text`,
  )
}

/**
 * Reads up to `count` lines from byte `from`, the start of a line, in at most `fits` characters. Reads little more
 * than those, however large the file or a line is.
 */
export async function readLinesFrom(
  file: DiskFile,
  from: number,
  count: number,
  fits: number,
  signal: AbortSignal,
): Promise<LinesText> {
  const to = from + enoughBytes(fits)
  const lines: FileLine[] = []
  for await (const batch of readLines(file, { from, to, signal })) {
    pushAll(lines, batch.slice(0, count - lines.length))
    if (lines.length >= count) break
  }
  const all = lines.map(lineText)
  const whole = all.join('')
  const kept = truncateEnd(whole, fits)
  return { text: kept, lines: linesWithin(all, kept.length), isCut: kept.length < whole.length }
}

/** Reads the last `count` lines of a file, and of those the last `fits` characters. Reads little more than those. */
export async function readLastLines(
  file: DiskFile,
  sizeBytes: number,
  count: number,
  fits: number,
  signal: AbortSignal,
): Promise<LinesText> {
  const from = Math.max(0, sizeBytes - enoughBytes(fits))
  const lines: FileLine[] = []
  for await (const batch of readLines(file, { from, to: sizeBytes, signal })) pushAll(lines, batch)
  const all = lines.slice(-count).map(lineText)
  const whole = all.join('')
  const kept = truncateStart(whole, fits)
  const shown = linesWithin(all.reverse(), kept.length)
  return { text: kept, lines: shown, isCut: kept.length < whole.length }
}

/**
 * Finds the byte at which a line begins, counted from 1. Resolves to the number of lines where the file has fewer,
 * or to those passed at `untilMs`, a time of `performance.now()`. Counts line feeds and holds no line.
 */
export async function findLine(
  file: DiskFile,
  wanted: number,
  untilMs: number,
  signal: AbortSignal,
): Promise<{ readonly offset: number } | { readonly count: number } | { readonly late: number }> {
  const chunk = Buffer.allocUnsafeSlow(countedAtOnce)
  let position = 0
  let passed = 0
  let isOpen = false
  for (;;) {
    signal.throwIfAborted()
    const got = await file.read(chunk, position)
    if (got === 0) return { count: passed + (isOpen ? 1 : 0) }
    let start = 0
    while (passed < wanted - 1) {
      const at = chunk.indexOf(lineFeed, start)
      if (at < 0 || at >= got) break
      passed += 1
      start = at + 1
    }
    // A byte after the last line feed: the line is there.
    isOpen = start < got
    if (passed === wanted - 1 && isOpen) return { offset: position + start }
    position += got
    if (performance.now() > untilMs) return { late: passed }
    // However fast the disk answers, a stop takes effect, and other work has its turn.
    await setImmediate()
  }
}

/** A character of a JavaScript string comes from three bytes at most; some more, so that none at the limit is torn. */
function enoughBytes(fits: number): number {
  return 3 * fits + 16
}

function lineText(line: FileLine): string {
  return decodeFileText(line.bytes) + (line.ended ? '\n' : '')
}

/** Counts the texts that reach into so many characters, in their order. */
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
