import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type TimelessEntry, textIn, unknownEntry, withFields } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { personEntry, variantOf, zedAnswerEntries, zedResultEntry } from './content'
import { zedHead } from './head'
import { olderEntries } from './older'

/** Converts a line of a thread's record file (`compose-thread`) to its meaning. */
export function zedLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  // Whole messages of a thread that ends early have lines of their own.
  if (position !== 'line') return 'a part of a message'
  if (line.record === 'thread')
    return isJsonObject(line.row)
      ? { type: 'control', head: zedHead(line.row) }
      : { type: 'control' }
  if (line.record !== 'message') return 'not a line of a thread'
  const link = { id: textIn(line.id) ?? '', parent: textIn(line.previous) ?? null }
  const drafts = withUsage(entriesOf(line.data, textIn(line.model)), line.usage)
  const entries = drafts.map((entry) => ({ timestamp: null, ...entry }))
  return entries.length === 0 ? { type: 'control', link } : { type: 'entries', entries, link }
}

function entriesOf(message: unknown, model: string | undefined): readonly TimelessEntry[] {
  if (isJsonObject(message) && message.role !== undefined) return olderEntries(message, model)
  const [kind, value] = variantOf(message)
  const fields = isJsonObject(value) ? value : {}
  if (kind === 'User') return [personEntry(fields.content)]
  if (kind === 'Agent') return [...zedAnswerEntries(fields.content, model), ...resultsIn(fields)]
  // A person let an answer go on that had stopped.
  if (kind === 'Resume')
    return [
      {
        from: 'user',
        to: 'zed',
        content: kind,
        entry_type: 'message',
        role: 'user',
        metadata: { injected: true, raw_type: kind },
      },
    ]
  return [unknownEntry('zed', kind ?? 'message', JSON.stringify(message ?? null))]
}

function resultsIn({ tool_results: results }: JsonObject): readonly TimelessEntry[] {
  if (!isJsonObject(results)) return []
  return Object.entries(results).map(([id, result]) =>
    isJsonObject(result)
      ? zedResultEntry(result, textIn(result.tool_use_id) ?? id)
      : unknownEntry('zed', 'tool_results', JSON.stringify(result ?? null)),
  )
}

/** On the first words, else the first call, else the first entry. What came from the provider's cache is beside `input_tokens`. */
function withUsage(entries: readonly TimelessEntry[], usage: unknown): readonly TimelessEntry[] {
  if (!isJsonObject(usage) || Object.values(usage).every((count) => count === 0)) return entries
  const words = entries.findIndex(({ role }) => role === 'agent')
  const call = entries.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words === -1 ? Math.max(call, 0) : words
  return entries.map((entry, at) => (at === bearer ? withFields(entry, { usage }) : entry))
}
