import { formatTomlKey } from './toml'
import {
  findTomlPositions,
  type KeyPosition,
  type TablePosition,
  type TomlPositions,
} from './toml-positions'
import { isIntendedEdit } from './verify-edit'

/** A text with one value changed, or why that cannot be done safely, as the end of a sentence about the file. */
export type TomlEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/**
 * Sets one value in a TOML text, or takes it out, and leaves every other byte as it is: comments, order, other keys,
 * line ends.
 *
 * The result is parsed: it must hold what the text held, with that one value changed; anything else is refused.
 *
 * @param text that is TOML, without a byte order mark
 * @param literal the value as TOML, on one line; undefined to take the key out. Taking out what is not there changes
 *   nothing
 */
export function editToml(
  text: string,
  path: readonly string[],
  literal: string | undefined,
): TomlEdit {
  const places = findTomlPositions(text)
  if (places === undefined) return no('is written in a way that cannot be changed here')
  const change =
    literal === undefined ? takenOut(text, places, path) : put(text, places, path, literal)
  if (typeof change === 'string') return no(change)
  const edited = `${text.slice(0, change.start)}${change.text}${text.slice(change.end)}`
  return isIntendedEdit(text, edited, path, literal)
    ? { ok: true, text: edited }
    : no('is written in a way that cannot be changed here')
}

/** The replacement of a span of the text. */
interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

const nothing: Splice = { start: 0, end: 0, text: '' }

function no(reason: string): TomlEdit {
  return { ok: false, reason }
}

function put(
  text: string,
  { tables, keys }: TomlPositions,
  path: readonly string[],
  literal: string,
): Splice | string {
  const found = keys.find((key) => isSame(key.path, path))
  if (found?.hasComment)
    return `has comments within ${formatTomlKey(path)}, which would be lost; change it in the file`
  if (found) return { start: found.valueStart, end: found.valueEnd, text: literal }
  const isTable = [...keys, ...tables].some(
    (place) => place.path.length > path.length && startsWith(place.path, path),
  )
  if (isTable || tables.some((table) => isSame(table.path, path)))
    return `has ${formatTomlKey(path)} as a table of its own; change it in the file`
  const list = tables.find((table) => table.isOfArray && startsOrIs(path, table.path))
  if (list) return `has ${formatTomlKey(list.path)} as a list, where a table is needed`
  const above = keys.find((key) => startsWith(path, key.path))
  if (above?.isInlineTable) return intoInline(text, keys, above, path, literal)
  if (above) return `has ${formatTomlKey(above.path)} as a value, where a table is needed`
  return newLine(text, { tables, keys }, path, literal)
}

/** After the last key of an inline table; the innermost one that can hold it. */
function intoInline(
  text: string,
  keys: readonly KeyPosition[],
  outer: KeyPosition,
  path: readonly string[],
  literal: string,
): Splice {
  const inner = keys.filter((key) => startsWith(path, key.path)).at(-1) ?? outer
  const index = keys.indexOf(inner)
  const pair = `${formatTomlKey(path.slice(inner.path.length))} = ${literal}`
  const last = keys.filter(({ inline }) => inline === index).at(-1)
  if (last !== undefined) return { start: last.valueEnd, end: last.valueEnd, text: `, ${pair}` }
  const { valueStart: start, valueEnd: end } = inner
  return text.slice(start + 1, end - 1).trim() === ''
    ? { start, end, text: `{ ${pair} }` }
    : { start: start + 1, end: start + 1, text: ` ${pair}` }
}

/** A line of its own: next to keys of the same table, else in the nearest table above, else in a new one at the end. */
function newLine(
  text: string,
  { tables, keys }: TomlPositions,
  path: readonly string[],
  literal: string,
): Splice {
  const parent = path.slice(0, -1)
  const line = (table: TablePosition | undefined) =>
    `${formatTomlKey(path.slice(table?.path.length ?? 0))} = ${literal}`
  const sibling = keys
    .filter((key) => key.inline === undefined && isSame(key.path.slice(0, -1), parent))
    .at(-1)
  if (sibling !== undefined) return afterKey(text, sibling, line(tables[sibling.table]))
  // The root is the nearest one for its own keys alone: others would be dotted, and people look for a table.
  const index = tables.reduce(
    (best, table, at) =>
      !table.isOfArray &&
      startsOrIs(parent, table.path) &&
      table.path.length > (tables[best]?.path.length ?? 0)
        ? at
        : best,
    0,
  )
  const table = tables[index]
  if (index > 0 && table !== undefined) {
    const last = keys.filter((key) => key.table === index && key.inline === undefined).at(-1)
    if (last !== undefined) return afterKey(text, last, line(table))
    return afterLine(text, table.headerEnd, line(table))
  }
  if (parent.length === 0) return intoRoot(text, { tables, keys }, line(undefined))
  return atEnd(text, `[${formatTomlKey(parent)}]`, `${formatTomlKey(path.slice(-1))} = ${literal}`)
}

function afterKey(text: string, key: KeyPosition, line: string): Splice {
  const lineStart = text.lastIndexOf('\n', key.keyStart - 1) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart, key.keyStart))?.[0] ?? ''
  return afterLine(text, key.valueEnd, `${indent}${line}`)
}

function afterLine(text: string, offset: number, line: string): Splice {
  const end = text.indexOf('\n', offset)
  const feed = feedOf(text)
  return end < 0
    ? { start: text.length, end: text.length, text: `${feed}${line}` }
    : { start: end + 1, end: end + 1, text: `${line}${feed}` }
}

/** After the root's last key; without one before the first table and the comment right above it. */
function intoRoot(text: string, { tables, keys }: TomlPositions, line: string): Splice {
  const last = keys.filter(({ table, inline }) => table === 0 && inline === undefined).at(-1)
  if (last !== undefined) return afterKey(text, last, line)
  const first = tables[1]
  if (first === undefined) return atEnd(text, line)
  let start = text.lastIndexOf('\n', first.headerStart - 1) + 1
  while (start > 0) {
    const before = text.lastIndexOf('\n', start - 2) + 1
    if (!text.slice(before, start).trimStart().startsWith('#')) break
    start = before
  }
  const feed = feedOf(text)
  return { start, end: start, text: `${line}${feed}${feed}` }
}

function atEnd(text: string, ...lines: readonly string[]): Splice {
  const feed = feedOf(text)
  const isNewTable = lines.length > 1
  const begun = text === '' || text.endsWith('\n') ? '' : feed
  const gap = isNewTable && text.trim() !== '' ? feed : ''
  const all = `${begun}${gap}${lines.join(feed)}${feed}`
  return { start: text.length, end: text.length, text: all }
}

function takenOut(text: string, { keys, tables }: TomlPositions, path: readonly string[]) {
  const index = keys.findIndex((key) => isSame(key.path, path))
  const found = keys[index]
  if (found === undefined) {
    const isThere = [...keys, ...tables].some((place) => startsOrIs(place.path, path))
    return isThere
      ? `has ${formatTomlKey(path)} as a table of its own; change it in the file`
      : nothing
  }
  if (found.hasComment)
    return `has comments within ${formatTomlKey(path)}, which would be lost; change it in the file`
  return found.inline === undefined ? lineOut(text, found) : inlineOut(text, keys, found)
}

/** The whole line, but a comment at its end: that stays, where the key was. */
function lineOut(text: string, { keyStart, valueEnd }: KeyPosition): Splice {
  const lineEnd = text.indexOf('\n', valueEnd)
  const rest = text.slice(valueEnd, lineEnd < 0 ? text.length : lineEnd)
  if (rest.trimStart().startsWith('#')) {
    const blanks = rest.length - rest.trimStart().length
    return { start: keyStart, end: valueEnd + blanks, text: '' }
  }
  const start = text.lastIndexOf('\n', keyStart - 1) + 1
  return { start, end: lineEnd < 0 ? text.length : lineEnd + 1, text: '' }
}

/** With the comma before it, else with the one after it. */
function inlineOut(
  text: string,
  keys: readonly KeyPosition[],
  found: KeyPosition,
): Splice | string {
  const siblings = keys.filter(({ inline }) => inline === found.inline)
  const at = siblings.indexOf(found)
  const before = siblings[at - 1]
  const after = siblings[at + 1]
  const [start, end] =
    before !== undefined
      ? [before.valueEnd, found.valueEnd]
      : [found.keyStart, after?.keyStart ?? found.valueEnd]
  return text.slice(start, end).includes('\n')
    ? `has ${formatTomlKey(found.path)} in a table over several lines; change it in the file`
    : { start, end, text: '' }
}

function feedOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsOrIs(a, b)
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return path.length > start.length && startsOrIs(path, start)
}

function startsOrIs(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, at) => path[at] === step)
}
