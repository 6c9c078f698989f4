import fs from 'node:fs'
import { diskError } from './node-disk'

/**
 * Reads a pipe to its end, such as the one that a shell makes for `<(...)`; undefined where there is none at the path. Waits until something
 * writes to it.
 *
 * @returns at most one byte more than `limitBytes`
 * @throws DiskError; the signal's reason
 */
export async function readPipe(
  path: string,
  limitBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const stat = await fs.promises.stat(path).catch(() => undefined)
  if (stat?.isFIFO() !== true) return undefined
  try {
    return await streamBytes(fs.createReadStream(path, { signal }), limitBytes)
  } catch (error) {
    signal.throwIfAborted()
    throw diskError(path, error)
  }
}

/** Reads a stream to its end, or to one byte more than `limitBytes`. @throws what the stream fails with */
export async function streamBytes(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of stream) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > limitBytes) break
  }
  return Buffer.concat(pieces).subarray(0, limitBytes + 1)
}
