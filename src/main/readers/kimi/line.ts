import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import {
  type Fields,
  secondsOfMs,
  type TimelessEntry,
  textIn,
  timeIn,
  trimmedIn,
  unknownEntry,
} from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { SessionRecordFields } from '../common/sessions/line-ends'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { isSilentKimiType, silentRoles } from './known'
import { loopEntries } from './loop'
import { kimiMessage, summaryText } from './message'

/** Converts one line, by itself: a record of Kimi Code, or a message of Kimi CLI, which has no time. */
export function kimiLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // Arguments and results of tools may look like records.
  if (position === 'inside-torn') return 'a part of a torn record'
  if (typeof record.type !== 'string') return messageLine(record, text, position)
  if (position === 'recovered' && !isRecord(record)) return 'not a record'
  const entries = entriesOf(record, text)
  const [first, ...further] = entries
  if (first === undefined) return controlOf(record)
  const timestamp = timeOf(record) ?? null
  const timed = (entry: TimelessEntry): NamelessEntry => ({ timestamp, ...entry })
  return { type: 'entries', entries: [timed(first), ...further.map(timed)], link: goesOn }
}

/** Records have no ids; turns can be taken back. */
const goesOn: RecordLink = { follows: true }

function isRecord({ type, time }: Fields): boolean {
  return typeof type === 'string' && (typeof time === 'number' || typeof time === 'string')
}

function messageLine(record: Fields, text: string, position: ValuePosition): ValueMeaning | string {
  const { role } = record
  if (position === 'recovered' && typeof role !== 'string') return 'not a message'
  if (silentRoles.has(role)) return { type: 'control' }
  const entries = kimiMessage(record) ?? [unknownEntry('kimi', String(role ?? ''), text)]
  return { type: 'entries', entries: entries.map((entry) => ({ timestamp: null, ...entry })) }
}

/** None for a record without words. */
function entriesOf(record: Fields, text: string): readonly TimelessEntry[] {
  const { type, message, event } = record
  if (type === 'context.append_message' && isJsonObject(message))
    return kimiMessage(message) ?? [unknownEntry('kimi', String(message.role ?? ''), text)]
  if (type === 'context.append_loop_event' && isJsonObject(event)) return loopEntries(event, text)
  if (type === 'context.apply_compaction')
    return [
      {
        from: 'kimi',
        to: 'user',
        content: summaryText(record.summary),
        entry_type: 'compaction',
      },
    ]
  if (isSilentKimiType(type)) return []
  return [unknownEntry('kimi', String(type), text)]
}

/** A request names its model; what is undone goes on from before the turns that it takes back. */
function controlOf({ type, count, model }: Fields): ValueMeaning {
  const takesBack =
    type === 'context.clear' ? Number.MAX_SAFE_INTEGER : type === 'context.undo' ? count : undefined
  const named = type === 'llm.request' ? textIn(model) : undefined
  return {
    type: 'control',
    ...(named === undefined ? {} : { model: named }),
    ...(typeof takesBack === 'number' && takesBack > 0 ? { link: { takesBack } } : {}),
  }
}

/** Reads what a record tells of its session: its folder, and when it was. */
export function kimiFields(record: Fields): SessionRecordFields {
  const { environmentDisclosure: place } = record
  return {
    project: trimmedIn(record.cwd) ?? (isJsonObject(place) ? trimmedIn(place.cwd) : undefined),
    time: timeOf(record),
  }
}

function timeOf({ time, created_at: created, timestamp }: Fields): number | undefined {
  return (
    secondsOfMs(time) ??
    timeIn(time) ??
    secondsOfMs(created) ??
    (typeof timestamp === 'number' && timestamp > 0 ? timestamp : timeIn(timestamp))
  )
}
