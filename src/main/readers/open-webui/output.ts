import { isJsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, textIn } from '../common/drafts'
import type { WebuiPart } from './details'

/**
 * Converts the items of an answer (`output`, which newer versions keep beside its text) to its parts; undefined where one of them
 * is of another kind, so that the text alone counts.
 */
export function outputParts(output: unknown): readonly WebuiPart[] | undefined {
  if (!Array.isArray(output) || output.length === 0) return undefined
  const results = new Map<string, string>()
  for (const item of output)
    if (isJsonObject(item) && item.type === 'function_call_output')
      results.set(jsonText(item.call_id), textsIn(item.output))
  const parts: WebuiPart[] = []
  for (const item of output) {
    if (!isJsonObject(item)) return undefined
    switch (item.type) {
      case 'message':
        addText(parts, 'words', textsIn(item.content))
        break
      case 'reasoning':
        addText(parts, 'reasoning', textsIn(item.content) || textsIn(item.summary))
        break
      case 'function_call': {
        const id = textIn(item.call_id) ?? textIn(item.id)
        const result = results.get(id ?? '')
        const name = textIn(item.name) ?? 'tool'
        parts.push({ type: 'call', id, name, input: jsonText(item.arguments), result })
        break
      }
      case 'function_call_output':
        break
      default:
        return undefined
    }
  }
  return parts
}

function addText(parts: WebuiPart[], type: 'words' | 'reasoning', text: string): void {
  if (text.trim() !== '') parts.push({ type, text: text.trim() })
}

function textsIn(value: unknown): string {
  if (!Array.isArray(value)) return jsonText(value)
  return value
    .map((one: unknown) =>
      isJsonObject(one) && typeof one.text === 'string' ? one.text : jsonText(one),
    )
    .join('\n')
}
