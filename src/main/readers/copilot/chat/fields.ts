import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { textIn } from '../../common/drafts'

/** Returns the words of a text, or of one in Markdown, as VS Code keeps both; empty for anything else. */
export function plainWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(plainWords).join('')
  return isJsonObject(value) && typeof value.value === 'string' ? value.value : ''
}

/** Returns the words of several texts, a line for each that has any. */
export function shownWords(...values: readonly unknown[]): string {
  return values
    .map(plainWords)
    .filter((words) => words.trim() !== '')
    .join('\n')
}

/** Returns the object under a key; an empty one for anything else. */
export function memberObject(value: JsonObject, key: string): JsonObject {
  const object = value[key]
  return isJsonObject(object) ? object : {}
}

/** Returns the list under a key; an empty one for anything else. */
export function memberList(value: JsonObject, key: string): readonly unknown[] {
  const list = value[key]
  return Array.isArray(list) ? list : []
}

/** Returns the path of a file that VS Code names: a URI, a place in one, or an object with either. */
export function pathIn(place: unknown): string | undefined {
  if (typeof place === 'string') return place
  if (!isJsonObject(place)) return undefined
  const { fsPath, path, external, uri, location, resource } = place
  return textIn(fsPath) ?? textIn(path) ?? textIn(external) ?? pathIn(uri ?? location ?? resource)
}
