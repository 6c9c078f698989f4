import type { Candidate } from '../base/candidate'
import type { Located } from '../toml/toml'
import { apiTable } from './api-table'
import type { KeySpec } from './key-spec'
import { plainTable } from './plain-table'

/** What is known of a key as it stands in a file: `fuel`, `api.temperature`. */
export function findKeySpec(key: string): KeySpec<unknown> | undefined {
  const [table, name]: readonly [Readonly<Record<string, KeySpec<unknown>>>, string] =
    key.startsWith('api.') ? [apiTable, key.slice('api.'.length)] : [plainTable, key]
  return Object.hasOwn(table, name) ? table[name] : undefined
}

type ApiTable = typeof apiTable
type PlainTable = typeof plainTable
type ValueOf<Spec> = Spec extends KeySpec<infer T> ? T : never
type LocatedValues<Table> = { readonly [K in keyof Table]?: Located<ValueOf<Table[K]>> }

/** A value and the line it stands on, for each key that a table of parameters has. */
export type ApiValues = LocatedValues<ApiTable>

/** The same for the other keys of a file. */
export type PlainValues = LocatedValues<PlainTable>

type UsedOf<Spec> =
  Spec extends KeySpec<infer T, infer F>
    ? F extends undefined
      ? Candidate<T> | undefined
      : Candidate<T>
    : never

/** What counts of each key, with its place; undefined where no place has a value, which those with a default always have. */
export type EffectiveValues = { readonly [K in keyof PlainTable]: UsedOf<PlainTable[K]> }

/** What counts of the parameters. */
export type EffectiveApi = {
  readonly [K in keyof ApiTable]: Candidate<ValueOf<ApiTable[K]>> | undefined
}
