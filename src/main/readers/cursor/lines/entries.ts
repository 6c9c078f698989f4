import { type Fields, jsonText, type TimelessEntry, withFields } from '../../common/drafts'
import { splitWrapped } from './wrappers'

/** Makes the entries of a person's text: their own words, and what Cursor put beside them, marked as such. */
export function personEntries(text: string): readonly TimelessEntry[] {
  return splitWrapped(text).map(({ content, wrapper }) => {
    const entry = {
      from: 'user',
      to: 'cursor',
      content,
      entry_type: 'message',
      role: 'user',
    } as const
    return wrapper === undefined ? entry : withFields(entry, { injected: true })
  })
}

/** Makes the entry of a model's words. */
export function answerEntry(content: string): TimelessEntry {
  return { from: 'cursor', to: 'user', content, entry_type: 'message', role: 'agent' }
}

/** Makes the entry of a model's thoughts. */
export function thoughtEntry(content: string): TimelessEntry {
  return { from: 'cursor', to: 'user', content, entry_type: 'reasoning' }
}

/** Makes the entry of what the program says of itself: the prompt of the system, an error. */
export function cursorNotice(content: string, kind: string): TimelessEntry {
  return {
    from: 'cursor',
    to: 'user',
    content,
    entry_type: 'message',
    role: 'system',
    metadata: { raw_type: kind },
  }
}

/** Makes the entry of a tool's call. */
export function cursorCall(name: string, id: string | undefined, args: unknown): TimelessEntry {
  return {
    from: 'cursor',
    to: name,
    content: jsonText(args),
    entry_type: 'tool_call',
    ...(id === undefined ? {} : { tool_call_id: id }),
  }
}

/** Makes the entry of a tool's result. */
export function cursorResult(
  name: string,
  id: string | undefined,
  content: string,
  isError: boolean,
): TimelessEntry {
  return withFields(
    {
      from: name,
      to: 'cursor',
      content,
      entry_type: 'tool_result',
      ...(id === undefined ? {} : { tool_call_id: id }),
    },
    isError ? { is_error: true } : {},
  )
}

/** Puts metadata on the entry that it belongs to: a message of these if there is one, else the first. */
export function withBearer(
  entries: readonly TimelessEntry[],
  metadata: Fields,
): readonly TimelessEntry[] {
  if (Object.keys(metadata).length === 0) return entries
  const own = entries.findIndex(
    ({ entry_type: type, metadata: known }) => type === 'message' && known?.injected !== true,
  )
  const bearer = Math.max(own, 0)
  return entries.map((entry, at) => (at === bearer ? withFields(entry, metadata) : entry))
}
