import { createHash } from 'node:crypto'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Returns an id that is a UUID as it is; makes one of any other id, in the shape of version 4 and the same for every
 * export of the entry.
 */
export function entryUuid(source: string, key: string, id: string): string {
  return uuid.test(id) ? id : hashedUuid(source, key, id)
}

/** Makes a UUID in the shape of version 4 from the SHA-256 of these words. */
export function hashedUuid(...words: readonly string[]): string {
  const bytes = createHash('sha256').update(words.join('\0')).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

/** Makes `length` characters of `a-z0-9` from the SHA-256 of these words; 32 at most. */
export function hashedLetters(length: number, ...words: readonly string[]): string {
  const digest = createHash('sha256').update(words.join('\0')).digest()
  return Array.from(digest.subarray(0, length), (byte) => (byte % 36).toString(36)).join('')
}
