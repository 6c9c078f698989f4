/** The largest block of a zstd frame. */
const blockBytes = 128 * 1024

/** A zstd frame whose blocks are stored as they are, as RFC 8878 has it: the oldest runtime has no packer of its own. */
export function storedZstd(content: Uint8Array): Buffer {
  const pieces: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x80, 0x38])]
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  // A window of 128 KB, and the content's size in four bytes.
  pieces.push(size)
  for (let at = 0; at === 0 || at < content.length; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes)
    const isLast = at + blockBytes >= content.length
    const header = (block.length << 3) | (isLast ? 1 : 0)
    pieces.push(Buffer.from([header & 0xff, (header >> 8) & 0xff, header >> 16]), block)
  }
  return Buffer.concat(pieces)
}
