/** Longest arguments that are parsed, in characters; longer ones are shown as they are. */
const parsedCharacters = 200_000

/** Reads a tool's arguments; undefined where they are no JSON object or list, as models also send, or very long. */
export function parsedArguments(content: string): object | undefined {
  if (content === '' || content.length > parsedCharacters) return undefined
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Lays out a tool's arguments for reading; undefined where they are shown as they came. */
export function prettyArguments(content: string): string | undefined {
  const value = parsedArguments(content)
  return value === undefined ? undefined : JSON.stringify(value, null, 2)
}
