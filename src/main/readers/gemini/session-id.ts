import type { DiskFile } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines } from '../../disk/reading/lines'
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
      const decoded = await decodeJsonLineInSlices(line, geminiLine)
      const values = decoded.type === 'value' ? [decoded.value] : []
      for (const { fields } of values) if (fields?.id !== undefined) return fields.id
      seen += 1
      if (seen === headLines) return undefined
    }
  return undefined
}
