/**
 * Levels of nesting that a line of a history may have: far more than any has, and far fewer than break JSON.stringify.
 */
export const deepestLine = 500

/**
 * Returns true where a parsed value nests objects and lists deeper than `levels`. JSON.stringify fails at some
 * thousands.
 */
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
    const below: unknown = (value as Readonly<Record<string, unknown>>)[key] // any object can be read so
    if (typeof below === 'object' && below !== null && isDeeperThan(below, levels - 1)) return true
  }
  return false
}

/**
 * Parses the JSON of a file that is written again as a whole.
 *
 * @throws SyntaxError also where it is nested deeper than `deepestLine`: nobody could write it again
 */
export function parseShallow(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isDeeperThan(value, deepestLine))
    throw new SyntaxError(`nested more than ${deepestLine} levels deep`)
  return value
}
