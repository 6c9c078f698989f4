/** Tells whether a value is a name as OpenAI takes it for tools. */
export function isToolName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
}

/** Parses a text as JSON; undefined where it is none. */
export function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
