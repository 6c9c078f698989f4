import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type Fields, timeIn } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { wordlessTypes } from './known'
import { type PiPart, partsOfMessage } from './message'

/** Converts one line, by itself: a record with its parent. The last record is where the session is now. */
export function piLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
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
  const entries = partsOf(record, text).map((part): NamelessEntry => ({ timestamp: time, ...part }))
  return { type: 'entries', entries, ...linked }
}

/** The oldest version has no ids. */
function linkOf({ type, id, parentId }: Fields): RecordLink | undefined {
  if (type === 'session' || typeof id !== 'string' || id === '') return undefined
  return { id, parent: typeof parentId === 'string' ? parentId : null, leaf: id }
}

function partsOf(value: Fields, text: string): readonly PiPart[] {
  const { type, message, summary, content, label } = value
  if (type === 'message' && isJsonObject(message)) return partsOfMessage(message, text)
  if (type === 'compaction' && typeof summary === 'string')
    return [{ from: 'pi', to: 'user', content: summary, entry_type: 'compaction' }]
  if (type === 'branch_summary' && typeof summary === 'string') return [noteOf(summary, type)]
  if (type === 'label' && typeof label === 'string')
    return [{ from: 'user', to: 'pi', content: label, entry_type: 'label' }]
  if (type === 'custom_message') return partsOfMessage({ role: 'custom', content }, text)
  return [unknownOf(text, type)]
}

function noteOf(content: string, rawType: string): PiPart {
  return {
    from: 'pi',
    to: 'user',
    content,
    entry_type: 'message',
    role: 'system',
    metadata: { raw_type: rawType },
  }
}

function unknownOf(text: string, type: unknown): PiPart {
  return {
    from: 'pi',
    to: 'user',
    content: text.trim(),
    entry_type: 'unknown',
    metadata: { raw_type: typeof type === 'string' ? type : '' },
  }
}
