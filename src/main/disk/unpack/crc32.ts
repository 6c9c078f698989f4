import zlib from 'node:zlib'

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Node has its own from 20.15 on, many times as fast. */
const native = (zlib as { readonly crc32?: (bytes: Uint8Array, value: number) => number }).crc32

/** Returns the CRC-32 of the bytes before, whose own is `value`, and these. */
export const crc32: (bytes: Uint8Array, value: number) => number = native ?? crc32Here

/** Returns the same as `crc32`, without the help of the runtime. */
export function crc32Here(bytes: Uint8Array, value: number): number {
  let sum = ~value
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return ~sum >>> 0
}
