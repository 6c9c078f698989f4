import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'

/** Reads a value as an object; undefined for anything else. */
export function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

/** Reads a value as a list: a list as it is, null and undefined as none, anything else as the only one. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** Reads a value as text that is not blank; undefined for anything else. */
export function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/**
 * Reads a name or a title: one line, at most `most` characters. With more lines it could look like entries of its own
 * in a list. Undefined for what is no text.
 */
export function singleLineOf(value: unknown, most: number): string | undefined {
  return textOrUndefined(value)?.replace(/\s+/g, ' ').trim().slice(0, most)
}

/** Reads a count, which some servers write as text; undefined for anything else, negative ones too. */
export function countOf(value: unknown): number | undefined {
  const count = numberIn(value)
  return count !== undefined && count >= 0 ? count : undefined
}

/** Reads a place in a list, which some servers write as text or count from below 0; undefined for anything else. */
export function integerOf(value: unknown): number | undefined {
  const place = numberIn(value)
  return place !== undefined && Number.isInteger(place) ? place : undefined
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Parses a text as JSON; undefined where it is none, which no JSON gives. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
