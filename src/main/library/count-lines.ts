import type { EntryDraft } from '../../shared/model/entry'
import type { Disk } from '../disk/disk'
import { type Accept, decodeJsonLine } from '../disk/json-line'
import { chunkBytesFor, type RawLine, readLines } from '../disk/lines'
import { unpackFault } from '../disk/unpacked-file'
import { isOf } from '../readers/json-lines'
import type { Meaning } from '../readers/meaning'
import type { TranscriptFile } from '../store/context-files'
import { decodeLine } from '../store/entry-line'
import { openSame } from '../store/file-facts'
import { brokenWords } from './broken-archives'
import { CountTally } from './tally'

/** What a line holds, as far as counting goes. */
export interface CountedLine {
  readonly kind: 'entry' | 'control' | 'blank' | 'damaged'
  /** Recovered ones too. */
  readonly entries: readonly Pick<EntryDraft, 'metadata'>[]
}

/**
 * Counts files of one JSON value a line, without telling where anything stands: half the time of a reading.
 *
 * @throws FileMoved, DiskError
 */
export async function countLines(
  disk: Disk,
  files: readonly TranscriptFile[],
  lineOf: (line: RawLine) => CountedLine | undefined,
  signal?: AbortSignal,
): Promise<CountTally> {
  const tally = new CountTally()
  for (const file of files) {
    const opened = await openSame(disk, file)
    try {
      const { begin, sizeBytes } = file
      const part = begin === undefined ? {} : { from: begin.offset, to: sizeBytes }
      const chunkBytes = chunkBytesFor(sizeBytes - (begin?.offset ?? 0))
      const options = { chunkBytes, ...part, ...(signal ? { signal } : {}) }
      for await (const lines of readLines(opened, options))
        for (const line of lines) {
          const counted = lineOf(line)
          if (counted !== undefined) tally.addLine(counted)
        }
      const fault = unpackFault(opened)
      if (fault !== undefined) tally.broken.push(brokenWords({ file: file.place, fault }))
    } finally {
      await opened.close()
    }
    tally.files += 1
  }
  return tally
}

/** A line of ours. */
export function ourLine(line: RawLine): CountedLine {
  const decoded = decodeLine(line)
  switch (decoded.type) {
    case 'blank':
      return { kind: 'blank', entries: [] }
    case 'entry':
      return { kind: 'entry', entries: [decoded.draft] }
    case 'damaged':
      return { kind: 'damaged', entries: decoded.recovered }
  }
}

/**
 * A line of a format of which the meaning of a value is known; undefined for a line of another conversation.
 *
 * @param key the conversation that is counted
 */
export function foreignLine(
  meaningOf: Accept<Meaning>,
  key: string,
): (line: RawLine) => CountedLine | undefined {
  return (line) => {
    const decoded = decodeJsonLine(line, meaningOf)
    switch (decoded.type) {
      case 'blank':
        return { kind: 'blank', entries: [] }
      case 'value':
        if (!isOf(decoded.value, key)) return undefined
        return decoded.value.type === 'control'
          ? { kind: 'control', entries: [] }
          : { kind: 'entry', entries: decoded.value.entries }
      case 'damaged':
        return {
          kind: 'damaged',
          entries: decoded.recovered.filter((one) => isOf(one, key)).flatMap(entriesOf),
        }
    }
  }
}

function entriesOf(meaning: Meaning): readonly Pick<EntryDraft, 'metadata'>[] {
  return meaning.type === 'entries' ? meaning.entries : []
}
