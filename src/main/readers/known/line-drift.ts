import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { UnknownName } from '../../../shared/model/drift/drift'
import type { Known, KnownFormat, KnownObject } from './known-format'
import { isNewerVersion, versionIn } from './versions'

/** Names on a line that its reader does not know. */
export interface LineDrift {
  readonly names: readonly UnknownName[]
  /** True where the line has more names than these. */
  readonly isCut: boolean
  /** A version that is newer than the newest proved one. */
  readonly version?: string
}

/** Names that are kept of a line. */
const mostNames = 32
/** Of a name, in UTF-16 units. */
const longestName = 80

/**
 * Creates the check of a format's lines: it takes the parsed value of a line, and returns what is new in it, undefined
 * where nothing is. It looks at the fields of the few objects that the format names, so its cost is a small part of parsing.
 */
export function lineDriftCheck(format: KnownFormat): (value: unknown) => LineDrift | undefined {
  const newerIn = newerVersions(format)
  return (value) => {
    if (!isJsonObject(value)) return undefined
    const version = newerIn(value)
    const found = new Names()
    walk(value, format.record, '', found)
    if (version === undefined && found.isEmpty) return undefined
    return { names: found.all, isCut: found.isCut, ...(version === undefined ? {} : { version }) }
  }
}

/** Lines repeat the version: the last one's answer is kept. */
function newerVersions({
  proved,
  versionOf,
}: KnownFormat): (record: JsonObject) => string | undefined {
  if (proved === undefined || versionOf === undefined) return () => undefined
  let last: unknown
  let answer: string | undefined
  return (record) => {
    const value = versionOf(record)
    if (value === last) return answer
    const version = versionIn(value)
    last = value
    answer = version !== undefined && isNewerVersion(version, proved) ? version : undefined
    return answer
  }
}

class Names {
  private readonly found = new Map<string, UnknownName>()
  isCut = false

  get isEmpty(): boolean {
    return this.found.size === 0
  }

  get all(): readonly UnknownName[] {
    return [...this.found.values()]
  }

  add(what: UnknownName['what'], path: string): void {
    const name = path.length > longestName ? `${path.slice(0, longestName - 1)}…` : path
    const key = `${what} ${name}`
    if (this.found.has(key)) return
    if (this.found.size < mostNames) this.found.set(key, { what, name })
    else this.isCut = true
  }
}

function walk(value: unknown, known: Known, path: string, found: Names): void {
  if (known === 'any' || found.isCut) return
  switch (known.type) {
    case 'each':
      if (Array.isArray(value)) for (const one of value) walk(one, known.of, path, found)
      return
    case 'names':
      if (typeof value === 'string' && !known.names.has(value))
        found.add('type', typePath(path, value))
      return
    case 'choice':
      if (isJsonObject(value)) walk(value, known.choose(value), path, found)
      return
    case 'object':
      if (isJsonObject(value)) walkObject(value, known, path, found)
  }
}

function walkObject(value: JsonObject, known: KnownObject, path: string, found: Names): void {
  const { fields, types } = known
  const name = types === undefined ? '' : typeName(value[types.field])
  const own = types === undefined ? 'shared' : types.of(name)
  const typed = typePath(path, name)
  if (own === undefined) found.add('type', typed)
  else if (own === 'shared') walkFields(value, [fields], path, path, found)
  else if (own !== 'any')
    walkFields(value, [own.fields, fields], types?.isWrapper ? path : typed, typed, found)
}

/** Some systems number their types. */
function typeName(named: unknown): string {
  return typeof named === 'string' || typeof named === 'number' ? String(named) : ''
}

/** @param path of new fields @param within path of what is in the known ones */
function walkFields(
  value: JsonObject,
  known: readonly ReadonlyMap<string, Known>[],
  path: string,
  within: string,
  found: Names,
): void {
  for (const field of Object.keys(value)) {
    const of = known.find((fields) => fields.has(field))?.get(field)
    if (of === 'any') continue
    if (of === undefined) found.add('field', fieldPath(path, field))
    else walk(value[field], of, fieldPath(within, field), found)
    if (found.isCut) return
  }
}

function fieldPath(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

function typePath(path: string, type: string): string {
  const name = type === '' ? '(none)' : type
  return path === '' ? name : `${path}/${name}`
}
