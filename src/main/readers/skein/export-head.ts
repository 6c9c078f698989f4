import { isJsonObject } from '../../../shared/model/basics/json-object'
import { SkeinExportEnd, SkeinExportHead } from '../../../shared/model/skein-export'
import type { DiskFile } from '../../disk/interface/disk'
import { readLines, readLinesBackward } from '../../disk/reading/lines'
import { valuesOn } from '../common/record-values'

/** A longer first line is none of an export's. In bytes. */
const longestHead = 1024 * 1024

/** Reads what an export of Skein's says of its conversation; undefined where the first line says nothing. Reads 1 MB at most. @throws DiskError */
export async function readExportHead(
  opened: DiskFile,
  signal: AbortSignal,
): Promise<SkeinExportHead | undefined> {
  const options = { chunkBytes: 16 * 1024, to: longestHead, signal }
  for await (const [line] of readLines(opened, options)) {
    if (line === undefined) continue
    const [head] = await valuesOn(line, headIn)
    return head
  }
  return undefined
}

function headIn(value: unknown): SkeinExportHead | string {
  // Nothing else of an export is as cheap to tell apart.
  if (!isJsonObject(value) || !('skeinExport' in value)) return 'not the head of an export'
  return SkeinExportHead.safeParse(value).data ?? 'not the head of an export'
}

/** Reads the last line of an export, which says what is not in it; undefined where it is none, or longer than 64 KB. @throws DiskError */
export async function readExportEnd(
  opened: DiskFile,
  signal: AbortSignal,
): Promise<SkeinExportEnd | undefined> {
  const { sizeBytes } = await opened.stat()
  const options = { firstChunkBytes: 64 * 1024, longestBytes: 64 * 1024, signal }
  for await (const lines of readLinesBackward(opened, sizeBytes, options))
    for (const line of lines) if (line.length > 0) return (await valuesOn(line, endIn))[0]
  return undefined
}

function endIn(value: unknown): SkeinExportEnd | string {
  return SkeinExportEnd.safeParse(value).data ?? 'not the end of an export'
}
