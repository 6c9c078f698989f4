/** The parts of a message on which its place among others depends. */
interface Placed {
  readonly role: string
  readonly tool_call_id?: string | undefined
  readonly tool_calls?:
    | readonly {
        readonly id: string
        readonly function: { readonly name: string; readonly arguments: string }
      }[]
    | undefined
}

/**
 * Finds a fault in the order of messages and calls that the strictest of the real providers would refuse, in words
 * like theirs; undefined where there is none.
 */
export function sequenceFault(messages: readonly Placed[]): string | undefined {
  const seen = new Set<string>()
  let open = new Set<string>()
  for (const [index, { role, tool_calls: calls, tool_call_id: id = '' }] of messages.entries()) {
    const at = `messages[${index}]`
    if (role === 'tool') {
      if (!open.delete(id))
        return `${at}: a message with role 'tool' must follow the call "${id}", once.`
      continue
    }
    if (open.size > 0)
      return `${at}: 'tool_calls' must be followed by tool messages; these have none: ${[...open].join(', ')}.`
    if (calls === undefined) continue
    if (calls.length === 0) return `${at}.tool_calls: must not be empty.`
    for (const call of calls) {
      if (seen.has(call.id)) return `${at}.tool_calls: the id "${call.id}" appears twice.`
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name))
        return `${at}.tool_calls: "${call.function.name}" is not a function name.`
      if (!isObject(call.function.arguments))
        return `${at}.tool_calls: the arguments of "${call.id}" are not a JSON object.`
      seen.add(call.id)
    }
    open = new Set(calls.map((call) => call.id))
  }
  return open.size === 0
    ? undefined
    : `'tool_calls' must be followed by tool messages; these have none: ${[...open].join(', ')}.`
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false // No JSON is no object either.
  }
}
