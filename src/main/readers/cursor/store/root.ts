/** Bytes of a SHA-256. */
const digestBytes = 32
const bytesType = 2
/** No varint of a length is longer. */
const mostVarintBytes = 5

/** A state of a chat: all messages so far, and where it was had. */
interface StoreRoot {
  /** SHA-256, as hexadecimal text; none at the beginning of a chat. */
  readonly digests: readonly string[]
  /** A path or the URI of one; undefined in older versions. */
  readonly folder: string | undefined
}

const messageField = 1
const folderField = 9

/** Parses a root, a protobuf message. Undefined for bytes that are no such message, such as another kind of blob. */
export function parseRoot(root: Uint8Array): StoreRoot | undefined {
  const digests: string[] = []
  let folder: string | undefined
  let at = 0
  while (at < root.length) {
    const key = varintAt(root, at)
    if (key === undefined) return undefined
    const field = Math.floor(key.value / 8)
    const type = key.value % 8
    const end = endOfValue(root, key.end, type)
    if (end === undefined || field === 0) return undefined
    const value = root.subarray(end.from, end.end)
    if (field === messageField) {
      if (type !== bytesType || value.length !== digestBytes) return undefined
      digests.push(Buffer.from(value).toString('hex'))
    }
    if (field === folderField && type === bytesType) folder = Buffer.from(value).toString('utf8')
    at = end.end
  }
  return { digests, folder }
}

function endOfValue(
  bytes: Uint8Array,
  at: number,
  type: number,
): { readonly from: number; readonly end: number } | undefined {
  const fixed = type === 1 ? 8 : type === 5 ? 4 : undefined
  if (fixed !== undefined) return within(bytes, at, fixed)
  if (type === 0) {
    // Also one of 64 bits: only its end matters.
    let end = at
    while (end < bytes.length && (bytes[end] ?? 0) >= 0x80) end++
    return within(bytes, at, end - at + 1)
  }
  if (type !== bytesType) return undefined
  const length = varintAt(bytes, at)
  return length === undefined ? undefined : within(bytes, length.end, length.value)
}

function within(bytes: Uint8Array, from: number, length: number) {
  const end = from + length
  return end > bytes.length ? undefined : { from, end }
}

function varintAt(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0
  for (let n = 0; n < mostVarintBytes; n++) {
    const byte = bytes[at + n]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * n)
    if (byte < 0x80) return { value, end: at + n + 1 }
  }
  return undefined
}
