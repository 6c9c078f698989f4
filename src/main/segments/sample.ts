import { createHash } from 'node:crypto'
import type { DiskFile } from '../disk/disk'
import { readExactly } from '../disk/lines'

/** Bytes at each end of a run that are compared: what is inserted or removed anywhere before moves them. */
const sampledBytes = 2048

/** A digest of the beginning and the end of a run, by which it is known again. */
export function sampleOf(first: Uint8Array, last: Uint8Array): string {
  const hash = createHash('sha256')
  hash.update(first.subarray(0, sampledBytes))
  hash.update(last.subarray(Math.max(0, last.length - sampledBytes)))
  return hash.digest('base64url').slice(0, 22)
}

/** The sample of bytes `from` to `to` of a file as they stand now. */
export async function readSample(file: DiskFile, from: number, to: number): Promise<string> {
  const length = Math.min(sampledBytes, to - from)
  const first = await readExactly(file, from, length)
  return sampleOf(first, await readExactly(file, to - length, length))
}
