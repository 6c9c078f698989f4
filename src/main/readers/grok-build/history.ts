import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, unknownEntry } from '../common/drafts'
import { namelessTool } from '../common/tool-names'

const queryStart = '<user_query>'
const queryEnd = '</user_query>'
const preamble = /^\s*<user_info>/

/** Converts a line of what a session's model was sent: its words have no times, and some of them nobody said. */
export function historyEntries(line: JsonObject): readonly TimelessEntry[] {
  const content = textsIn(line.content)
  switch (line.type) {
    case 'user': {
      const from = { from: 'user', to: 'grok-build', entry_type: 'message', role: 'user' } as const
      const reason = textIn(line.synthetic_reason) ?? (preamble.test(content) ? 'user_info' : '')
      if (reason === '') return [{ ...from, content: queryIn(content) }]
      return [
        { ...from, from: 'grok-build', content, metadata: { injected: true, raw_type: reason } },
      ]
    }
    case 'assistant':
      return answer(line, content)
    case 'reasoning': {
      const text = textsIn(line.summary)
      const from = { from: 'grok-build', to: 'user', entry_type: 'reasoning' }
      return text === '' ? [] : [{ ...from, content: text }]
    }
    case 'tool_result': {
      const id = textIn(line.tool_call_id)
      const named = id === undefined ? {} : { tool_call_id: id }
      const from = { from: namelessTool, to: 'grok-build', entry_type: 'tool_result' }
      return [{ ...from, content: content === '' ? jsonText(line.content) : content, ...named }]
    }
    case 'system':
      return []
    default:
      return [unknownEntry('grok-build', jsonText(line.type), JSON.stringify(line))]
  }
}

function answer(line: JsonObject, content: string): readonly TimelessEntry[] {
  const model = textIn(line.model_id)
  const metadata = model === undefined ? {} : { metadata: { model } }
  const calls: readonly unknown[] = Array.isArray(line.tool_calls) ? line.tool_calls : []
  const from = { from: 'grok-build', to: 'user', entry_type: 'message', role: 'agent' } as const
  return [
    ...(content === '' && calls.length > 0 ? [] : [{ ...from, content, ...metadata }]),
    ...calls.map((call): TimelessEntry => {
      const { id, name, arguments: args } = isJsonObject(call) ? call : {}
      const named = textIn(id) === undefined ? {} : { tool_call_id: jsonText(id) }
      const to = textIn(name) ?? namelessTool
      const made = { from: 'grok-build', to, content: jsonText(args), entry_type: 'tool_call' }
      return { ...made, ...named, ...metadata }
    }),
  ]
}

function textsIn(content: unknown): string {
  if (!Array.isArray(content)) return jsonText(content)
  return content
    .flatMap((part: unknown) =>
      isJsonObject(part) ? (textIn(part.text) ?? []) : (textIn(part) ?? []),
    )
    .join('\n')
}

/** Returns a person's words without the tags in which all of them are. */
function queryIn(content: string): string {
  const text = content.trim()
  const isTagged = text.startsWith(queryStart) && text.endsWith(queryEnd)
  const words = text.slice(queryStart.length, -queryEnd.length)
  return isTagged && !words.includes(queryEnd) ? words.trim() : content
}
