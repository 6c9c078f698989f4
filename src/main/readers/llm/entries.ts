import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../shared/model/run/usage'
import { providerUsage } from '../common/content/provider-usage'
import { type Fields, jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'

/** Makes the entry of words: a person's, the model's, or the system's. */
export function wordsEntry(role: 'user' | 'agent' | 'system', content: string): TimelessEntry {
  if (role === 'agent') return { from: 'llm', to: 'user', entry_type: 'message', role, content }
  return { from: role, to: 'llm', entry_type: 'message', role, content }
}

/** Makes the entry of a fragment: a text that was sent along with somebody's own words. */
export function fragmentEntry(role: 'user' | 'system', fragment: unknown): TimelessEntry {
  const { content, source, hash } = isJsonObject(fragment) ? fragment : {}
  const name = textIn(source) ?? textIn(hash) ?? 'fragment'
  const entry = wordsEntry(role, jsonText(content))
  return withFields(entry, { injected: true, raw_type: 'fragment', raw_fields: { source: name } })
}

/** Makes the entry of a model's thoughts. */
export function logThoughtEntry(content: string): TimelessEntry {
  return { from: 'llm', to: 'user', entry_type: 'reasoning', content }
}

/** Makes the entry of a call of a tool. */
export function logCallEntry({ name, arguments: input, tool_call_id }: JsonObject): TimelessEntry {
  return {
    from: 'llm',
    to: textIn(name) ?? 'tool',
    entry_type: 'tool_call',
    content: jsonText(input ?? {}),
    ...callId(tool_call_id),
  }
}

/** Makes the entry of what a tool gave. */
export function logResultEntry({
  name,
  output,
  tool_call_id,
  exception,
}: JsonObject): TimelessEntry {
  const entry: TimelessEntry = {
    from: textIn(name) ?? 'tool',
    to: 'llm',
    entry_type: 'tool_result',
    content: jsonText(output),
    ...callId(tool_call_id),
  }
  return textIn(exception) === undefined ? entry : withFields(entry, { is_error: true })
}

function callId(id: unknown): { readonly tool_call_id?: string } {
  const known = textIn(id)
  return known === undefined ? {} : { tool_call_id: known }
}

/** Returns what came with words: files by their names, and places. */
export function filesWith(files: unknown): Fields {
  const attachments = (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    if (!isJsonObject(file)) return []
    const { id, type, path, url } = file
    const place = textIn(path) ?? textIn(url)
    const name = place?.split(/[\\/]/).at(-1) || textIn(id) || 'file'
    return [
      {
        filename: name,
        ...(textIn(type) === undefined ? {} : { mime_type: type }),
        ...(place === undefined ? {} : { url: place }),
      },
    ]
  })
  return attachments.length === 0 ? {} : { attachments }
}

/** Returns what is known of how an answer was made, for the first of its entries: options, and the form that was asked for. */
export function answerFields({ options_json: options, schema_id: schema }: JsonObject): Fields {
  const raw = {
    ...(isJsonObject(options) && Object.keys(options).length > 0 ? { options } : {}),
    ...(textIn(schema) === undefined ? {} : { schema }),
  }
  return Object.keys(raw).length === 0 ? {} : { raw_fields: raw }
}

/** Returns the model of an answer: the one that the name stood for, where that is told. */
export function modelOfRow({ model, resolved_model: resolved }: JsonObject): Fields {
  const name = textIn(resolved) ?? textIn(model)
  return name === undefined ? {} : { model: name }
}

/** Returns an answer's tokens: its own columns, and the details that its provider told. */
export function usageOfRow(row: JsonObject): AnswerUsage | undefined {
  const { input_tokens, output_tokens, token_details: details } = row
  return providerUsage({ ...(isJsonObject(details) ? details : {}), input_tokens, output_tokens })
}

/** Puts fields on the first words of a model, else on its first entry. */
export function withAnswerFields(
  entries: readonly TimelessEntry[],
  fields: Fields,
): readonly TimelessEntry[] {
  const words = entries.findIndex(({ role }) => role === 'agent')
  const own = entries.findIndex(({ from }) => from === 'llm')
  const bearer = words === -1 ? own : words
  return entries.map((entry, at) => (at === bearer ? withFields(entry, fields) : entry))
}
