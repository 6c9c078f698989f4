import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { SqlAnswer } from '../../../sqlite/database'
import type { SchemaQuery, TableSchema } from './table-schema'
import type { ValueLine } from './value-lines'

/** A conversation of a database as lines, without the values in them. */
export interface RowConversation {
  /** The name of its record file: its id. */
  readonly name: string
  /** Facts that a list needs; small, and plain data. */
  readonly about: JsonObject
  readonly lines: readonly ValueLine[]
  /** Unix milliseconds of its last change. */
  readonly mtimeMs: number
  /** Another text where a value may be another one of the same length. */
  readonly state: string
}

/** A way of presenting conversations in the tables of a database as files of lines. */
export interface RowSource {
  /** See `RecordFormat.id`. */
  readonly id: string
  /** By table: the column that names the conversation of a row; empty for a table of something else. */
  readonly keyColumns: Readonly<Record<string, string>>
  /** Makes queries whose rows are a conversation's name, and what is another text or number once anything of it is. */
  overview(schema: TableSchema): readonly SchemaQuery[]
  /** Makes the queries that `layOut` understands, for some conversations; they give no values, only their lengths. */
  rows(schema: TableSchema, names: readonly string[]): readonly SchemaQuery[]
  layOut(answers: readonly SqlAnswer[], schema: TableSchema): readonly RowConversation[]
  /** Makes the query for values of one conversation: columns name, value as bytes. */
  values(schema: TableSchema, conversation: string, names: readonly string[]): SchemaQuery
}

/** The record file of a conversation, without its lines. */
export interface RowSum {
  readonly name: string
  readonly about: JsonObject
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** Another text whenever any line may be another one; a part of the record file's identity. */
  readonly stamp: string
}

/** Sums up a conversation's record file. */
export function sumOf({ name, about, lines, mtimeMs, state }: RowConversation): RowSum {
  const stamp = createHash('sha256')
    .update(JSON.stringify([about, state, lines.map(({ before, bytes }) => [before, bytes])]))
    .digest('hex')
    .slice(0, 16)
  const sizeBytes = lines.reduce((sum, { bytes }) => sum + bytes, 0)
  return { name, about, sizeBytes, mtimeMs, stamp }
}
