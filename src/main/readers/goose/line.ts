import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { Fields } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { headMeaning, type RowMeaning, rowLine, secondsOfNumber } from '../tables/row-line'
import { entriesOfContent } from './content'
import { gooseHead } from './head'
import { gooseTables } from './tables'

/** Converts a line of a session: of a database's record file (`tables/`), or of an older file. Results come from "tool". */
export function gooseLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  return line.record === undefined
    ? fileLine(line, position)
    : rowLine(gooseRows, line, 'created_timestamp')
}

const gooseRows: RowMeaning = {
  source: 'goose',
  tables: gooseTables,
  headOf: gooseHead,
  entriesOf({ row, data }) {
    if (!Array.isArray(data)) return 'a message whose content is no list'
    const isInjected = isHidden(parsed(row.metadata_json))
    return entriesOfContent(data, { role: row.role, isInjected })
  },
  usageOf,
}

/** Older files: the first line tells of the session, each other one is a message. */
function fileLine(line: JsonObject, position: ValuePosition): DocumentLine | string {
  const { role, content, created, metadata } = line
  if (role === undefined && content === undefined) {
    const isHead = 'working_dir' in line || 'description' in line || 'message_count' in line
    return isHead && position !== 'inside-torn'
      ? headMeaning(gooseHead(line))
      : 'not a line of a session'
  }
  // What a tool gave may itself look like a message.
  if (position === 'inside-torn' || !Array.isArray(content)) return 'not a message of a session'
  const timestamp = secondsOfNumber(created)
  const drafts = entriesOfContent(content, { role, isInjected: isHidden(metadata) })
  const entries = drafts.map((entry) => ({ timestamp, ...entry }))
  return entries.length === 0 ? { type: 'control' } : { type: 'entries', entries }
}

/** Messages that only the model sees are the program's: summaries, and what it adds to a prompt. */
function isHidden(metadata: unknown): boolean {
  return isJsonObject(metadata) && metadata.userVisible === false
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined // The line shows it.
  }
}

/** What came from the provider's cache is a part of what was sent. */
function usageOf(sums: JsonObject): Fields | undefined {
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)
  const input = count(sums.accumulated_input_tokens)
  const output = count(sums.accumulated_output_tokens)
  const total = count(sums.accumulated_total_tokens)
  const cached = count(sums.cache_read_tokens)
  const cost = count(sums.cost)
  const told = {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(input === undefined && output === undefined && total !== undefined
      ? { total_tokens: total }
      : {}),
    ...(cached === undefined || cached > (input ?? 0) ? {} : { cached }),
    ...(cost === undefined ? {} : { cost }),
  }
  return Object.keys(told).length === 0 ? undefined : told
}
