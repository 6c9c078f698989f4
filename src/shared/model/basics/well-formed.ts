/** A half of a pair alone is no character: no UTF-8 has it, and Rust and .NET refuse a whole line for one. */
const loneSurrogate = /\p{Surrogate}/u
const loneSurrogates = /\p{Surrogate}/gu
/** Far quicker to look for, and in most texts there is none. */
const surrogate = /[\ud800-\udfff]/

/** Returns true where a text has no half of a surrogate pair alone. */
export function isWellFormed(text: string): boolean {
  return !surrogate.test(text) || !loneSurrogate.test(text)
}

/** Replaces halves of surrogate pairs by U+FFFD. `String.prototype.toWellFormed` is not in the older runtime. */
export function wellFormed(text: string): string {
  return surrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text
}

/**
 * Writes compact JSON without halves of surrogate pairs, also not as escapes: chibi (Rust) and cycod (.NET) take no
 * line that has one. Keys keep their order.
 */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON escapes lone surrogates alone so: without such an escape there is nothing to mend.
  return text.includes('\\ud') ? JSON.stringify(wellFormedValue(value)) : text
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [wellFormed(key), wellFormedValue(field)]),
  )
}
