import type { JsonObject } from '../../../shared/model/basics/json-object'

/**
 * Table of what a reader knows of its format: types and fields at the places where it looks. Everything else is counted
 * while a file is read (`line-drift.ts`), and lost nowhere: the table says what is new, not what is kept.
 */
export interface KnownFormat {
  /** Newest version of the system whose files were proved; the source's page names it. Absent where files name none. */
  readonly proved?: string
  /** Returns the version that a record names, of whatever type it is there; undefined for a record that names none. */
  readonly versionOf?: (record: JsonObject) => unknown
  /** The value on a line. */
  readonly record: Known
  /** Returns the value that is looked at in a document, where the system has files that are no lines. */
  readonly documentValue?: (text: string) => unknown
}

/** Knowledge of a value: what may be in it. A value of another JSON type than is meant here is not looked at. */
export type Known =
  /** Not looked into. */
  | 'any'
  | KnownObject
  | { readonly type: 'each'; readonly of: Known }
  /** A text that names a type. */
  | { readonly type: 'names'; readonly names: ReadonlySet<unknown> }
  | { readonly type: 'choice'; readonly choose: (value: JsonObject) => Known }

/** Knowledge of an object. */
export interface KnownObject {
  readonly type: 'object'
  readonly fields: ReadonlyMap<string, Known>
  readonly types?: KnownTypes
}

/** The types of an object, named by one of its fields. */
export interface KnownTypes {
  readonly field: string
  /** The object is a wrapper, with the same fields whatever its type: a new one is named without the type. */
  readonly isWrapper?: true
  /**
   * Returns what is known of a type, beside the fields that all types have; `shared` where these are all, undefined for an
   * unknown type. A missing name is an empty one, a number its digits.
   */
  readonly of: (type: string) => KnownObject | 'any' | 'shared' | undefined
}

/** Makes an object of known fields. @param deeper what is known of the values of some; they need not be among the names */
export function knownObject(
  names: Iterable<string>,
  deeper: Readonly<Record<string, Known>> = {},
  types?: KnownTypes,
): KnownObject {
  const fields = new Map<string, Known>()
  for (const name of names) fields.set(name, 'any')
  for (const [name, known] of Object.entries(deeper)) fields.set(name, known)
  return { type: 'object', fields, ...(types === undefined ? {} : { types }) }
}

/** Makes a list of which each value is so. */
export function knownList(of: Known): Known {
  return { type: 'each', of }
}

/** Makes a text that is one of these names. */
export function knownNames(names: Iterable<unknown>): Known {
  return { type: 'names', names: new Set(names) }
}

/** Makes the types of an object. @param orElse returns what is known of types that have no name here, such as a whole family */
export function knownTypes(
  field: string,
  types: Iterable<readonly [string, KnownObject | 'any' | 'shared']>,
  orElse: KnownTypes['of'] = () => undefined,
): KnownTypes {
  const known = new Map(types)
  return { field, of: (type) => known.get(type) ?? orElse(type) }
}

/** Pairs each of some types with what is known of them, for `knownTypes`. */
export function allAs<T>(types: Iterable<unknown>, known: T): readonly (readonly [string, T])[] {
  return [...types].flatMap((type) => (typeof type === 'string' ? [[type, known] as const] : []))
}
