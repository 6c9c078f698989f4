import type { SumRow, TableDescription, TableSums } from './sum-query'
import type { PageLayout } from './table-page'

/** Sums up the rows on pages. */
interface RowSummer {
  /**
   * Adds the rows of a page behind a rowid, and returns the last rowid; undefined where only SQLite can tell what they are,
   * or where they do not follow those of the pages before: they are damaged, or there twice.
   */
  addPage(page: Buffer, layout: PageLayout, after: number | undefined): number | undefined
  rows(): readonly SumRow[]
}

/** The sums of one group so far. */
interface Group {
  readonly key: string
  count: number
  json: number
  data: number
  ids: number
  newest: number | undefined
  check: number
}

/** Parts that a column's value has in the sums. */
interface ColumnPart {
  readonly isKey: boolean
  readonly isJson: boolean
  readonly isData: boolean
  readonly isId: boolean
  readonly isTime: boolean
  readonly isWanted: boolean
  /** A row that was made before the column has nothing there; otherwise SQLite knows what. */
  readonly mayBeMissing: boolean
}

const leafType = 0x0d
const headBytes = 8
const divisor = 1_000_003
const missingBytes = 4

/** Creates what sums up rows of a table; undefined for tables whose records are not the values of its rows. */
export function rowSummer(table: TableDescription, sums: TableSums): RowSummer | undefined {
  const parts = columnParts(table, sums)
  return parts && new PlainRows(parts, objectBytes(sums.json), sums.time !== undefined)
}

function columnParts(
  { sql, columns }: TableDescription,
  { key, json, data, id, time }: TableSums,
): readonly ColumnPart[] | undefined {
  // Texts that are equal by such a rule are one group to SQLite.
  if (/\bcollate\b/i.test(sql)) return undefined
  const parts = columns.map(({ name, fallback }): ColumnPart => {
    const isJson = json.includes(name)
    const own = {
      isKey: name === key,
      isData: name === data,
      isId: name === id,
      isTime: name === time,
    }
    const isWanted = isJson || Object.values(own).includes(true)
    return { isJson, ...own, isWanted, mayBeMissing: fallback === null }
  })
  const isPlain = columns.every(
    ({ type, isKey, isHidden }, at) =>
      !isHidden &&
      // It is the rowid, and the record has nothing.
      !(isKey && /^integer$/i.test(type)) &&
      // Whole numbers are read as numbers with a point.
      !(parts[at]?.isWanted && /real|floa|doub/i.test(type)),
  )
  const names = new Set(columns.map(({ name }) => name))
  const wanted = [key, data, id, ...json, ...(time === undefined ? [] : [time])]
  const areThere = wanted.every((name) => names.has(name) && /^\w+$/.test(name))
  return isPlain && areThere ? parts : undefined
}

/** Bytes of a JSON object besides its values. */
function objectBytes(names: readonly string[]): number {
  const members = names.reduce((sum, name) => sum + name.length + '"":'.length, 0)
  return '{}'.length + members + Math.max(0, names.length - 1)
}

/** What a number of a record's beginning is read to. */
const position = { at: 0 }

class PlainRows implements RowSummer {
  private readonly groups = new Map<string, Group>()
  private readonly parts: readonly ColumnPart[]
  private readonly objectBytes: number
  private readonly hasTime: boolean
  private group: Group | undefined
  /** Of all pages so far. */
  private lastRowid = Number.NEGATIVE_INFINITY
  /** The bytes of that group's key. */
  private groupKey = Buffer.alloc(0)

  constructor(parts: readonly ColumnPart[], bytes: number, hasTime: boolean) {
    this.parts = parts
    this.objectBytes = bytes
    this.hasTime = hasTime
  }

  addPage(page: Buffer, layout: PageLayout, after: number | undefined): number | undefined {
    if (page[0] !== leafType) return undefined
    const cells = page.readUInt16BE(3)
    const first = headBytes + cells * 2
    if (first > layout.usableBytes) return undefined
    for (let cell = 0; cell < cells; cell++) {
      const at = page.readUInt16BE(headBytes + cell * 2)
      if (at < first || at > layout.usableBytes - 4) return undefined
      position.at = at
      const payload = numberAt(page)
      const rowid = numberAt(page)
      if (!Number.isSafeInteger(rowid) || rowid <= this.lastRowid) return undefined
      this.lastRowid = rowid
      if (after !== undefined && rowid <= after) continue
      if (!this.addRecord(page, layout, payload)) return undefined
    }
    return Math.max(this.lastRowid, after ?? Number.MIN_SAFE_INTEGER)
  }

  rows(): readonly SumRow[] {
    return [...this.groups.values()].map(
      ({ key, count, json, data, ids, newest = null, check }): SumRow => {
        return [key, count, json, data, ids, newest, newest === null ? null : check]
      },
    )
  }

  /** The record at `position`. False where not all is plain to see. */
  private addRecord(page: Buffer, layout: PageLayout, payload: number): boolean {
    const start = position.at
    const local = localBytes(payload, layout)
    if (payload < 1 || start + local > layout.usableBytes) return false
    const head = numberAt(page)
    if (head > local) return false
    const headEnd = start + head
    const end = start + local
    let body = headEnd
    let keyAt = 0
    let keyBytes = -1
    let json = this.objectBytes
    let data = missingBytes
    let ids = 0
    let time: number | undefined = this.hasTime ? undefined : 0
    const { parts } = this
    for (let column = 0; column < parts.length; column++) {
      const part = parts[column]
      if (part === undefined) return false
      const isThere = position.at < headEnd
      const type = isThere ? numberAt(page) : 0
      const bytes = bytesOfType(type)
      if (bytes < 0 || (!isThere && part.isWanted && !part.mayBeMissing)) return false
      const from = body
      body += bytes
      if (!part.isWanted) continue
      if (part.isData) data = type === 0 ? missingBytes : type >= 12 ? bytes : -1
      if (data < 0) return false
      if (!part.isJson && !part.isId && !part.isKey && !part.isTime) continue
      if (body > end) return false
      if (part.isJson || part.isId) {
        const length = jsonBytes(page, type, from, bytes)
        if (length < 0) return false
        if (part.isJson) json += length
        if (part.isId) ids = length
      }
      if (part.isKey && type !== 0) {
        if (type < 13 || type % 2 === 0) return false
        keyAt = from
        keyBytes = bytes
      }
      if (part.isTime && type !== 0) {
        if (type === 7 || type >= 12) return false
        time = integerAt(page, type, from)
        if (!Number.isSafeInteger(time)) return false
      }
    }
    if (position.at !== headEnd || body - start !== payload) return false
    if (keyBytes === -1) return true
    const group = this.groupOf(page, keyAt, keyBytes)
    if (group === undefined) return false
    group.count += 1
    group.json += json
    group.data += data
    group.ids += ids
    if (time === undefined) return true
    if (group.newest === undefined || time > group.newest) group.newest = time
    group.check += time % divisor
    return true
  }

  /** Rows of a group lie together, mostly. Undefined for keys that two decodings may read in two ways. */
  private groupOf(page: Buffer, from: number, bytes: number): Group | undefined {
    const { groupKey } = this
    if (this.group !== undefined && isSame(page, from, bytes, groupKey)) return this.group
    for (let at = from; at < from + bytes; at++) {
      const byte = page[at] ?? 0
      if (byte < 0x20 || byte > 0x7e) return undefined
    }
    const key = page.toString('latin1', from, from + bytes)
    const known = this.groups.get(key)
    const group = known ?? {
      key,
      count: 0,
      json: 0,
      data: 0,
      ids: 0,
      newest: undefined,
      check: 0,
    }
    if (known === undefined) this.groups.set(key, group)
    this.group = group
    this.groupKey = Buffer.from(page.subarray(from, from + bytes))
    return group
  }
}

function isSame(page: Buffer, from: number, bytes: number, key: Buffer): boolean {
  if (bytes !== key.length) return false
  for (let at = 0; at < bytes; at++) if (page[from + at] !== key[at]) return false
  return true
}

/** Bytes of a record that are on the row's own page, by the file format. */
function localBytes(payload: number, { usableBytes }: PageLayout): number {
  const most = usableBytes - 35
  if (payload <= most) return payload
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23
  const rest = least + ((payload - least) % (usableBytes - 4))
  return rest <= most ? rest : least
}

/** Reads the number of 1 to 9 bytes at `position`, and goes on behind it; an unsafe number where it has 9. */
function numberAt(bytes: Buffer): number {
  let { at } = position
  let value = 0
  for (let read = 0; read < 8; read++) {
    const byte = bytes[at++] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      position.at = at
      return value
    }
  }
  position.at = at + 1
  return Number.POSITIVE_INFINITY
}

/** Bytes of a value by its serial type; less than 0 for types that no value has. */
function bytesOfType(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  if (type === 10 || type === 11) return -1
  if (type <= 4) return type
  if (type === 5) return 6
  return type <= 7 ? 8 : 0
}

/** Bytes of a value as JSON; less than 0 where only SQLite knows. */
function jsonBytes(page: Buffer, type: number, from: number, bytes: number): number {
  if (type === 0) return 'null'.length
  if (type === 7) return -1
  if (type < 12) {
    const value = integerAt(page, type, from)
    if (value >= 1e12 && value < 1e13) return 13
    return Number.isSafeInteger(value) ? String(value).length : -1
  }
  if (type % 2 === 0) return bytes * 2 + '""'.length
  for (let at = from; at < from + bytes; at++) {
    const byte = page[at] ?? 0
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return -1
  }
  return bytes + '""'.length
}

/** Reads a whole number by its serial type; an unsafe one nearly. */
function integerAt(page: Buffer, type: number, from: number): number {
  if (type === 8) return 0
  if (type === 9) return 1
  if (type === 6) return page.readInt32BE(from) * 2 ** 32 + page.readUInt32BE(from + 4)
  return page.readIntBE(from, type === 5 ? 6 : type)
}
