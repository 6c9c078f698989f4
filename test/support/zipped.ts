import zlib from 'node:zlib'
import { crc32Here } from '../../src/main/disk/unpack/crc32'

/** A member of an archive that a test makes. */
export interface ZipInput {
  readonly name: string
  readonly content: Buffer
  readonly isStored?: boolean
  /** Its header has no sizes: they are behind the data, and in the directory. */
  readonly sizesBehind?: boolean
  /** Sizes and offset are in the directory's field for large ones. */
  readonly isWide?: boolean
  /** In place of the name, in whatever code page. */
  readonly rawName?: Buffer
  readonly flags?: number
  readonly method?: number
  /** The size that the directory claims. */
  readonly claims?: number
  /** So often it is in the directory. */
  readonly overlaps?: number
}

/** Makes a zip archive, as the format's specification says (APPNOTE 6.3), without a line of what reads it. */
export function zipped(inputs: readonly ZipInput[], comment = ''): Buffer {
  const pieces: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const input of inputs) {
    const name = input.rawName ?? Buffer.from(input.name)
    const packed = input.isStored ? input.content : zlib.deflateRawSync(input.content)
    const method = input.method ?? (input.isStored ? 0 : 8)
    const behind = input.sizesBehind === true
    const flags = (input.flags ?? 0) | (behind ? 8 : 0) | (input.rawName ? 0 : 0x800)
    const crc = crc32Here(input.content, 0)
    const size = input.claims ?? input.content.length
    const shared = numbers([2, 20], [2, flags], [2, method], [4, 0])
    const sizes = numbers([4, crc], [4, packed.length], [4, size])
    const header = Buffer.concat([
      numbers([4, 0x04034b50]),
      shared,
      behind ? Buffer.alloc(12) : sizes,
      numbers([2, name.length], [2, 0]),
      name,
    ])
    const tail = behind ? Buffer.concat([numbers([4, 0x08074b50]), sizes]) : Buffer.alloc(0)
    const wide = input.isWide === true
    const extra = wide
      ? numbers([2, 1], [2, 24], [8, size], [8, packed.length], [8, at])
      : Buffer.alloc(0)
    const all = 0xffffffff
    const entry = Buffer.concat([
      numbers([4, 0x02014b50], [2, 45]),
      shared,
      numbers([4, crc], [4, wide ? all : packed.length], [4, wide ? all : size]),
      numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
      numbers([4, wide ? all : at]),
      name,
      extra,
    ])
    for (let copy = 0; copy < (input.overlaps ?? 1); copy++) entries.push(entry)
    pieces.push(header, packed, tail)
    at += header.length + packed.length + tail.length
  }
  const directory = Buffer.concat(entries)
  const count = entries.length
  const end = numbers(
    [4, 0x06054b50],
    [4, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, at],
    [2, Buffer.byteLength(comment)],
  )
  return Buffer.concat([...pieces, directory, end, Buffer.from(comment)])
}

/** Numbers of so many bytes each, the lowest first. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value))
      else field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )
}
