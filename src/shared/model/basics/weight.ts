/**
 * Most characters of a request that the app window shows: about two million tokens. More takes longer to copy than a
 * person should wait.
 */
export const mostShownCharacters = 8_000_000

/** A source line is shown up to this size; the rest is cut. In bytes. */
export const rawLineBytes = 1 << 20

/** An object, a list, a number or a name takes about as long as so many characters. */
export const weightOfValue = 16

/** Estimates how much there is to copy of a value, in characters; reads hardly more of it than `most`. */
export function weightOf(whole: unknown, most: number): number {
  let weight = 0
  const due: unknown[] = [whole]
  while (due.length > 0 && weight <= most) {
    const value = due.pop()
    weight += typeof value === 'string' ? value.length : weightOfValue
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value) && value.length * weightOfValue > most) return most + 1
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      if (typeof key === 'string') weight += key.length
      due.push((value as Readonly<Record<string | number, unknown>>)[key]) // any object can be looked at so
    }
    if (weight + due.length * weightOfValue > most) return most + 1
  }
  return weight
}
