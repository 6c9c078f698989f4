import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Sliced } from '../../disk/pacing/slices'

/** No title, label or context takes more. In UTF-16 units. */
const longestItem = 64 * 1024
/** More than a home has. */
const mostItems = 200_000
/** So much is read between two steps. In UTF-16 units. */
const sliceLength = 64 * 1024

/**
 * Finds the objects that are whole in a broken JSON text, from left to right: those that `accept` takes. An object around an
 * accepted one is none that is whole, else the text would not be broken. Reads 16 times the text's length at most: braces that
 * nobody closes, one in the other, would cost the square of it.
 */
export function* wholeItems(
  text: string,
  accept: (item: JsonObject) => boolean,
): Sliced<readonly JsonObject[]> {
  const items: JsonObject[] = []
  let left = 16 * text.length + longestItem
  let since = 0
  for (let at = text.indexOf('{'); at >= 0 && items.length < mostItems && left > 0; ) {
    const { end, reached } = endOfObject(text, at)
    left -= reached - at
    since += reached - at
    const item = end === undefined ? undefined : objectIn(text.slice(at, end))
    const isTaken = item !== undefined && accept(item)
    if (isTaken) items.push(item)
    at = text.indexOf('{', isTaken && end !== undefined ? end : at + 1)
    if (since < sliceLength) continue
    yield since
    since = 0
  }
  return items
}

/** `end` is behind the brace that closes the one at `from`; undefined where none does, or a string is torn. */
function endOfObject(
  text: string,
  from: number,
): { readonly end: number | undefined; readonly reached: number } {
  let depth = 0
  let isInString = false
  let at = from
  for (; at < text.length && at - from < longestItem; at++) {
    const unit = text[at]
    if (isInString) {
      if (unit === '\\') at += 1
      else if (unit === '"') isInString = false
      // No text in JSON holds a line feed: the string was torn before it.
      else if (unit === '\n') break
    } else if (unit === '"') isInString = true
    else if (unit === '{') depth += 1
    else if (unit === '}') {
      depth -= 1
      if (depth === 0) return { end: at + 1, reached: at + 1 }
    }
  }
  return { end: undefined, reached: at }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // Braces that match, around what is no JSON: the next brace is tried.
  }
}

/** Finds the texts in a list of texts by this key in a broken JSON text, up to the first thing that is none. */
export function wholeTexts(text: string, key: string): readonly string[] {
  const begin = new RegExp(`"${key}"\\s*:\\s*\\[`).exec(text)
  if (begin === null) return []
  const texts: string[] = []
  const next = /\s*("(?:[^"\\\n]|\\.)*")\s*(?:,|\])/y
  next.lastIndex = begin.index + begin[0].length
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [, quoted = ''] = found
    try {
      texts.push(String(JSON.parse(quoted)))
    } catch {
      break
    }
    if (found[0].endsWith(']')) break
  }
  return texts
}
