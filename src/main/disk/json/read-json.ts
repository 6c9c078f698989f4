import type { Disk } from '../interface/disk'
import { runInSlices } from '../pacing/slices'
import { readSmallFile } from '../reading/read'
import { parseInSlices } from './json-parse'

/** The value of a file that is one JSON value, or `damaged`. */
export type JsonFile = { readonly value: unknown } | 'damaged'

const byteOrderMark = Buffer.from('\ufeff')

/**
 * Reads a file that is one JSON value, however many values that holds, and yields to other work where it is long.
 * Resolves to undefined where nothing is there.
 *
 * @throws DiskError `too-large` above the limit, `is-directory`
 */
export async function readJson(
  disk: Disk,
  path: string,
  limitBytes?: number,
): Promise<JsonFile | undefined> {
  const read = await readSmallFile(disk, path, limitBytes)
  if (read === undefined) return undefined
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const text = isMarked ? bytes.subarray(byteOrderMark.length) : bytes
  return (await runInSlices(parseInSlices(text, Number.POSITIVE_INFINITY))) ?? 'damaged'
}
