import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type Fields, type TimelessEntry, textIn, timeIn, unknownEntry } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { qwenAnswer, resultEntries } from './answer'
import { asideTypes } from './known'
import { qwenPrompt } from './person'
import { systemEntries } from './system'

/** Converts one line, by itself: a record with its parent. The last record is where the session is now. */
export function qwenLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // Arguments and results of tools may look like records.
  if (position === 'inside-torn') return 'a part of a torn record'
  if (position === 'recovered' && !isRecord(record)) return 'not a record'
  const link = linkOf(record)
  const linked = link === undefined ? {} : { link }
  const [first, ...further] = entriesOf(record, text)
  if (first === undefined) return { type: 'control', ...linked }
  const timestamp = timeIn(record.timestamp) ?? null
  const timed = (entry: TimelessEntry): NamelessEntry => ({ timestamp, ...entry })
  return { type: 'entries', entries: [timed(first), ...further.map(timed)], ...linked }
}

function isRecord({ type, uuid, sessionId }: Fields): boolean {
  return [type, uuid, sessionId].every((one) => typeof one === 'string')
}

/** What the program notes beside the conversation does not say where that is. */
function linkOf({ uuid, parentUuid, type, subtype }: Fields): RecordLink | undefined {
  const id = textIn(uuid)
  if (id === undefined) return undefined
  const link = { id, parent: textIn(parentUuid) ?? null }
  return type === 'system' && asideTypes.has(subtype) ? link : { ...link, leaf: id }
}

/** None for a record without words. */
function entriesOf(record: Fields, text: string): readonly TimelessEntry[] {
  const { type, message } = record
  if (type === 'system') return systemEntries(record, text)
  if (isJsonObject(message)) {
    if (type === 'user') return qwenPrompt(record, message.parts)
    if (type === 'assistant') return qwenAnswer(record, message.parts)
    if (type === 'tool_result') return resultEntries(record, message.parts)
  }
  // A reply may have tokens and no words.
  if (type === 'assistant' && message === undefined) return qwenAnswer(record, undefined)
  return [unknownEntry('qwen', typeof type === 'string' ? type : '', text)]
}
