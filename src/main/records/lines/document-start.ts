/** Bytes from the beginning of a document that tell whether it may be JSON. */
export const headBytes = 64

/** The reason why a document of UTF-16 is not read, as a sentence without its full stop. */
export const utf16Fault = 'its text is UTF-16, and Skein reads UTF-8'

/** Returns true for the beginning of what may be a JSON object or list. */
export function mayBeJson(head: Uint8Array): boolean {
  return isBracket(head.find((byte) => byte > 0x20 && byte < 0x80))
}

/** Returns true for text as editors save it that are asked for "Unicode": by its mark, or by the zero beside its first bracket. */
export function isUtf16(head: Uint8Array): boolean {
  const [first, second] = head
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return hasMark || (isBracket(first) && second === 0) || (first === 0 && isBracket(second))
}

function isBracket(byte: number | undefined): boolean {
  return byte === 0x5b || byte === 0x7b
}
