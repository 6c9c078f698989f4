import { isJsonObject } from '../../../../shared/model/basics/json-object'
import type { AcceptValue } from '../../../disk/json/json-accept'
import { type Fields, type TimelessEntry, timeIn, trimmedIn, unknownEntry } from '../drafts'
import { recordOf } from '../record-values'
import type { SessionRecordFields } from '../sessions/line-ends'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../value-meaning'
import { wordlessTypes } from './known'
import { type PiFormSystem, piFormMessage } from './message'

/** Makes the conversion of one line, by itself: a record with its parent. The last record is where the session is now. */
export function piFormLine(system: PiFormSystem): AcceptValue<ValueMeaning> {
  return (value, text, position) => {
    const record = recordOf(value)
    if (typeof record === 'string') return record
    // Arguments and results of tools may look like records.
    if (position === 'inside-torn') return 'a part of a torn record'
    const { type, timestamp } = record
    if (position === 'recovered' && !(typeof type === 'string' && typeof timestamp === 'string'))
      return 'not a record'
    const link = linkOf(record)
    const linked = link === undefined ? {} : { link }
    if (wordlessTypes.has(type)) return { type: 'control', ...linked }
    const time = timeIn(timestamp) ?? null
    const entries = partsOf(record, text, system).map(
      (part): NamelessEntry => ({ timestamp: time, ...part }),
    )
    return { type: 'entries', entries, ...linked }
  }
}

/** Reads what a record tells of its session: its name, and of its header its folder. */
export function piFormFields({ type, name, cwd, timestamp }: Fields): SessionRecordFields {
  return {
    title: type === 'session_info' ? trimmedIn(name) : undefined,
    project: type === 'session' ? trimmedIn(cwd) : undefined,
    time: timeIn(timestamp),
  }
}

/** The oldest version has no ids. */
function linkOf({ type, id, parentId, targetId }: Fields): RecordLink | undefined {
  if (type === 'session' || typeof id !== 'string' || id === '') return undefined
  const link = { id, parent: typeof parentId === 'string' ? parentId : null }
  // A record of this type only says where the session is now.
  if (type === 'leaf')
    return { ...link, ...(typeof targetId === 'string' ? { leaf: targetId } : {}) }
  return { ...link, leaf: id }
}

function partsOf(value: Fields, text: string, system: PiFormSystem): readonly TimelessEntry[] {
  const { type, message, summary, content, label } = value
  const { agent } = system
  if (type === 'message' && isJsonObject(message)) return piFormMessage(message, text, system)
  if (type === 'compaction' && typeof summary === 'string')
    return [{ from: agent, to: 'user', content: summary, entry_type: 'compaction' }]
  if (type === 'branch_summary' && typeof summary === 'string') {
    const metadata = { raw_type: type }
    const note = { from: agent, to: 'user', content: summary, entry_type: 'message' } as const
    return [{ ...note, role: 'system', metadata }]
  }
  if (type === 'label' && typeof label === 'string')
    return [{ from: 'user', to: agent, content: label, entry_type: 'label' }]
  if (type === 'custom_message') return piFormMessage({ role: 'custom', content }, text, system)
  return [unknownEntry(agent, typeof type === 'string' ? type : '', text)]
}
