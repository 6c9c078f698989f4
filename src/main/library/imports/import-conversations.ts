import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { EntryId } from '../../../shared/model/conversation/entry'
import { Label, type LabelColor } from '../../../shared/model/conversation/label'
import { plainTags } from '../../../shared/model/conversation/tag'
import type { ImportedConversations } from '../../../shared/model/settings/source-roots'
import { type SkeinExportHead, skeinExportForm } from '../../../shared/model/skein-export'
import type { Disk } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines } from '../../disk/reading/lines'
import { isZip } from '../../disk/unpack/zip-directory'
import { memberName, zipMembersFolder } from '../../disk/unpack/zip-path'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { readExportHead } from '../../readers/skein/export-head'
import { openLabels } from '../families/labels'
import { openTitles } from '../families/titles'
import { areSame, type CopyOptions, copyOn } from './copy-on'
import { filesInExport } from './export-files'

/** Tags, pin, colour and labels that a person gave a conversation in Skein, as its export has them. */
export interface GivenInExport {
  readonly tags: readonly string[]
  readonly isPinned: boolean
  readonly color: LabelColor | undefined
  readonly isHidden: boolean
  readonly labels: readonly { readonly entry: EntryId; readonly label: Label }[]
}

/** Makes what writes that into Skein's own files of a person, where it stands for all conversations but a home's. */
export function givenInto(disk: Disk, userFolder: string): TakeGiven {
  const options = { disk, home: undefined, userFolder }
  const titles = openTitles(options)
  const labels = openLabels(options)
  return async (key, given) => {
    if (given.tags.length > 0) await titles.changeTags(key, () => given.tags)
    if (given.isPinned) await titles.setPinned(key, true)
    if (given.color !== undefined) await titles.setColor(key, given.color)
    if (given.isHidden) await titles.setHidden(key, true)
    for (const { entry, label } of given.labels) await labels.set(key, entry, label)
  }
}

/** Takes what an export says that a person gave its conversation. @throws AppError `read-only`, `disk-full`, `io` */
type TakeGiven = (key: LibraryKey, given: GivenInExport) => Promise<void>

/** An export of one conversation, where it was found. */
interface FoundExport {
  /** A path on the disk that readers read on: in a zip, of its member. */
  readonly file: string
  readonly bytes: number
  readonly head: SkeinExportHead
}

/** Exports of Skein's in a file, zip or folder. */
export interface FoundExports {
  readonly exports: readonly FoundExport[]
  readonly others: number
}

/**
 * Finds the conversations that Skein exported as JSONL: the file itself, whatever its name is, or those in a zip or folder. Reads the
 * first line of each.
 *
 * @throws AppError `bad-argument` where one was written by a newer Skein, or a link leads out of a folder; DiskError
 */
export async function findSkeinExports(
  { disk, plain }: { readonly disk: Disk; readonly plain: Disk },
  from: string,
  signal: AbortSignal,
): Promise<FoundExports> {
  const stat = await plain.stat(from)
  const files = stat?.kind === 'directory' ? await inFolder(plain, from, signal) : [from]
  const exports: FoundExport[] = []
  let others = 0
  for (const file of files) {
    const members = await membersOf(disk, plain, file)
    for (const one of members ?? [file]) {
      const isAlone = one === from
      const head = isAlone || lineName.test(one) ? await headOf(disk, one, signal) : undefined
      if (head === undefined) others += 1
      else exports.push({ file: one, bytes: (await disk.stat(one))?.sizeBytes ?? 0, head })
    }
  }
  const newer = exports.find(({ head }) => head.skeinExport > skeinExportForm)
  if (newer !== undefined)
    throw new AppError(
      'bad-argument',
      `${path.basename(from)} was exported by a newer Skein. Update Skein, then import it.`,
    )
  return { exports, others }
}

/** The names that an export of many has: of the images and documents of other systems' exports not even the first line is read. */
const lineName = /\.jsonl$/i

async function inFolder(plain: Disk, from: string, signal: AbortSignal) {
  const { files } = await filesInExport(plain, from, signal)
  return files.map(({ file }) => path.join(from, file))
}

async function membersOf(
  disk: Disk,
  plain: Disk,
  file: string,
): Promise<readonly string[] | undefined> {
  const opened = await plain.open(file, 'read')
  try {
    if (!(await isZip(opened))) return undefined
  } finally {
    await opened.close()
  }
  const folder = zipMembersFolder(file)
  // A zip that is none any further on is no export of Skein's: its own reader says what is wrong.
  const members = await disk.list(folder).catch(() => [])
  return members
    .filter((name) => memberName(name) !== '')
    .map((name) => path.join(folder, name))
    .sort()
}

/** Nothing but lines can be one: a document of another system is not read here. */
async function headOf(
  disk: Disk,
  file: string,
  signal: AbortSignal,
): Promise<SkeinExportHead | undefined> {
  const opened = await disk.open(file, 'read').catch(() => undefined)
  try {
    return opened && (await readExportHead(opened, signal))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error)) throw error
    return undefined
  } finally {
    await opened?.close()
  }
}

/**
 * Imports exports of Skein's, each under a name by its conversation: keeps a copy byte for byte, and hands on what a person gave it. One
 * that is there already is not copied again; one with other contents gets a name of its own.
 *
 * @throws AppError, DiskError; the signal's reason
 */
export async function importConversations(
  {
    disk,
    folder,
    given,
  }: { readonly disk: Disk; readonly folder: string; readonly given: TakeGiven },
  { exports, others }: FoundExports,
  options: CopyOptions,
): Promise<ImportedConversations & { readonly places: readonly string[] }> {
  await makeDurableFolder(disk, folder)
  const counts = { added: 0, known: 0, beside: 0 }
  const places: string[] = []
  for (const one of exports) {
    options.signal.throwIfAborted()
    for (let number = 1; ; number++) {
      const key = number === 1 ? nameOf(one.head) : `${nameOf(one.head)} (${number})`
      const to = path.join(folder, `${key}.skein.jsonl`)
      if ((await disk.stat(to)) === undefined) {
        // Before the copy has its name: what is stopped in between is done again whole.
        await given(libraryKeyOf('skein', key), await givenIn(disk, one, options.signal))
        await copyOn(disk, one.file, to, options)
        counts.added += 1
        if (number > 1) counts.beside += 1
        places.push(to)
        break
      }
      if (!(await areSame(disk, one.file, to, options))) continue
      counts.known += 1
      places.push(to)
      break
    }
  }
  return { ...counts, others, places }
}

/** Longest name of a file without its ending, in UTF-8 bytes: file systems take 255. */
const longestName = 150

function nameOf({ source, key }: SkeinExportHead): string {
  const whole = `${source}-${key}`.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  let name = whole
  while (Buffer.byteLength(name) > longestName) name = name.slice(0, -1)
  return name.replace(/[\uD800-\uDBFF]$/, '') || 'conversation'
}

/** None for an entry without a label, and for any other line. */
function labelIn(value: unknown): GivenInExport['labels'] {
  if (!isJsonObject(value)) return []
  const entry = EntryId.min(1).max(1000).safeParse(value.id).data
  const label = Label.safeParse(value.label).data
  return entry === undefined || label === undefined ? [] : [{ entry, label }]
}

const labelMark = Buffer.from('"label":')

async function givenIn(
  disk: Disk,
  { file, head }: FoundExport,
  signal: AbortSignal,
): Promise<GivenInExport> {
  const labels: GivenInExport['labels'][number][] = []
  const opened = await disk.open(file, 'read')
  try {
    for await (const lines of readLines(opened, { signal }))
      for (const line of lines) {
        const { buffer, byteOffset, byteLength } = line.bytes
        if (!Buffer.from(buffer, byteOffset, byteLength).includes(labelMark)) continue
        const decoded = await decodeJsonLineInSlices(line, labelIn)
        if (decoded.type === 'value') pushAll(labels, decoded.value)
      }
  } finally {
    await opened.close()
  }
  return {
    tags: plainTags(head.tags ?? []),
    isPinned: head.pinned === true,
    color: head.color,
    isHidden: head.hidden === true,
    labels,
  }
}
