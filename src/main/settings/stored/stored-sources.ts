import path from 'node:path'
import { z } from 'zod'
import { SourceRoot } from '../../../shared/model/settings/source-roots'

/** A person's choices about the roots of other systems. */
export interface StoredSources {
  /** Default roots that are not read. */
  readonly off: readonly SourceRoot[]
  /** Roots besides the default ones. */
  readonly added: readonly SourceRoot[]
  /** Roots whose files are copied before their systems delete them. */
  readonly backedUp: readonly SourceRoot[]
}

/** A root that is added to one of the lists, or removed from it. */
export interface SourcesChange {
  readonly list: keyof StoredSources
  readonly root: SourceRoot
  readonly isIn: boolean
}

type Json = Readonly<Record<string, unknown>>

const AbsoluteRoot = SourceRoot.refine((root) => path.isAbsolute(root.path))
const JsonObject = z.record(z.string(), z.unknown())
const listNames = ['off', 'added', 'backedUp'] as const

/**
 * Reads the `sources` of settings.json: `{off, added, backedUp}`, each a list of `{source, path}`. An invalid root costs only
 * itself.
 *
 * @param fault gets the key of each value that is not known
 */
export function readStoredSources(
  value: unknown,
  fault: (key: string) => void,
): StoredSources | undefined {
  if (value === undefined) return undefined
  const object = JsonObject.safeParse(value)
  if (!object.success) {
    fault('sources')
    return undefined
  }
  const rootsIn = (list: keyof StoredSources): readonly SourceRoot[] => {
    const values = object.data[list]
    if (values === undefined) return []
    if (!Array.isArray(values)) {
      fault(`sources.${list}`)
      return []
    }
    return values.flatMap((one: unknown, at) => {
      const root = AbsoluteRoot.safeParse(one)
      if (root.success) return [{ source: root.data.source, path: root.data.path }]
      fault(`sources.${list}[${at}]`)
      return []
    })
  }
  return { off: rootsIn('off'), added: rootsIn('added'), backedUp: rootsIn('backedUp') }
}

/** Returns the `sources` of settings.json after a change; values that this version does not know stay. */
export function applySourcesChange(value: unknown, { list, root, isIn }: SourcesChange): Json {
  const object = JsonObject.catch({}).parse(value)
  const values: readonly unknown[] = Array.isArray(object[list]) ? object[list] : []
  const others = values.filter((one) => !isRoot(one, root))
  const changed: Json = { ...object, [list]: isIn ? [...others, root] : others }
  const isEmpty = (name: string, found: unknown) =>
    listNames.some((known) => known === name) && Array.isArray(found) && found.length === 0
  return Object.fromEntries(
    Object.entries(changed).filter(([name, found]) => !isEmpty(name, found)),
  )
}

/** Returns true where two roots have the same source and path. */
export function isSameRoot(a: SourceRoot, b: SourceRoot): boolean {
  return a.source === b.source && a.path === b.path
}

function isRoot(value: unknown, root: SourceRoot): boolean {
  const parsed = SourceRoot.safeParse(value)
  return parsed.success && isSameRoot(parsed.data, root)
}
