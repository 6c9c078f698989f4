import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import { hashedUuid } from '../parts/derived-id'
import { isRecord } from '../parts/entry-kind'

/**
 * Returns a function that gives calls and results their ids. Early chibi has none: there a call gets one, and a result
 * that of the oldest call of its tool that still waits, else of any that waits. Of cycod nothing is added.
 */
export function callIds(
  source: string,
  key: string,
): (entry: Entry, isCall: boolean) => string | undefined {
  const waiting: { readonly tool: string; readonly id: string }[] = []
  let count = 0
  return (entry, isCall) => {
    if (entry.tool_call_id !== undefined || source === 'cycod') return entry.tool_call_id
    if (!isCall) {
      const ofTool = waiting.findIndex(({ tool }) => tool === entry.from)
      const [answered] = waiting.splice(Math.max(0, ofTool), 1)
      if (answered !== undefined) return answered.id
    }
    const id = `call_${hashedUuid(source, key, entry.id, String(count++)).replace(/-/g, '')}`
    if (isCall) waiting.push({ tool: entry.to, id })
    return id
  }
}

/** Makes a member of `tool_calls`. A call of cycod's that OpenAI's shape does not have is written as cycod had it. */
export function toolCall(entry: Entry, id: string | undefined, source: string): unknown {
  const { to, content, metadata = {} } = entry
  if (source === 'cycod' && typeof metadata.raw_type === 'string') return unknownCall(content)
  return {
    ...(id === undefined ? {} : { id }),
    function: { name: to, arguments: content },
    type: 'function',
  }
}

/** cycod's reader keeps a call of a kind that it does not know as it was: it is written so where it reads so again. */
function unknownCall(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content)
    const isKnown = isRecord(value) && isRecord(value.function)
    const isSame = typeof value === 'object' && wellFormedJson(value) === content
    return isSame && value !== null && !isKnown ? value : content
  } catch {
    return content
  }
}
