/** Where a rule is broken, and which: `contexts/garden/transcript/active.jsonl:3: the id is no UUID`. */
export interface Faults {
  /** @param line from 1; absent where the file as a whole is meant */
  add(file: string, line: number | undefined, words: string): void
  readonly all: readonly string[]
}

export function collectFaults(): Faults {
  const all: string[] = []
  return {
    add(file, line, words) {
      all.push(`${file}${line === undefined ? '' : `:${line}`}: ${words}`)
    },
    all,
  }
}

/** Tells strings that no UTF-8 holds: with half of a surrogate pair. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a key or a text anywhere in a JSON value holds half of a surrogate pair: chibi cannot read such a line. */
export function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return loneSurrogate.test(value)
  if (Array.isArray(value)) return value.some(hasLoneSurrogate)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, one]) => loneSurrogate.test(key) || hasLoneSurrogate(one),
  )
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A whole number from 0 up, exact. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The keys of an object that are known, where they do not stand in this order. */
export function misplacedKeys(value: JsonObject, order: readonly string[]): readonly string[] {
  const found = Object.keys(value).filter((key) => order.includes(key))
  const wanted = order.filter((key) => found.includes(key))
  return found.filter((key, index) => key !== wanted[index])
}
