/** Where a JSON value ends, or why it does not. */
export type ValueEnd =
  | { readonly type: 'value'; readonly end: number }
  | { readonly type: 'fault'; readonly fault: JsonFault; readonly at: number }

export type JsonFault = 'ends-in-string' | 'ends' | 'unexpected'

const blank = /[ \t\r\n]*/y
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/**
 * Finds the end of the JSON value that begins at `from`, without building it. Stops at the first character that no
 * value can have there, so that torn text is told from a value early. Any depth: it keeps its own stack.
 */
export function endOfValue(text: string, from: number): ValueEnd {
  const open: string[] = []
  let at = skip(text, from)
  for (;;) {
    // A value is due at `at`.
    const first = text[at]
    if (first === '{' || first === '[') {
      const inside = skip(text, at + 1)
      const close = first === '{' ? '}' : ']'
      if (text[inside] !== close) {
        open.push(close)
        const next = close === '}' ? afterKey(text, inside) : inside
        if (typeof next !== 'number') return next
        at = next
        continue
      }
      at = inside + 1
    } else {
      const end = first === '"' ? endOfString(text, at) : endOf(literal, text, at)
      if (end === undefined) return faultAt(text, at)
      at = end
    }
    // A value has ended at `at`: close what closes, then go to the next member.
    for (;;) {
      if (open.length === 0) return { type: 'value', end: at }
      at = skip(text, at)
      if (text[at] !== open[open.length - 1]) break
      open.pop()
      at += 1
    }
    if (text[at] !== ',') return faultAt(text, at)
    at = skip(text, at + 1)
    const next = open[open.length - 1] === '}' ? afterKey(text, at) : at
    if (typeof next !== 'number') return next
    at = next
  }
}

/** Levels of a line of a history: far more than any has, and far less than what breaks JSON.stringify. */
export const deepestLine = 500

/** Whether a parsed value has more than so many levels of objects and lists: JSON.stringify fails at some thousands. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    if (levels === 0) return value.length > 0
    for (const one of value) if (isDeeperThan(one, levels - 1)) return true
    return false
  }
  // Not by Object.values: millions of lines go through here, and most have no level below.
  for (const key in value) {
    if (levels === 0) return true
    const below: unknown = (value as Readonly<Record<string, unknown>>)[key] // any object can be looked at so
    if (typeof below === 'object' && below !== null && isDeeperThan(below, levels - 1)) return true
  }
  return false
}

function afterKey(text: string, at: number): number | ValueEnd {
  const end = text[at] === '"' ? endOfString(text, at) : undefined
  if (end === undefined) return faultAt(text, at)
  const colon = skip(text, end)
  return text[colon] === ':' ? skip(text, colon + 1) : faultAt(text, colon)
}

function faultAt(text: string, at: number): ValueEnd {
  if (at >= text.length) return { type: 'fault', fault: 'ends', at }
  const inString = text[at] === '"' && !hasClosingQuote(text, at)
  return { type: 'fault', fault: inString ? 'ends-in-string' : 'unexpected', at }
}

/** Escapes are not checked: whoever builds the value does that. By hand, since a string may be megabytes long. */
function endOfString(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22) return i + 1
    if (unit < 0x20) return undefined
    if (unit === 0x5c) i += 1
  }
  return undefined
}

function hasClosingQuote(text: string, at: number): boolean {
  for (let i = text.indexOf('"', at + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0
    while (text[i - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return true
  }
  return false
}

function skip(text: string, at: number): number {
  return endOf(blank, text, at) ?? at
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
