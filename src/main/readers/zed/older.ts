import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, unknownEntry, withFields } from '../common/drafts'
import { zedAnswerEntry, zedCallEntry, zedResultEntry, zedThoughtEntry } from './content'

/** Converts a message of a thread of version 0.2.0 or older to entries: segments, then calls, then results. */
export function olderEntries(
  message: JsonObject,
  model: string | undefined,
): readonly TimelessEntry[] {
  const { role, text, context } = message
  const isAnswer = role === 'assistant'
  const named = isAnswer && model !== undefined ? { model } : {}
  const segments = listIn(message.segments)
  const said =
    segments.length > 0 || textIn(text) === undefined ? segments : [{ type: 'text', text }]
  const entries = said.flatMap((segment): readonly TimelessEntry[] => {
    const { type, text: words } = segment
    if (type === 'thinking') return [withFields(zedThoughtEntry(jsonText(words)), named)]
    if (type === 'RedactedThinking')
      return [withFields(zedThoughtEntry(''), { ...named, raw_type: type })]
    if (type !== 'text')
      return [unknownEntry('zed', textIn(type) ?? 'segment', JSON.stringify(segment))]
    return jsonText(words) === '' ? [] : [spoken(role, jsonText(words), named, message.is_hidden)]
  })
  // What Zed read for the model, at the person's wish.
  const given = textIn(context)
  return [
    ...(given === undefined ? [] : [spoken(role, given, {}, true)]),
    ...entries,
    ...listIn(message.tool_uses).map((use) => withFields(zedCallEntry(use), named)),
    ...listIn(message.tool_results).map((result) => zedResultEntry(result)),
  ]
}

function spoken(
  role: unknown,
  content: string,
  named: { readonly model?: string },
  isHidden: unknown,
): TimelessEntry {
  if (role === 'assistant') return withFields(zedAnswerEntry(content), named)
  if (role !== 'user' && role !== 'system') return unknownEntry('zed', jsonText(role), content)
  return withFields(
    { from: role, to: 'zed', content, entry_type: 'message', role },
    isHidden === true ? { injected: true } : {},
  )
}

function listIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
