/** What is looked at of a request's body; anything may stand in it. */
type Json = Readonly<Record<string, unknown>>

/**
 * What a strict OpenAI-compatible server refuses in a request: written from OpenAI's description of chat completions.
 *
 * Every call is answered once, right after the message that makes it, in any order; ids are unique in a conversation and
 * at most 40 characters; names are letters, digits, `_` and `-`, at most 64; arguments are a JSON object; nobody says
 * nothing; a system message stands first; the last word is a person's or a tool's.
 */
export function chatRules(body: unknown): readonly string[] {
  if (!isObject(body)) return ['the body is no object']
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
    if (!isObject(message)) {
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
  if (isObject(last) && last.role !== 'user' && last.role !== 'tool')
    faults.push('the last word is neither a person’s nor a tool’s')
  return faults
}

function assistantCalls(
  message: Json,
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
    const asked = isObject(call) && isObject(call.function) ? call.function : undefined
    if (!isObject(call) || call.type !== 'function' || asked === undefined) {
      fault('a call is a function')
      continue
    }
    const id = String(call.id)
    if (typeof call.id !== 'string' || id === '' || id.length > 40) fault(`the id "${id}"`)
    if (ids.has(id)) fault(`"${id}" stands there twice`)
    ids.add(id)
    due.add(id)
    if (!isName(asked.name)) fault(`the name "${String(asked.name)}"`)
    if (!isObject(parsed(asked.arguments))) fault(`the arguments ${String(asked.arguments)}`)
  }
  return due
}

function toolFaults(tools: unknown): readonly string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools is a list with something in it']
  const names = tools.map((tool: unknown) =>
    isObject(tool) && isObject(tool.function) ? tool.function.name : undefined,
  )
  return [
    ...names.filter((name) => !isName(name)).map((name) => `a tool called "${String(name)}"`),
    ...(new Set(names).size === names.length ? [] : ['two tools have one name']),
  ]
}

function speaks(content: unknown, fault: (words: string) => void): void {
  const parts = Array.isArray(content) ? content : undefined
  const says =
    parts === undefined ? typeof content === 'string' && content !== '' : parts.length > 0
  if (!says) fault('nothing is said')
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
