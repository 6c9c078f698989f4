import { isJsonObject, type JsonObject } from '../basics/json-object'

/** Parses the arguments of a call. Undefined where they are no JSON object: models stream them, and some systems keep text. */
export function argumentsObject(content: string): JsonObject | undefined {
  try {
    const args: unknown = JSON.parse(content)
    return isJsonObject(args) ? args : undefined
  } catch {
    return undefined
  }
}
