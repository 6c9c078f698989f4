import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { type FileLine, readLinesBackward } from '../../disk/reading/lines'
import type { ValueMeaning } from './value-meaning'

/** Returns the object that a record of any format is; for any other value the reason why it is none. */
export function recordOf(value: unknown): JsonObject | string {
  if (!isJsonObject(value)) return 'not a JSON object'
  return depthFault(value) ?? value
}

/** Returns why a value is nested too deep for a record; undefined where it is not. */
export function depthFault(value: unknown): string | undefined {
  return isDeeperThan(value, deepestLine)
    ? `nested more than ${deepestLine} levels deep`
    : undefined
}

/**
 * Reads what is on a line: one value as a rule, more where a line feed was lost, none where it is blank or damaged. Yields to
 * other work where the line is long.
 */
export async function valuesOn<T extends object>(
  line: FileLine,
  accept: AcceptValue<T>,
): Promise<readonly T[]> {
  const decoded = await decodeJsonLineInSlices(line, accept)
  if (decoded.type === 'value') return [decoded.value]
  return decoded.type === 'damaged' ? decoded.recovered : []
}

/** Lines read from the end: some are damaged, have no time, or are the conversation's own fields. */
const endLines = 8
const endChunkBytes = 16 * 1024

/** Reads the time of the last entry on a file's last lines, in Unix seconds; undefined where none there has one. */
export async function lastEntryTimeIn(
  file: DiskFile,
  accept: AcceptValue<ValueMeaning>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { sizeBytes } = await file.stat()
  let seen = 0
  const ends = { firstChunkBytes: endChunkBytes, signal }
  for await (const lines of readLinesBackward(file, sizeBytes, ends))
    for (const line of lines) {
      const time = (await valuesOn(line, accept)).map(lastTimeOf).findLast((one) => one != null)
      seen += 1
      if (time != null) return time
      if (seen === endLines) return undefined
    }
  return undefined
}

/** Of a record with several entries the last one that has a time. */
function lastTimeOf(meaning: ValueMeaning): number | null | undefined {
  if (meaning.type === 'control') return undefined
  return meaning.entries.findLast(({ timestamp }) => timestamp !== null)?.timestamp
}
