import type { Candidate } from '../base/candidate'
import type { Located } from '../toml/toml'
import { apiTable } from './api-table'
import type { KeySpec } from './key-spec'
import { plainTable } from './plain-table'

/** Finds the specification of a key as files write it, such as `fuel` or `api.temperature`. */
export function findKeySpec(key: string): KeySpec<unknown> | undefined {
  const [table, name]: readonly [Readonly<Record<string, KeySpec<unknown>>>, string] =
    key.startsWith('api.') ? [apiTable, key.slice('api.'.length)] : [plainTable, key]
  return Object.hasOwn(table, name) ? table[name] : undefined
}

type ApiTable = typeof apiTable
type PlainTable = typeof plainTable
type ValueOf<Spec> = Spec extends KeySpec<infer T> ? T : never
type LocatedValues<Table> = { readonly [K in keyof Table]?: Located<ValueOf<Table[K]>> }

/** The values of a table of parameters, each with its line. */
export type ApiValues = LocatedValues<ApiTable>

/** The values of a file's other keys, each with its line. */
export type PlainValues = LocatedValues<PlainTable>

type UsedOf<Spec> =
  Spec extends KeySpec<infer T, infer F>
    ? F extends undefined
      ? Candidate<T> | undefined
      : Candidate<T>
    : never

/**
 * The value of each key that holds, with its origin; undefined where no layer has one, which cannot happen for a key
 * with a default.
 */
export type EffectiveValues = { readonly [K in keyof PlainTable]: UsedOf<PlainTable[K]> }

/** The value of each parameter that holds, with its origin. */
export type EffectiveApi = {
  readonly [K in keyof ApiTable]: Candidate<ValueOf<ApiTable[K]>> | undefined
}
