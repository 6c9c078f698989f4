import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import { namelessTool } from '../common/tool-names'
import { grokFiles } from './words'

const queryStart = '<user_query>'
const queryEnd = '</user_query>'
const preamble = /^\s*<user_info>/

/** Converts a line of what a session's model was sent: its words have no times, and some of them nobody said. */
export function historyEntries(line: JsonObject): readonly TimelessEntry[] {
  const { content, files } = partsIn(line.content)
  switch (line.type) {
    case 'user': {
      const from = { from: 'user', to: 'grok-build', entry_type: 'message', role: 'user' } as const
      const reason = textIn(line.synthetic_reason) ?? (preamble.test(content) ? 'user_info' : '')
      if (reason === '') return [withFields({ ...from, content: queryIn(content) }, files)]
      const injected = { injected: true, raw_type: reason }
      return [withFields({ ...from, from: 'grok-build', content }, { ...injected, ...files })]
    }
    case 'assistant':
      return answer(line, content, files)
    case 'reasoning': {
      const text = [partsIn(line.summary).content, content].filter((one) => one !== '').join('\n')
      const from = { from: 'grok-build', to: 'user', entry_type: 'reasoning' }
      return text === '' ? [] : [withFields({ ...from, content: text }, files)]
    }
    case 'tool_result': {
      const id = textIn(line.tool_call_id)
      const named = id === undefined ? {} : { tool_call_id: id }
      const from = { from: namelessTool, to: 'grok-build', entry_type: 'tool_result' }
      return [withFields({ ...from, content, ...named }, files)]
    }
    case 'system':
      return []
    default:
      return [unknownEntry('grok-build', jsonText(line.type), JSON.stringify(line))]
  }
}

function answer(line: JsonObject, content: string, files: Fields): readonly TimelessEntry[] {
  const model = textIn(line.model_id)
  const metadata = model === undefined ? {} : { metadata: { model } }
  const calls: readonly unknown[] = Array.isArray(line.tool_calls) ? line.tool_calls : []
  const from = { from: 'grok-build', to: 'user', entry_type: 'message', role: 'agent' } as const
  const isWordless = content === '' && Object.keys(files).length === 0
  return [
    ...(isWordless && calls.length > 0
      ? []
      : [withFields({ ...from, content, ...metadata }, files)]),
    ...calls.map((call) => callEntry(call, metadata)),
  ]
}

/** A call has its name and arguments in itself, or in a member of its own, as those of other programs do. */
function callEntry(call: unknown, metadata: { readonly metadata?: Fields }): TimelessEntry {
  const own = isJsonObject(call) ? call : {}
  const { name, arguments: args } = isJsonObject(own.function) ? own.function : own
  const id = textIn(own.id) ?? textIn(own.call_id)
  const named = id === undefined ? {} : { tool_call_id: id }
  const to = textIn(name) ?? namelessTool
  const content = jsonText(args ?? (textIn(name) === undefined ? call : undefined))
  return { from: 'grok-build', to, content, entry_type: 'tool_call', ...named, ...metadata }
}

/** Splits what was sent into its texts and the rest. */
function partsIn(content: unknown): { readonly content: string; readonly files: Fields } {
  if (!Array.isArray(content) && !isJsonObject(content))
    return { content: jsonText(content), files: {} }
  const texts: string[] = []
  const others: unknown[] = []
  for (const part of [content].flat() as readonly unknown[]) {
    const text = isJsonObject(part) ? part.text : part
    if (typeof text === 'string') texts.push(text)
    else if (part !== null) others.push(part)
  }
  return { content: texts.join('\n'), files: grokFiles(others) }
}

/** Returns a person's words without the tags in which all of them are. */
function queryIn(content: string): string {
  const text = content.trim()
  const isTagged = text.startsWith(queryStart) && text.endsWith(queryEnd)
  const words = text.slice(queryStart.length, -queryEnd.length)
  return isTagged && !words.includes(queryEnd) ? words.trim() : content
}
