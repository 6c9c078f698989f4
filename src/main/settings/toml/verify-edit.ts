import { parse, TomlError } from 'smol-toml'
import { tomlValueAt } from './toml'

/** Returns true where an edit changed that value and no other. Tables that it leaves empty do not count. */
export function isIntendedEdit(
  before: string,
  after: string,
  path: readonly string[],
  literal: string | undefined,
): boolean {
  try {
    const value =
      literal === undefined
        ? undefined
        : parse(`value = ${literal}`, { integersAsBigInt: true }).value
    const wanted = withValue(parse(before, { integersAsBigInt: true }), path, value)
    const found = parse(after, { integersAsBigInt: true })
    return isSameToml(wanted, value === undefined ? withValue(found, path, undefined) : found)
  } catch (error) {
    if (error instanceof TomlError) return false
    throw error
  }
}

type Table = Readonly<Record<string, unknown>>

function withValue(table: Table, path: readonly string[], value: unknown): Table {
  const [key, ...rest] = path
  if (key === undefined) return table
  const others = Object.entries(table).filter(([name]) => name !== key)
  const old = tomlValueAt(table, [key])
  const below = typeof old === 'object' && old !== null ? (old as Table) : {} // A table: it is read by key.
  const next = rest.length === 0 ? value : withValue(below, rest, value)
  const isGone =
    next === undefined ||
    (value === undefined && typeof next === 'object' && next !== null && isEmpty(next))
  const entries = isGone ? others : [...others, [key, next] as const]
  return Object.assign(Object.create(null), Object.fromEntries(entries))
}

function isEmpty(table: object): boolean {
  return Object.keys(table).length === 0
}

/** Returns true where two parsed values are the same: numbers by kind and value, dates by their text. */
function isSameToml(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null)
    return Object.is(a, b)
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && JSON.stringify(a) === JSON.stringify(b)
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, at) => isSameToml(each, b[at]))
    )
  const ofB = new Map(Object.entries(b))
  const ofA = Object.entries(a)
  return (
    ofA.length === ofB.size &&
    ofA.every(([key, value]) => ofB.has(key) && isSameToml(value, ofB.get(key)))
  )
}
