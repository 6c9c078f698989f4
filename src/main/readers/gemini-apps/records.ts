import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { DiskFile } from '../../disk/interface/disk'
import { jsonOfAnyDepth } from '../../disk/json/json-write'
import { runAtOnce } from '../../disk/pacing/slices'
import { readExactly } from '../../disk/reading/lines'
import type { RecordFormat } from '../../records/interface/record-format'
import { type Composition, composedFormat, stateOfFiles } from '../../records/lines/composed-format'
import { composedLine, unendedLine } from '../../records/lines/composed-line'
import { depthFault } from '../common/record-values'
import { isGeminiHeader } from './line'

/** The id of the format of activities. */
export const activitiesFormat = 'gemini-apps'

/** Longer stretches of a document are no conversation of a person. In bytes. */
const longestBytes = 256 * 1024 * 1024

/** Returns the name of the record file of a stretch of a document: activities that follow each other, in bytes. */
export function activityStretch(start: number, end: number): string {
  return `${start}-${end}`
}

/**
 * The format of Takeout's activities: a stretch of the document, which has the newest first, as `{activity}` lines, the oldest
 * first.
 */
export const activityRecords: RecordFormat = composedFormat({
  id: activitiesFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { name }) {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(name) ?? []
    return to === undefined ? undefined : composeStretch(document, Number(from), Number(to))
  },
})

async function composeStretch(
  document: DiskFile,
  start: number,
  end: number,
): Promise<Composition | undefined> {
  if (end <= start || end - start > longestBytes) return undefined
  const text = Buffer.from(await readExactly(document, start, end - start)).toString('utf8')
  const found = parsed(text)
  if (found === undefined) return { lines: [unendedLine({ start, end })], about: {} }
  // Activities of other products may lie between.
  const own = found.filter((one) => !isJsonObject(one) || isGeminiHeader(one.header))
  const lines = own.reverse().map((one) => composedLine('{"activity":', written(one), '}'))
  return { lines, about: { activities: own.length } }
}

/** One that is nested too deeply is shown as a damaged line, with all its bytes. */
function written(activity: unknown): string {
  return depthFault(activity) === undefined
    ? JSON.stringify(activity)
    : runAtOnce(jsonOfAnyDepth(activity))
}

function parsed(text: string): unknown[] | undefined {
  try {
    const found: unknown = JSON.parse(`[${text}]`)
    return Array.isArray(found) ? found : undefined
  } catch {
    return undefined
  }
}
