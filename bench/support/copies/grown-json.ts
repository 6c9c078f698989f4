/** Rules by which the values of a fixture become those of a copy. */
export interface Growth {
  /** The values that are ids inside of a conversation: other ones in each block. */
  readonly ids: ReadonlySet<string>
  /** Returns the id that stands for another one here. */
  readonly idOf: (id: string) => string
  /** The id that a value without a parent goes on from; undefined where it stays the first. */
  readonly goesOnFrom: string | undefined
  /** Returns a text to put behind another one. */
  readonly draw: () => string
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const isIdKey = /^(?:id|uuid|.*[a-z](?:Id|Uuid|_id|_uuid))$/
const isParentKey = /^parent(?:Uuid|Id|_id)?$/
const isTitleKey = /title|name|path|cwd|directory|url|model|version|summary|prompt|task/i
/** Words, and no JSON or tag, which a reader would parse. */
const isWords = /^[^{[<#][\s\S]*[a-z]{2,} [a-z]/i

/** Parses JSON; undefined where it is none. */
export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Collects the ids of a value, by the names of their fields. */
export function collectIds(value: Json | undefined, into: Set<string>, key = ''): void {
  if (typeof value === 'string') {
    if (isIdKey.test(key) && value !== '') into.add(value)
  } else if (Array.isArray(value)) for (const one of value) collectIds(one, into, key)
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) collectIds(one, into, name)
}

/** Returns the own id of a line, as the next one names it. */
export function ownIdOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { uuid, id } = value as Readonly<Record<string, Json>> // no list
  return [uuid, id].find((one) => typeof one === 'string')
}

/** Returns true where a value has words that grow. */
export function hasWords(value: Json | undefined, key = ''): boolean {
  if (typeof value === 'string') return isGrowing(value, key)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, one]) =>
    hasWords(one, Array.isArray(value) ? key : name),
  )
}

/** Returns a value with other ids, and with more text behind its words. */
export function grown(value: Json, growth: Growth, key = ''): Json {
  if (typeof value === 'string') {
    if (growth.ids.has(value)) return growth.idOf(value)
    return isGrowing(value, key) ? `${value} ${growth.draw()}` : value
  }
  if (value === null)
    return isParentKey.test(key) && growth.goesOnFrom !== undefined ? growth.goesOnFrom : null
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((one) => grown(one, growth, key))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      growth.ids.has(name) ? growth.idOf(name) : name,
      grown(one, growth, name),
    ]),
  )
}

function isGrowing(text: string, key: string): boolean {
  return isWords.test(text) && !isTitleKey.test(key)
}
