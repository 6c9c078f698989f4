import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'

/** Returns the text under a key; undefined for none and for an empty one. */
export function textAt(value: JsonObject, key: string): string | undefined {
  const text = value[key]
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Returns the object under a key; an empty one for none. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const object = value[key]
  return isJsonObject(object) ? object : {}
}

/** Returns the objects in the list under a key; none where there is no list. */
export function objectsAt(value: JsonObject, key: string): readonly JsonObject[] {
  const list = value[key]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Returns the number under a key, unless it is negative. */
export function countAt(value: JsonObject, key: string): number | undefined {
  const number = value[key]
  return typeof number === 'number' && number >= 0 ? number : undefined
}

/** Converts Unix milliseconds to seconds; null for anything that is no time. */
export function secondsFromMs(ms: unknown): number | null {
  return typeof ms === 'number' && Number.isFinite(ms) && ms > 0 ? ms / 1000 : null
}

/** Returns a text as it is, and anything else as JSON; an empty text for nothing. */
export function textOrJson(value: unknown): string {
  if (typeof value === 'string') return value
  return value == null ? '' : JSON.stringify(value)
}
