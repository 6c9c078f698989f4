import type { JsonObject } from '../../../shared/model/basics/json-object'
import { objectOf } from './json-fields'

/** Fields of a message that come back as they came; a message that is streamed has them in pieces. */
const returnedFields = [
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
  'provider_specific_fields',
  'thought_signature',
  'reasoning_signature',
  'encrypted_content',
] as const

/** Fields of a call that are the protocol's own; all others come back with it. */
const callFields: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function'])
const functionFields: ReadonlySet<string> = new Set(['name', 'arguments'])

/** More than any signature takes: what has no end must not fill the transcript. */
const mostReturned = 1024 * 1024

/** Picks the fields of one piece of a message that go back to the server; undefined where it has none. */
export function returnedIn(message: JsonObject): JsonObject | undefined {
  const found = returnedFields.filter((name) => isKeepable(message[name]))
  if (found.length === 0) return undefined
  return Object.fromEntries(found.map((name) => [name, message[name]]))
}

/** Picks the fields of a piece of a call that are not the protocol's own; undefined where it has none. */
export function extraCallFields(call: JsonObject): JsonObject | undefined {
  const own = others(call, callFields)
  const asked = objectOf(call.function)
  const inFunction = asked === undefined ? {} : others(asked, functionFields)
  const isPlain = Object.keys(own).length + Object.keys(inFunction).length === 0
  if (isPlain) return undefined
  return Object.keys(inFunction).length === 0 ? own : { ...own, function: inFunction }
}

/**
 * Joins the pieces of returned fields: lists by the `index` of their parts, else one behind the other; text inside
 * of the parts is appended, signatures and all else are replaced by the last value.
 */
export function joinReturned(known: JsonObject | undefined, added: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...known }
  for (const [name, value] of Object.entries(added)) {
    const before = joined[name]
    if (Array.isArray(value)) joined[name] = joinParts(Array.isArray(before) ? before : [], value)
    else {
      const [old, fresh] = [objectOf(before), objectOf(value)]
      joined[name] = old === undefined || fresh === undefined ? value : joinReturned(old, fresh)
    }
  }
  return joined
}

/** Returns true where fields are small enough to be kept with an entry: at most 1 Mi characters of JSON. */
export function canBeKept(fields: JsonObject): boolean {
  return JSON.stringify(fields).length <= mostReturned
}

function joinParts(known: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const parts = [...known]
  for (const part of added) {
    const fields = objectOf(part)
    const at = fields === undefined ? -1 : placeOf(parts, fields)
    const before = objectOf(parts[at])
    if (fields === undefined || before === undefined) parts.push(part)
    else parts[at] = joinPart(before, fields)
  }
  return parts
}

/** Finds the part that this one continues: the last of its index and type; -1 where there is none. */
function placeOf(parts: readonly unknown[], { index, type }: JsonObject): number {
  if (index === undefined) return -1
  return parts.findLastIndex((one) => {
    const other = objectOf(one)
    return other?.index === index && (type === undefined || other?.type === type)
  })
}

const grows: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking'])

function joinPart(before: JsonObject, after: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(after)) {
    const old = joined[name]
    if (grows.has(name) && typeof old === 'string' && typeof value === 'string')
      joined[name] = old + value
    else if (value !== null && value !== undefined) joined[name] = value
  }
  return joined
}

function others(fields: JsonObject, own: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !own.has(name) && isKeepable(value)),
  )
}

/** No signature is nested so deeply; a deeper value would overflow the stack. */
const mostLevels = 32

/** Returns true where a value is present and nested at most 32 levels deep. */
export function isKeepable(value: unknown): boolean {
  return value !== null && value !== undefined && isShallow(value, mostLevels)
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}
