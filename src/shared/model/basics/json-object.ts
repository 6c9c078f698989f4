/** A JSON value that has keys. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns true for an object; false for a list and for null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
