import { openZstd } from '../../disk/unpack/zstd'

/** The text of a thread, as far as it can be unpacked. */
export interface UnpackedThread {
  readonly text: Buffer
  /** The reason why it ends early, as a sentence without its full stop. */
  readonly fault: string | undefined
}

/** A thread is held whole: what is larger is no thread. */
const largestTextBytes = 512 * 1024 * 1024
const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Unpacks a thread's data, which is JSON or packed by zstd, whatever the row says. */
export async function unpackThread(data: Uint8Array): Promise<UnpackedThread> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (!bytes.subarray(0, magic.length).equals(magic)) return { text: bytes, fault: undefined }
  const stream = await openZstd()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    const given = stream.unpack(bytes)
    let next = given.next()
    for (; next.done !== true; next = given.next()) {
      size += next.value.length
      if (size > largestTextBytes) {
        given.return(undefined)
        return { text: Buffer.concat(pieces), fault: 'a thread is larger than 512 MB' }
      }
      pieces.push(next.value)
    }
    const early = stream.isBetweenFrames ? undefined : 'a thread ends early'
    const fault = next.value === undefined ? early : `a thread cannot be unpacked: ${next.value}`
    return { text: Buffer.concat(pieces), fault }
  } finally {
    stream.close()
  }
}
