/** Members of a chat's record that are keys to data on Cursor's servers. */
const secret = /"(?:blobEncryptionKey|speculativeSummarizationEncryptionKey)"\s*:\s*"([^"\\]*)/g

const asterisk = 0x2a

/** Returns the bytes of a chat's record with asterisks in place of its keys; as many bytes as before. */
export function withoutKeys(record: Uint8Array): Uint8Array {
  // One unit a byte, so that places in the text are places in the bytes.
  const text = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1')
  let masked: Uint8Array | undefined
  for (const match of text.matchAll(secret)) {
    const value = match[1] ?? ''
    masked ??= Uint8Array.from(record)
    const end = match.index + match[0].length
    masked.fill(asterisk, end - value.length, end)
  }
  return masked ?? record
}
