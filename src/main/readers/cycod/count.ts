import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { CountedValue } from '../common/value-meaning'
import { isMistakenMeta } from './line'

/**
 * Counts the entries that `cycodLine` makes of a whole line; undefined for lines in the older shape, and odd ones,
 * which need `cycodLine`.
 */
export function countCycodLine(value: unknown): CountedValue | undefined {
  if (!isJsonObject(value) || isDeeperThan(value, deepestLine)) return undefined
  const { role } = value
  if (role === undefined && ('_meta' in value || isMistakenMeta(value))) return control
  if (typeof role !== 'string' || Array.isArray(value.contents)) return undefined
  const { content, tool_calls: calls } = value
  const words = hasWords(content)
  if (words === undefined) return undefined
  // Every member of the calls is a call, and text before or after them is one entry.
  const entries = (words ? 1 : 0) + (Array.isArray(calls) ? calls.length : 0)
  return { kind: 'entry', entries: Math.max(1, entries) }
}

const control: CountedValue = { kind: 'control', entries: 0 }

/** Undefined where that is not plain: an empty text that is no text alone may be a picture's. */
function hasWords(content: unknown): boolean | undefined {
  if (typeof content === 'string') return content !== ''
  if (!Array.isArray(content)) return false
  let found = false
  for (const part of content) {
    if (isJsonObject(part) && part.text === '') return undefined
    if (part !== '') found = true
  }
  return found
}
