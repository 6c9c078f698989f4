import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { valuesOn } from '../common/record-values'
import { geminiLine } from './line'

/** The fields of a session are its first line. */
const headLines = 5
const headBytes = 256 * 1024

/** Reads the id of a session from its first lines; undefined where they have none. */
export async function readSessionId(
  file: DiskFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  let seen = 0
  for await (const lines of readLines(file, { chunkBytes: 4096, to: headBytes, signal }))
    for (const line of lines) {
      for (const { fields } of await valuesOn(line, geminiLine))
        if (fields?.id !== undefined) return fields.id
      seen += 1
      if (seen === headLines) return undefined
    }
  return undefined
}
