import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { type Growth, grown, jsonOf } from './grown-json'

/** Tables of a fixture's database that are copied, and how. */
export interface DatabaseShape {
  /** Tables with a row for each conversation. */
  readonly conversations: readonly string[]
  /** Tables whose rows all conversations share. */
  readonly shared?: readonly string[]
  /** Rows of the other tables are written so often for a conversation. */
  readonly blocks: number
  /** So many texts are put behind each of the words in them. */
  readonly texts: number
  /** What the ids of conversations look like, where they stand inside of other values; else the first column has them. */
  readonly id?: RegExp
}

interface Row {
  readonly table: string
  readonly names: readonly string[]
  /** As SQL has them. */
  readonly literals: readonly string[]
}

const isIdColumn = /^(?:id|hash|seq)$|(?:_id|Id|_hash)$/
const isQuoted = /^'/

/**
 * Makes a database of a fixture's statements, and copies its conversations until it has so many bytes; their texts grow.
 *
 * @returns its bytes
 */
export async function writeGrownDatabase(
  statements: string,
  file: string,
  shape: DatabaseShape,
  bytes: number,
  draw: () => string,
): Promise<number> {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  execFileSync('sqlite3', ['-batch', '-bail', file], { input: statements })
  const rows = rowsOf(file).filter(({ table }) => !shape.shared?.includes(table))
  const isOfConversation = ({ table }: Row) => shape.conversations.includes(table)
  const { id = /^.+$/ } = shape
  const places = shape.id === undefined ? rows.filter(isOfConversation) : rows
  const conversationIds = new Set(
    places.flatMap(({ literals }) =>
      (shape.id === undefined ? literals.slice(0, 1) : literals)
        .filter((literal) => isQuoted.test(literal))
        .flatMap((literal) => textOf(literal).match(new RegExp(id, 'g')) ?? []),
    ),
  )
  const rowIds = idsOf(rows.filter((row) => !isOfConversation(row)))
  for (const id of conversationIds) rowIds.delete(id)
  const named = [...conversationIds].sort((a, b) => b.length - a.length)
  const anyName = new RegExp(named.map((id) => id.replace(/[^\w-]/g, '\\$&')).join('|'), 'g')
  const sqlite = spawn('sqlite3', ['-batch', '-bail', file], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const closed = once(sqlite, 'close')
  const write = async (sql: string) => {
    if (!sqlite.stdin.write(sql)) await once(sqlite.stdin, 'drain')
    return Buffer.byteLength(sql)
  }
  let written = fs.statSync(file).size
  await write('pragma synchronous = off; begin;\n')
  for (let unit = 1; written < bytes; unit++)
    for (const row of rows) {
      const blocks = isOfConversation(row) ? 1 : shape.blocks
      for (let block = 0; block < blocks; block++) {
        const suffix = block === 0 ? `-${unit}` : `-${unit}-${block}`
        const drawn = () => Array.from({ length: shape.texts }, draw).join('\n')
        const growth: Growth = {
          ids: rowIds,
          idOf: (id) => id + suffix,
          goesOnFrom: undefined,
          draw: drawn,
        }
        const number = (unit * shape.blocks + block) * 10_000
        const literals = row.literals.map((literal, at) =>
          copied(literal, row.names[at] ?? '', growth, number, (text) =>
            text.replace(anyName, (id) => `${id}-${unit}`),
          ),
        )
        written += await write(
          `insert or ignore into "${row.table}" values (${literals.join()});\n`,
        )
      }
    }
  sqlite.stdin.end('commit;\n')
  const [code] = await closed
  if (code !== 0) throw new Error(`sqlite3 ended with ${code}`)
  return fs.statSync(file).size
}

/** A value of a copied row, as SQL has it. */
function copied(
  literal: string,
  column: string,
  growth: Growth,
  number: number,
  rename: (text: string) => string,
): string {
  if (/^\d+$/.test(literal) && isIdColumn.test(column)) return String(Number(literal) + number)
  if (!isQuoted.test(literal)) return literal
  const text = textOf(literal)
  if (growth.ids.has(text)) return sqlText(growth.idOf(text))
  const value = jsonOf(text)
  if (typeof value === 'object') return sqlText(rename(JSON.stringify(grown(value, growth))))
  return sqlText(rename(String(grown(text, growth, column))))
}

function textOf(literal: string): string {
  return literal.slice(1, -1).replaceAll("''", "'")
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`
}

function ask(file: string, sql: string): readonly string[] {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const
  return execFileSync('sqlite3', ['-batch', '-bail', file, sql], options).split('\n').slice(0, -1)
}

function rowsOf(file: string): readonly Row[] {
  const tables = ask(
    file,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite%'`,
  )
  return tables.flatMap((table) => {
    const names = ask(file, `select name from pragma_table_info('${table}')`)
    const quoted = names.map((name) => `quote("${name}")`).join()
    return ask(file, `select json_array(${quoted}) from "${table}" order by rowid`).map((line) => ({
      table,
      names,
      literals: JSON.parse(line) as readonly string[], // what SQLite wrote
    }))
  })
}

/** The ids that rows have in their columns. */
function idsOf(rows: readonly Row[]): Set<string> {
  const ids = rows.flatMap(({ names, literals }) =>
    literals.filter((literal, at) => isQuoted.test(literal) && isIdColumn.test(names[at] ?? '')),
  )
  return new Set(ids.map((literal) => literal.slice(1, -1)).filter((id) => id.length > 1))
}
