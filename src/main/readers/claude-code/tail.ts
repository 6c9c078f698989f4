import type { DiskFile } from '../../disk/interface/disk'
import { readLinesBackward } from '../../disk/reading/lines'
import { valuesOn } from '../common/record-values'
import { mayGiveTitle, noteTitle, recordFacts, type Titles } from './line-facts'

/** Claude Code itself looks for titles in so many bytes at the end, and writes them there anew. */
const tailBytes = 64 * 1024

/** Facts of a session that the end of its file tells. */
interface Tail {
  /** The last of each kind. */
  readonly lateTitles: Titles
  /** When the last record was written, in Unix seconds. */
  readonly lastTime: number | undefined
}

/** Reads the last 64 KB of a session's file, and the line that they begin in. */
export async function readSessionTail(file: DiskFile, signal: AbortSignal): Promise<Tail> {
  const { sizeBytes } = await file.stat()
  const lateTitles: { custom?: string; ai?: string; summary?: string } = {}
  let lastTime: number | undefined
  for await (const lines of readLinesBackward(file, sizeBytes, {
    firstChunkBytes: tailBytes,
    signal,
  }))
    for (const line of lines) {
      const isWanted = lastTime === undefined || mayGiveTitle(line.bytes)
      for (const facts of isWanted ? [...(await valuesOn(line, recordFacts))].reverse() : []) {
        // From the end: what is known already is later.
        const known = { ...lateTitles }
        noteTitle(lateTitles, facts)
        Object.assign(lateTitles, known)
        lastTime ??= facts.time
      }
      if (line.offset < sizeBytes - tailBytes) return { lateTitles, lastTime }
    }
  return { lateTitles, lastTime }
}
