import { z } from 'zod'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import { EntryDraft } from '../../../shared/model/conversation/entry'
import type { ExportedPlace } from '../../../shared/model/skein-export'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, ValueMeaning } from '../common/value-meaning'

/** A line of an entry: what is checked of it. Everything else is taken as it stands. */
const ExportedEntry = EntryDraft.extend({
  id: z.string().min(1),
  parent: z.string().nullable().optional(),
  file: z.string(),
  line: z.int().optional(),
  offset: z.int(),
  length: z.int(),
  inherited: z.literal(true).optional(),
  label: z.unknown().optional(),
})

/** Members that an entry gets where it is read: its place there, and what Skein knows of it by then. */
const placed: ReadonlySet<string> = new Set([
  ...['id', 'file', 'line', 'offset', 'length', 'parent', 'inherited', 'label', 'wholeLength'],
])

/** Converts a line of an export to its meaning. */
export function skeinLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // What a tool gave may itself look like an entry.
  if (position === 'inside-torn') return 'a part of a torn entry'
  if ('skeinExport' in record) return { type: 'control' }
  if ('skeinExportEnd' in record) {
    const { leaf } = record
    return { type: 'control', ...(typeof leaf === 'string' ? { link: { leaf } } : {}) }
  }
  const { data } = ExportedEntry.safeParse(record)
  if (data === undefined) return 'not an entry of an export'
  const link = { id: data.id, ...(data.parent === undefined ? {} : { parent: data.parent }) }
  return { type: 'entries', entries: [namelessEntry(record, data)], link }
}

/** In the order of the line's members, so that the same line can be written again. */
function namelessEntry(record: JsonObject, data: z.infer<typeof ExportedEntry>): NamelessEntry {
  const names = Object.keys(record)
  const { file, line, offset, length, inherited, metadata } = data
  const behind = names.slice(names.indexOf('length') + 1).filter((name) => name !== 'label')
  const place: ExportedPlace = {
    file,
    ...(line === undefined ? {} : { line }),
    offset,
    length,
    ...(inherited === undefined ? {} : { inherited }),
    ...(metadata === undefined ? { isBare: true } : {}),
    ...(behind.length > 0 && behind.join() !== 'parent' ? { behind } : {}),
    ...(metadata !== undefined && 'exported' in metadata ? { exported: metadata.exported } : {}),
  }
  const own = Object.fromEntries(Object.entries(record).filter(([name]) => !placed.has(name)))
  return { ...(own as unknown as NamelessEntry), metadata: { ...metadata, exported: place } }
}
