/** The layout that all pages of a database have. */
export interface PageLayout {
  readonly pageSize: number
  /** A page without the bytes at its end that extensions of SQLite keep for themselves. */
  readonly usableBytes: number
}

/** A page below another one in the tree of a table. */
export interface ChildPage {
  readonly page: number
  /** The greatest rowid below it, nearly; undefined for the last child. */
  readonly lastRowid: number | undefined
  /** The place of its cell in the page above; undefined for the last child. */
  readonly cell: number | undefined
}

/** A whole page in the tree of a table: rows, or pages below it. */
export type TablePage =
  | { readonly type: 'leaf'; readonly rows: number }
  | { readonly type: 'interior'; readonly children: readonly ChildPage[] }

const interiorType = 0x05
const leafType = 0x0d
const interiorHeadBytes = 12
const leafHeadBytes = 8

/** Reads the layout of a database from its first 100 bytes; undefined where they are none of a database's. */
export function pageLayoutOf(head: Buffer): PageLayout | undefined {
  if (head.length < 100) return undefined
  const told = head.readUInt16BE(16)
  const pageSize = told === 1 ? 65536 : told
  const usableBytes = pageSize - head.readUInt8(20)
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || usableBytes < 480) return undefined
  return { pageSize, usableBytes }
}

/**
 * Reads a page of a table, not the first page of a database. Undefined where it is damaged: it is of no such kind, or a
 * cell or record in it does not fit. Text that was overwritten inside of a record shows nowhere.
 */
export function parseTablePage(page: Buffer, layout: PageLayout): TablePage | undefined {
  if (page.length < layout.pageSize) return undefined
  const type = page.readUInt8(0)
  if (type !== leafType && type !== interiorType) return undefined
  const headBytes = type === leafType ? leafHeadBytes : interiorHeadBytes
  const rows = page.readUInt16BE(3)
  const first = headBytes + rows * 2
  if (first > layout.usableBytes) return undefined
  const cells = Array.from({ length: rows }, (_, at) => page.readUInt16BE(headBytes + at * 2))
  const isWhole = (cell: number) =>
    cell >= first &&
    (type === leafType ? isWholeCell(page, cell, layout) : cell <= layout.usableBytes - 5)
  if (!cells.every(isWhole)) return undefined
  if (type === leafType) return { type: 'leaf', rows }
  const children = cells.map((cell): ChildPage => {
    const { value: lastRowid } = signedVarint(page, cell + 4)
    return { page: page.readUInt32BE(cell), lastRowid, cell }
  })
  const last = { page: page.readUInt32BE(8), lastRowid: undefined, cell: undefined }
  return { type: 'interior', children: [...children, last] }
}

/** Returns a copy of an interior page that has only some of its children: two at least. */
export function withChildren(page: Buffer, children: readonly ChildPage[]): Buffer {
  const copy = Buffer.from(page)
  const before = children.slice(0, -1)
  copy.writeUInt16BE(before.length, 3)
  for (const [at, { cell = 0 }] of before.entries())
    copy.writeUInt16BE(cell, interiorHeadBytes + at * 2)
  copy.writeUInt32BE(children.at(-1)?.page ?? 0, 8)
  return copy
}

/** Returns a page of a table without rows. */
export function emptyLeaf({ pageSize, usableBytes }: PageLayout): Buffer {
  const page = Buffer.alloc(pageSize)
  page.writeUInt8(leafType, 0)
  // 65536 is written as 0.
  page.writeUInt16BE(usableBytes & 0xffff, 5)
  return page
}

/** Returns true where a cell has its payload's first part in its own page, as long as the format says, with a whole record. */
function isWholeCell(page: Buffer, at: number, { usableBytes }: PageLayout): boolean {
  if (at > usableBytes - 4) return false
  const payload = signedVarint(page, at)
  const rowid = signedVarint(page, payload.end)
  const most = usableBytes - 35
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23
  const rest = least + ((payload.value - least) % (usableBytes - 4))
  const isLocal = payload.value <= most
  const local = isLocal ? payload.value : rest <= most ? rest : least
  const end = rowid.end + local + (isLocal ? 0 : 4)
  if (payload.value < 1 || end > usableBytes) return false
  return isWholeRecord(page.subarray(rowid.end, rowid.end + local), payload.value)
}

/** Returns true where the header of a record names exactly the bytes that the record has. */
function isWholeRecord(local: Buffer, payloadBytes: number): boolean {
  const head = signedVarint(local, 0)
  if (head.value < head.end || head.value > payloadBytes) return false
  // A table of hundreds of columns: its header goes on elsewhere.
  if (head.value > local.length) return true
  let bytes = head.value
  let at = head.end
  while (at < head.value) {
    const { value, end } = signedVarint(local, at)
    const size = sizeOfType(value)
    if (size === undefined) return false
    bytes += size
    at = end
  }
  return at === head.value && bytes === payloadBytes
}

const fixedSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const

/** Bytes of a value by its serial type; undefined for types that no value has. */
function sizeOfType(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2)
  return fixedSizes[type]
}

/** Reads a number of 1 to 9 bytes; nearly, where it is beyond 2^53. Bytes behind the end count as 0. */
function signedVarint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let read = 0; read < 8; read++) {
    const byte = bytes[at + read] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: at + read + 1 }
  }
  // 64 bits with their sign: negative numbers have them all.
  let bits = 0n
  for (let read = 0; read < 8; read++) bits = bits * 128n + BigInt((bytes[at + read] ?? 0) & 0x7f)
  bits = bits * 256n + BigInt(bytes[at + 8] ?? 0)
  return { value: Number(BigInt.asIntN(64, bits)), end: at + 9 }
}
