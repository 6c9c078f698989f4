import { type EntryDraft, speakerOf } from '../../shared/model/entry'
import type { SearchableEntry } from '../../shared/model/search'

type Fields = Pick<
  EntryDraft,
  'id' | 'timestamp' | 'from' | 'to' | 'content' | 'entry_type' | 'role' | 'tool_call_id'
>

/** What of an entry can be found, with what fields of a query ask about it. */
export function searchableEntry(entry: Fields): SearchableEntry {
  const { entry_type: type, content } = entry
  const isCall = type === 'tool_call' || type === 'flow_control_call'
  const isResult = type === 'tool_result' || type === 'flow_control_result'
  const role = entry.role ?? speakerOf(entry)
  return {
    entryId: entry.id,
    timestamp: entry.timestamp,
    field: isCall ? 'arguments' : isResult ? 'result' : 'content',
    text: isCall ? decodeArguments(content) : content,
    type,
    ...(role === undefined ? {} : { role }),
    ...(isCall ? { tool: entry.to } : isResult ? { tool: entry.from } : {}),
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The JSON text of tool arguments with its escapes undone, its punctuation left: `C:\x` and `"path":` are both found, and
 * text that is no whole JSON, as models write it, needs no other way.
 */
function decodeArguments(json: string): string {
  if (!json.includes('\\')) return json
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, hex: string, char: string) =>
    hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
