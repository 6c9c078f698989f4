import { isJsonObject, type JsonObject } from '../../src/shared/model/basics/json-object'
import { isToolName, parsed } from './strict-values'

const bodyKeys = new Set([
  ...['model', 'input', 'tools', 'stream', 'store', 'include', 'reasoning', 'text'],
  ...['temperature', 'top_p', 'max_output_tokens', 'tool_choice', 'parallel_tool_calls'],
])
const itemKeys: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'phase'],
  function_call: ['type', 'call_id', 'name', 'arguments'],
  function_call_output: ['type', 'call_id', 'output'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content'],
}

/**
 * Lists what a strict server of the Responses API refuses in a request: written from OpenAI's description.
 *
 * No key that it does not know; nothing is stored; every call is answered once, before anybody speaks; user and assistant in
 * turn; reasoning is as it was given, and words or a call follow it.
 *
 * @param given the reasoning that the server gave so far, by its encrypted content: whose call or words it led to must come
 *   behind it
 */
export function responsesRules(
  body: unknown,
  given: ReadonlyMap<string, { readonly leadsTo?: string }> = new Map(),
): readonly string[] {
  if (!isJsonObject(body)) return ['the body is no object']
  const faults = Object.keys(body)
    .filter((key) => !bodyKeys.has(key))
    .map((key) => `Unknown parameter: '${key}'.`)
  if (typeof body.model !== 'string' || body.model === '') faults.push('no model')
  if (body.stream !== true) faults.push('no stream is asked for')
  if (body.store !== false) faults.push('it would be stored')
  const input = Array.isArray(body.input) ? body.input : []
  if (input.length === 0) faults.push('no input')
  faults.push(...toolFaults(body.tools))
  const ids = new Set<string>()
  const due = new Set<string>()
  let speaker: unknown
  let reasoned: string | undefined
  for (const [index, item] of input.entries()) {
    const fault = (words: string) => faults.push(`input[${index}]: ${words}`)
    const known = isJsonObject(item) ? itemKeys[String(item.type)] : undefined
    if (!isJsonObject(item) || known === undefined) {
      fault('is no item')
      continue
    }
    for (const key of Object.keys(item)) if (!known.includes(key)) fault(`unknown key '${key}'`)
    if (reasoned !== undefined && item.type !== 'reasoning') {
      const led = given.get(reasoned)?.leadsTo
      if (led !== undefined && led !== markOf(item)) fault(`does not follow from ${reasoned}`)
    }
    if (item.type === 'reasoning') {
      const encrypted = String(item.encrypted_content)
      if (!given.has(encrypted)) fault(`reasoning that nobody gave: ${encrypted}`)
      if (!Array.isArray(item.summary)) fault('a summary is a list')
      reasoned = encrypted
      continue
    }
    const led = [...given].find(([, { leadsTo }]) => leadsTo === markOf(item))
    const isResult = item.type === 'function_call_output'
    if (!isResult && led !== undefined && reasoned !== led[0])
      fault(`comes without its reasoning ${led[0]}`)
    reasoned = undefined
    if (item.type === 'message') {
      if (due.size > 0) fault(`comes before the results of ${[...due]}`)
      if (item.role === speaker) fault(`${String(speaker)} speaks twice in a row`)
      if (item.role === 'system' && index > 0) fault('a system message stands first')
      if (!['system', 'user', 'assistant'].includes(String(item.role))) fault('no such role')
      if (item.content === '' || (Array.isArray(item.content) && item.content.length === 0))
        fault('nothing is said')
      speaker = item.role
    } else if (item.type === 'function_call') {
      const id = String(item.call_id)
      if (id === '' || id.length > 64 || ids.has(id)) fault(`the call_id "${id}"`)
      ids.add(id)
      due.add(id)
      if (!isToolName(item.name)) fault(`the name "${item.name}"`)
      if (!isJsonObject(parsed(item.arguments))) fault(`the arguments ${String(item.arguments)}`)
      speaker = undefined
    } else {
      if (!due.delete(String(item.call_id))) fault('an output that no call waits for')
      if (typeof item.output !== 'string') fault('an output is a text')
      speaker = undefined
    }
  }
  if (reasoned !== undefined) faults.push('reasoning without its required following item')
  if (due.size > 0) faults.push(`No tool output found for function call ${[...due]}.`)
  const last: unknown = input.at(-1)
  if (isJsonObject(last) && last.role !== 'user' && last.type !== 'function_call_output')
    faults.push('the last word is neither a person’s nor a tool’s')
  return faults
}

/** A call by its id, words by themselves. */
function markOf({ call_id: id, content }: JsonObject): string {
  return String(id ?? content)
}

function toolFaults(tools: unknown): readonly string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools is a list with something in it']
  return tools.flatMap((tool: unknown) => {
    if (!isJsonObject(tool) || tool.type !== 'function') return ['a tool is a function']
    const { type: _, name, description, parameters, strict, ...others } = tool
    return [
      ...Object.keys(others).map((key) => `a tool with an unknown key '${key}'`),
      ...(isToolName(name) ? [] : [`a tool called "${String(name)}"`]),
      ...(typeof description === 'string' && isJsonObject(parameters)
        ? []
        : ['a tool without words']),
      ...(strict === false ? [] : ['a schema that is not strict, said to be']),
    ]
  })
}
