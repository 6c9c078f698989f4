import { isJsonObject, type JsonObject } from '../../src/shared/model/basics/json-object'
import { isToolName, parsed } from './strict-values'

/**
 * What a strict OpenAI-compatible server refuses in a request: written from OpenAI's description of chat completions.
 *
 * Every call is answered once, right after the message that makes it, in any order; ids are unique in a conversation and
 * at most 40 characters; names are letters, digits, `_` and `-`, at most 64; arguments are a JSON object; nobody says
 * nothing; a system message stands first; the last word is a person's or a tool's.
 */
export function chatRules(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return ['the body is no object']
  const faults: string[] = []
  if (typeof body.model !== 'string' || body.model === '') faults.push('no model')
  if (body.stream !== true) faults.push('no stream is asked for')
  const messages = Array.isArray(body.messages) ? body.messages : []
  if (messages.length === 0) faults.push('no messages')
  faults.push(...toolFaults(body.tools))
  const ids = new Set<string>()
  let due = new Set<string>()
  let before: unknown
  for (const [index, message] of messages.entries()) {
    const fault = (words: string) => faults.push(`messages[${index}]: ${words}`)
    if (!isJsonObject(message)) {
      fault('is no object')
      continue
    }
    if (message.role !== 'tool' && due.size > 0) {
      fault(`comes before the results of ${[...due]}`)
      due = new Set()
    }
    if (message.role === before && before !== 'tool')
      fault(`${String(before)} speaks twice in a row`)
    before = message.role
    switch (message.role) {
      case 'system':
        if (index > 0) fault('a system message stands first')
        speaks(message.content, fault)
        break
      case 'user':
        speaks(message.content, fault)
        break
      case 'assistant':
        due = assistantCalls(message, ids, fault)
        break
      case 'tool':
        if (typeof message.content !== 'string') fault('a result is a text')
        if (!due.delete(String(message.tool_call_id))) fault('a result that no call waits for')
        break
      default:
        fault(`there is no role "${String(message.role)}"`)
    }
  }
  if (due.size > 0) faults.push(`no results of ${[...due]}`)
  const last: unknown = messages.at(-1)
  if (isJsonObject(last) && last.role !== 'user' && last.role !== 'tool')
    faults.push('the last word is neither a person’s nor a tool’s')
  return faults
}

function assistantCalls(
  message: JsonObject,
  ids: Set<string>,
  fault: (words: string) => void,
): Set<string> {
  const due = new Set<string>()
  const calls = message.tool_calls
  if (!('content' in message)) fault('has no content')
  if (calls === undefined || message.content !== null) speaks(message.content, fault)
  if (calls === undefined) return due
  if (!Array.isArray(calls) || calls.length === 0) {
    fault('tool_calls is a list with something in it')
    return due
  }
  for (const call of calls) {
    const asked = isJsonObject(call) && isJsonObject(call.function) ? call.function : undefined
    if (!isJsonObject(call) || call.type !== 'function' || asked === undefined) {
      fault('a call is a function')
      continue
    }
    const id = String(call.id)
    if (typeof call.id !== 'string' || id === '' || id.length > 40) fault(`the id "${id}"`)
    if (ids.has(id)) fault(`"${id}" stands there twice`)
    ids.add(id)
    due.add(id)
    if (!isToolName(asked.name)) fault(`the name "${String(asked.name)}"`)
    if (!isJsonObject(parsed(asked.arguments))) fault(`the arguments ${String(asked.arguments)}`)
  }
  return due
}

function toolFaults(tools: unknown): readonly string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools is a list with something in it']
  const names = tools.map((tool: unknown) =>
    isJsonObject(tool) && isJsonObject(tool.function) ? tool.function.name : undefined,
  )
  return [
    ...names.filter((name) => !isToolName(name)).map((name) => `a tool called "${String(name)}"`),
    ...(new Set(names).size === names.length ? [] : ['two tools have one name']),
  ]
}

function speaks(content: unknown, fault: (words: string) => void): void {
  const parts = Array.isArray(content) ? content : undefined
  const says =
    parts === undefined ? typeof content === 'string' && content !== '' : parts.length > 0
  if (!says) fault('nothing is said')
}
