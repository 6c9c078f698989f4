/** The arguments of a call, read from the text that was streamed. */
export type CallArguments =
  | { readonly type: 'valid'; readonly value: Readonly<Record<string, unknown>> }
  /** The model gets `reason`. */
  | { readonly type: 'invalid'; readonly reason: string }

/**
 * Reads the arguments of a call. Blank text and null mean none; an object that is quoted as a string, as some models
 * send it, counts as the object.
 */
export function readArguments(text: string): CallArguments {
  if (text.trim() === '') return { type: 'valid', value: {} }
  const once = parsed(text)
  const value = typeof once === 'string' ? parsed(once) : once
  if (value === undefined)
    return { type: 'invalid', reason: 'the arguments are not valid JSON. Send one JSON object.' }
  if (value === null) return { type: 'valid', value: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { type: 'invalid', reason: 'the arguments are not a JSON object.' }
  // Objects that JSON.parse gives have string keys.
  return { type: 'valid', value: value as Record<string, unknown> }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // What JSON.parse gives is never undefined.
  }
}
