import { apiTable } from './api-table'
import type { KeySpec } from './key-spec'
import type { Offer } from './offer'
import { plainTable } from './plain-table'
import type { Located } from './toml'

/** What is known of a key as it stands in a file: `fuel`, `api.temperature`. */
export function specOf(key: string): KeySpec<unknown> | undefined {
  const [table, name]: readonly [Readonly<Record<string, KeySpec<unknown>>>, string] =
    key.startsWith('api.') ? [apiTable, key.slice('api.'.length)] : [plainTable, key]
  return Object.hasOwn(table, name) ? table[name] : undefined
}

type ApiTable = typeof apiTable
type PlainTable = typeof plainTable
type ValueOf<Spec> = Spec extends KeySpec<infer T> ? T : never
type Found<Table> = { readonly [K in keyof Table]?: Located<ValueOf<Table[K]>> }

/** A value and the line it stands on, for each key that a table of parameters has. */
export type ApiValues = Found<ApiTable>

/** The same for the other keys of a file. */
export type PlainValues = Found<PlainTable>

type UsedOf<Spec> =
  Spec extends KeySpec<infer T, infer F>
    ? F extends undefined
      ? Offer<T> | undefined
      : Offer<T>
    : never

/** What counts of each key, with its place; undefined where no place has a value, which those with a default always have. */
export type UsedValues = { readonly [K in keyof PlainTable]: UsedOf<PlainTable[K]> }

/** What counts of the parameters. */
export type UsedApi = { readonly [K in keyof ApiTable]: Offer<ValueOf<ApiTable[K]>> | undefined }
