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

/** Returns the first of some arguments that is a text. */
export function textArgument(args: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (typeof value === 'string') return value
  }
  return undefined
}

/** Returns the first of some arguments that is a whole number. */
export function numberArgument(args: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? Number(args[name] ?? Number.NaN) : Number.NaN
    if (Number.isSafeInteger(value)) return value
  }
  return undefined
}

const pathNames = [
  ...['path', 'file_path', 'filePath', 'file', 'filename', 'fileName', 'notebook_path'],
  ...['absolute_path', 'absolutePath', 'target_file', 'targetFile'],
]

/** Returns the path of a file among arguments. */
export function pathArgument(args: JsonObject): string | undefined {
  return textArgument(args, pathNames)
}
