import type { Disk } from '../interface/disk'
import { runInSlices } from '../pacing/slices'
import { readSmallFile } from '../reading/read'
import { parseInSlices } from './json-parse'

/** What a file of one JSON value holds. */
export type JsonFile = { readonly value: unknown } | 'damaged'

const byteOrderMark = Buffer.from('\ufeff')

/**
 * Reads a file of one JSON value, of however many, giving way to others where it is long; undefined where nothing is.
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
