import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { entryOfPart } from '../common/content/block-entries'
import { partsOfContent } from '../common/content/blocks'
import { splitTagged } from '../common/content/stretch'
import {
  type Fields,
  keyIn,
  type TimelessEntry,
  textIn,
  timeIn,
  trimmedIn,
  unknownEntry,
} from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { SessionRecordFields } from '../common/sessions/line-ends'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { silentDroidTypes } from './known'

/** A text that the model wrote which called a subagent, and that Droid takes for its title. */
const taskBegin = '# Task Tool Invocation'
const speakers = { model: 'droid', program: 'droid' }

/** Converts one line, by itself: a record with its parent. */
export function droidLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // Inputs and results of tools may look like records.
  if (position === 'inside-torn') return 'a part of a torn record'
  if (position === 'recovered' && !isRecord(record)) return 'not a record'
  if (silentDroidTypes.has(record.type)) return { type: 'control' }
  const link = linkOf(record)
  const timestamp = timeIn(record.timestamp) ?? null
  const entries = entriesOf(record, text).map((entry): NamelessEntry => ({ timestamp, ...entry }))
  return { type: 'entries', entries, ...(link === undefined ? {} : { link }) }
}

/** Reads what the first record of a session tells of it. */
export function droidFields(record: Fields): SessionRecordFields {
  const { type, title, sessionTitle, cwd, timestamp, callingSessionId, callingToolUseId } = record
  const time = timeIn(timestamp)
  if (type !== 'session_start') return { time }
  const session = keyIn(callingSessionId)
  const call = textIn(callingToolUseId)
  const own = trimmedIn(title)
  return {
    title: trimmedIn(sessionTitle) ?? (own?.startsWith(taskBegin) === true ? undefined : own),
    project: trimmedIn(cwd),
    time,
    caller:
      session === undefined ? undefined : { key: session, ...(call === undefined ? {} : { call }) },
  }
}

function isRecord({ type, id }: Fields): boolean {
  return typeof type === 'string' && typeof id === 'string'
}

/** Versions before parents were named have ids all the same. */
function linkOf({ id, parentId }: Fields): RecordLink | undefined {
  const own = textIn(id)
  if (own === undefined) return undefined
  const parent = textIn(parentId)
  return parent === undefined ? { id: own } : { id: own, parent }
}

function entriesOf(record: Fields, text: string): readonly TimelessEntry[] {
  const { type, message, summaryText } = record
  if (type === 'compaction_state') {
    const content = typeof summaryText === 'string' ? summaryText : ''
    return [{ from: 'droid', to: 'user', content, entry_type: 'compaction' }]
  }
  if (type !== 'message' || !isJsonObject(message) || !isRole(message.role))
    return [unknownEntry('droid', typeof type === 'string' ? type : '', text)]
  const isAssistant = message.role === 'assistant'
  const parts = partsOfContent(message.content, {
    isAssistant,
    injectedAs: undefined,
    splitWords: splitDroidWords,
  })
  return parts.map((part) => entryOfPart(part, speakers)).map(withoutEmpty)
}

function isRole(role: unknown): boolean {
  return role === 'user' || role === 'assistant'
}

function splitDroidWords(text: string) {
  return splitTagged(text, ['system-reminder'], [[taskBegin, 'task_invocation']])
}

function withoutEmpty({ metadata, ...entry }: TimelessEntry): TimelessEntry {
  return metadata === undefined || Object.keys(metadata).length === 0
    ? entry
    : { ...entry, metadata }
}
