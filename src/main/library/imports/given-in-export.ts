import { isJsonObject } from '../../../shared/model/basics/json-object'
import { EntryId } from '../../../shared/model/conversation/entry'
import { mostLabels } from '../../../shared/model/conversation/entry-labels'
import { Label } from '../../../shared/model/conversation/label'
import { plainTags, tagLine } from '../../../shared/model/conversation/tag'
import type { SkeinExportHead } from '../../../shared/model/skein-export'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { yieldToOthers } from '../../disk/pacing/slices'
import { readLines } from '../../disk/reading/lines'
import { readExportEnd } from '../../readers/skein/export-head'
import type { GivenOnImport } from '../families/given-on-import'
import type { CopyOptions } from './copy-on'

/** Facts of an export that an import has to know besides its name. */
export interface ReadExport {
  readonly given: GivenOnImport
  /** Tags and labels that are none here: too long, or without visible characters. */
  readonly refused: number
  /** Its last line is there. */
  readonly isWhole: boolean
}

/**
 * Reads what a person gave a conversation by its export, and whether that has its end. Reads the file once, twice where labels are in
 * it; `copied` is called with the bytes.
 *
 * @throws DiskError; the signal's reason
 */
export async function readGiven(
  disk: Disk,
  file: string,
  head: SkeinExportHead | undefined,
  options: CopyOptions,
): Promise<ReadExport> {
  const opened = await disk.open(file, 'read')
  try {
    const found: FoundLabels = { labels: [], refused: 0 }
    if (await hasLabels(opened, options)) await readLabelsIn(opened, found, options)
    const tags = plainTags(head?.tags ?? [])
    const refusedTags = head?.tags?.filter((tag) => tagLine(tag) === undefined).length ?? 0
    return {
      given: {
        tags,
        isPinned: head?.pinned === true,
        color: head?.color,
        isHidden: head?.hidden === true,
        labels: found.labels,
      },
      refused: found.refused + refusedTags,
      isWhole: (await readExportEnd(opened, options.signal)) !== undefined,
    }
  } finally {
    await opened.close()
  }
}

const labelMark = Buffer.from('"label":')
const chunkBytes = 1024 * 1024

/** A file of many lines without a label is not taken apart. */
async function hasLabels(opened: DiskFile, { copied, signal }: CopyOptions): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes)
  const overlap = labelMark.length - 1
  for (let at = 0; ; ) {
    signal.throwIfAborted()
    const got = await opened.read(buffer, at)
    if (buffer.subarray(0, got).includes(labelMark)) return true
    if (got <= overlap) {
      copied(got)
      return false
    }
    at += got - overlap
    copied(got - overlap)
    await yieldToOthers(got)
  }
}

interface FoundLabels {
  readonly labels: { readonly entry: EntryId; readonly label: Label }[]
  refused: number
}

async function readLabelsIn(
  opened: DiskFile,
  found: FoundLabels,
  { copied, signal }: CopyOptions,
): Promise<void> {
  for await (const lines of readLines(opened, { signal })) {
    let bytes = 0
    for (const line of lines) {
      bytes += line.length + 1
      const { buffer, byteOffset, byteLength } = line.bytes
      if (!Buffer.from(buffer, byteOffset, byteLength).includes(labelMark)) continue
      const decoded = await decodeJsonLineInSlices(line, labelIn)
      if (decoded.type !== 'value') continue
      for (const one of decoded.value)
        if (one === 'refused' || found.labels.length >= mostLabels) found.refused += 1
        else found.labels.push(one)
    }
    copied(bytes)
  }
}

/** None for an entry without a label, and for any other line. */
function labelIn(value: unknown): (FoundLabels['labels'][number] | 'refused')[] {
  if (!isJsonObject(value) || !isJsonObject(value.label)) return []
  const entry = EntryId.min(1).max(1000).safeParse(value.id).data
  const label = Label.safeParse(value.label).data
  const word = label && tagLine(label.word)
  if (entry === undefined || label === undefined || word === undefined) return ['refused']
  return [{ entry, label: { word, color: label.color } }]
}
