import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { textIn } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { isLostValue } from '../common/rows/value-lines'
import type { NamelessEntry } from '../common/value-meaning'
import { logHead } from './head'
import { logMessageEntries } from './message'
import { logResponseEntries } from './response'

/** Converts one line of a conversation's record file (`log-lines`). Uses nothing but this line. */
export function logLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  if (position !== 'line') return 'a part of a row'
  const { record, data } = line
  if (record === 'conversation') return { type: 'control', head: logHead(line) }
  if (!isJsonObject(data)) return 'not a row of a conversation'
  if (isLostValue(data)) return 'on a damaged page of the database'
  if (line.isToldElsewhere === true) return { type: 'control' }
  const isMessage = record === 'message'
  const parent = textIn(isMessage ? line.parent : line.previous) ?? null
  const id = textIn(line.id)
  const link = id === undefined ? {} : { link: { id, parent } }
  const entries: readonly NamelessEntry[] = isMessage
    ? logMessageEntries(data)
    : logResponseEntries(data)
  const [first, ...further] = entries
  if (first === undefined) return { type: 'control', ...link }
  return { type: 'entries', entries: [first, ...further], ...link }
}
