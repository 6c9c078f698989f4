import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Random } from '../../bench/support/random'
import { damage } from './damage'
import type { LaidFile, LedgerFormat } from './ledger-formats'
import { type MemoryDisk, memoryDisk } from './memory-disk'

/** A root of a system, of which some files are damaged. */
export interface DrawnRoot {
  readonly format: LedgerFormat
  /** Of lines. */
  readonly files: readonly LaidFile[]
  readonly documents: readonly LaidFile[]
  /** Records as they were written, before damage. */
  readonly records: readonly string[]
  /** Files of lines are packed, and have a name that says so. */
  readonly isPacked: boolean
}

/**
 * Draws a root: its files are fixtures, or hold a few records each with a word of its own (`w12q`).
 *
 * @param fixtures see `fixtureFiles`; none: all records have their own word
 */
export function drawRoot(
  format: LedgerFormat,
  fixtures: readonly Buffer[],
  random: Random,
  mostRecords = 9,
): DrawnRoot {
  const records: string[] = []
  const files = format.names(random).map((file): LaidFile => {
    const fixture = fixtures[random.below(fixtures.length * 3)]
    if (fixture !== undefined) return { file, bytes: damaged(random, fixture) }
    const own = Array.from({ length: random.below(mostRecords) }, (_, i) =>
      format.record(random, `w${records.length + i}q`),
    )
    records.push(...own)
    return { file, bytes: damaged(random, Buffer.from(own.map(withEnd(random)).join(''))) }
  })
  const documents = (format.documents ?? [])
    .filter(() => random.below(6) === 0)
    .map(({ file, bytes }) => ({ file, bytes: damaged(random, bytes) }))
  return { format, files, documents, records, isPacked: format.isPacked && random.below(10) === 0 }
}

const withEnd = (random: Random) => (line: string) =>
  random.below(20) === 0 ? line : random.below(10) === 0 ? `${line}\r\n` : `${line}\n`

function damaged(random: Random, bytes: Buffer): Buffer {
  let now = bytes
  for (let times = random.below(5); times > 0; times--) now = damage(random, now)
  return now
}

/** Everything that stands under the root, by name, as bytes of the disk. */
export function bytesUnder(drawn: DrawnRoot): readonly LaidFile[] {
  const { format, files, documents, isPacked } = drawn
  const laid = files.map((one) => ({
    file: nameOf(drawn, one),
    bytes: isPacked ? gzipSync(one.bytes, { level: 1 }) : one.bytes,
  }))
  return [...(format.beside?.(files.map(({ file }) => file)) ?? []), ...laid, ...documents]
}

/** As the disk has it. */
export function nameOf({ isPacked }: DrawnRoot, { file }: LaidFile): string {
  return isPacked ? `${file}.gz` : file
}

/** A disk in memory with the root on it. */
export function laidOut(drawn: DrawnRoot, root: string): MemoryDisk {
  const disk = memoryDisk()
  for (const { file, bytes } of bytesUnder(drawn)) disk.put(path.posix.join(root, file), bytes)
  return disk
}

/** For the message of a failure: enough to see it, and to draw it again. */
export function shownRoot({ files }: DrawnRoot, trial: number): string {
  const shown = files.map(({ file, bytes }) => `${file}\n${bytes.toString('latin1')}`)
  return `trial ${trial}\n${shown.join('\n').replaceAll('\0', '\u2400')}`
}
