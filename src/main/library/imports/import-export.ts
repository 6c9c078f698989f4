import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { ImportedConversations } from '../../../shared/model/settings/source-roots'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { liesInFolder, realPathOrNone } from '../../disk/reading/real-path'
import { isZip } from '../../disk/unpack/zip-directory'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import type { HistoryReader } from '../../readers/common/reader'
import { realFileOf } from '../../records/interface/record-format'
import { giveOnImport } from '../families/given-on-import'
import { areSame, type CopyOptions, copyOn } from './copy-on'
import { diskWithout, type ExportFile, filesInExport } from './export-files'
import { importConversations } from './import-conversations'
import { type FoundExports, findSkeinExports } from './skein-exports'
import { whileAlone } from './while-alone'

/** An export that was imported. */
export interface Imported {
  /** The systems whose conversations are in it. */
  readonly sources: readonly SourceId[]
  /** The file or folder in which it is kept now. */
  readonly place: string
  /** False where it was kept there before. */
  readonly isNew: boolean
  /** The reason why not all of it can be read, a sentence; undefined where all can. */
  readonly unread?: string | undefined
  /** For conversations that Skein exported as JSONL; `place` is the folder of imports where they are several, or beside others. */
  readonly conversations?: ImportedConversations
}

/** The progress of an import. */
export interface CopyProgress {
  /** Bytes that are copied, or were there already. */
  readonly bytes: number
  readonly totalBytes: number
}

/** Dependencies of imports. */
export interface ImportDeps {
  /** On which readers read. */
  readonly disk: Disk
  /** On which a packed file is what it is. */
  readonly plain: Disk
  /** Those whose exports are looked for. */
  readonly readers: readonly HistoryReader[]
  /** Of imports. */
  readonly folder: string
  /** Of Skein's own files of a person. */
  readonly userFolder: string
  /** Is called when something of a system is kept, whatever comes after. */
  readonly kept?: ((source: SourceId) => void) | undefined
}

/**
 * Imports an export: keeps a copy of the file or folder, byte for byte, in the folder of imports. One that is there already is
 * not copied again, and one whose copying was stopped goes on. The export itself is not changed. While another Skein imports, it waits.
 *
 * @throws AppError `not-found`, `bad-argument` no conversations are in it or a link leads out of it, `exists`, `disk-full`, `io`; the signal's reason
 */
export async function importExport(
  deps: ImportDeps,
  from: string,
  progress: (now: CopyProgress) => void,
  signal: AbortSignal,
): Promise<Imported> {
  const { disk, plain, readers, folder } = deps
  try {
    const stat = await plain.stat(from)
    if (stat === undefined)
      throw new AppError('not-found', `${path.basename(from)} is not there any more.`)
    if (liesInFolder(folder, from))
      throw new AppError('bad-argument', `${path.basename(from)} is imported already.`)
    if (stat.kind === 'file' && (await isDatabase(plain, from)))
      throw new AppError(
        'bad-argument',
        `${path.basename(from)} is a program's database: add it in Settings, Sources, to read it as it grows.`,
      )
    const own = await findSkeinExports({ disk, plain }, from, signal)
    const found =
      own.exports.length === 0
        ? await conversationsIn(disk, readers, from, signal)
        : await besides(own, { disk, readers }, from, signal)
    if (own.exports.length === 0 && found.sources.length === 0)
      throw new AppError(
        'bad-argument',
        `${path.basename(from)} holds no conversations of a system whose exports Skein reads.`,
      )
    return await whileAlone(plain, folder, signal, async () => {
      if (own.exports.length === 0) return importWhole(deps, from, found, own, progress, signal)
      const ours = await importOwn(deps, own, progress, signal)
      const unread = [ours.unread, found.unread].filter((words) => words !== undefined).join(' ')
      if (found.sources.length === 0) return { ...ours, ...(unread === '' ? {} : { unread }) }
      const whole = await importWhole(deps, from, found, own, progress, signal)
      return {
        sources: [...ours.sources, ...whole.sources],
        place: folder,
        isNew: ours.isNew || whole.isNew,
        ...(unread === '' ? {} : { unread }),
        // They are all kept.
        conversations: { ...ours.conversations, others: 0 },
      }
    })
  } catch (error) {
    signal.throwIfAborted()
    throw readable(error)
  }
}

/** Finds other systems' conversations among the other files of a folder or zip; what is wrong with them leaves ours alone. */
async function besides(
  { exports, others }: FoundExports,
  { disk, readers }: Pick<ImportDeps, 'disk' | 'readers'>,
  from: string,
  signal: AbortSignal,
): Promise<Found> {
  if (others === 0) return { sources: [], documents: new Set() }
  const foreign = readers.filter(({ id }) => id !== 'skein')
  const hidden = diskWithout(disk, filesOf(exports))
  try {
    return await conversationsIn(hidden, foreign, from, signal)
  } catch (error) {
    signal.throwIfAborted()
    const told = readable(error)
    if (!(told instanceof AppError)) throw told
    return { sources: [], documents: new Set(), unread: told.message }
  }
}

function filesOf(exports: FoundExports['exports']): readonly string[] {
  return exports.map(({ file }) => file)
}

/** Copies a file, or a folder but for exports of ours that lie in it. */
async function importWhole(
  { disk, plain, readers, folder, kept }: ImportDeps,
  from: string,
  { documents, ...found }: Found,
  own: FoundExports,
  progress: (now: CopyProgress) => void,
  signal: AbortSignal,
): Promise<Imported> {
  await makeDurableFolder(plain, folder)
  const stat = await plain.stat(from)
  const isOwn = new Set(filesOf(own.exports))
  const { name, files, folderLinks } =
    stat?.kind === 'directory'
      ? { name: path.basename(from), ...(await filesInExport(plain, from, signal)) }
      : {
          name: await fileName(plain, from),
          files: [{ file: '', bytes: stat?.sizeBytes ?? 0 }],
          folderLinks: [],
        }
  if (folderLinks.length > 0) {
    const hidden = [...folderLinks.map((link) => path.join(from, link)), ...isOwn]
    const foreign = own.exports.length === 0 ? readers : readers.filter(({ id }) => id !== 'skein')
    const left = await conversationsIn(diskWithout(disk, hidden), foreign, from, signal)
    await checkAllKept(plain, from, documents, left.documents)
  }
  const foreignFiles = files.filter(({ file }) => !isOwn.has(path.join(from, file)))
  const totalBytes = foreignFiles.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytes = 0
  const copied = (more: number) => {
    bytes = Math.min(bytes + more, totalBytes)
    progress({ bytes, totalBytes })
  }
  progress({ bytes, totalBytes })
  const options = { copied, signal }
  const there = stat?.kind === 'file' ? await twinOf(plain, from, folder, options) : undefined
  if (there !== undefined) return { ...found, place: there, isNew: false }
  for (let number = 1; ; number++) {
    bytes = 0
    const to = path.join(folder, numbered(name, number))
    const isNew = await copyAll(plain, from, to, foreignFiles, options)
    if (isNew === undefined) continue
    for (const source of found.sources) kept?.(source)
    return { ...found, place: to, isNew }
  }
}

async function importOwn(
  { disk, plain, folder, userFolder, kept }: ImportDeps,
  found: FoundExports,
  progress: (now: CopyProgress) => void,
  signal: AbortSignal,
): Promise<Imported & { readonly conversations: ImportedConversations }> {
  const totalBytes = found.exports.reduce((sum, { bytes }) => sum + 2 * bytes, 0)
  let bytes = 0
  progress({ bytes, totalBytes })
  const copied = (more: number) => {
    bytes = Math.min(bytes + more, totalBytes)
    progress({ bytes, totalBytes })
  }
  const deps = {
    disk,
    folder,
    give: (all: Parameters<typeof giveOnImport>[2]) => giveOnImport(plain, userFolder, all),
    kept: () => kept?.('skein'),
  }
  const { places, ...conversations } = await importConversations(deps, found, { copied, signal })
  const [place = folder] = places
  const unread = unreadWords(conversations)
  return {
    sources: ['skein'],
    place: found.exports.length === 1 ? place : folder,
    isNew: conversations.added > 0,
    ...(unread === undefined ? {} : { unread }),
    conversations,
  }
}

/** What is missing of conversations that were, or should have been, imported. */
function unreadWords({ brokenOff, failed, faults }: ImportedConversations): string | undefined {
  const untold = failed - faults.length
  const words = [
    ...(brokenOff > 0
      ? [
          `${countWithNoun(brokenOff, 'export')} ${plural(brokenOff, 'breaks', 'break')} off: last entries may be missing.`,
        ]
      : []),
    ...faults,
    ...(untold > 0 ? [`${countWithNoun(untold, 'more export')} could not be imported.`] : []),
  ]
  return words.length === 0 ? undefined : words.join(' ')
}

/** Conversations that readers find in an export. */
interface Found extends Pick<Imported, 'sources' | 'unread'> {
  /** The files on the disk, as they were found, that conversations are in. */
  readonly documents: ReadonlySet<string>
}

/** Finds the systems whose readers find a conversation there; all is listed, since what is damaged may come last. */
async function conversationsIn(
  disk: Disk,
  readers: readonly HistoryReader[],
  from: string,
  signal: AbortSignal,
): Promise<Found> {
  const sources = new Set<SourceId>()
  const documents = new Set<string>()
  // What readers remember of files is remembered for a disk: this one's is let go with it. The copy is what is listed later.
  const own: Disk = { ...disk }
  let fault: unknown
  for (const reader of readers) {
    if (reader.isImported !== true) continue
    try {
      for await (const { root, files, unread: [part] = [] } of reader.list(from, own, signal)) {
        sources.add(reader.id)
        for (const { file } of files) documents.add(realFileOf(path.join(root, file)))
        fault ??= part && new AppError('unreadable', part.sentence)
      }
    } catch (error) {
      signal.throwIfAborted()
      fault ??= error
    }
  }
  const found = { sources: [...sources], documents }
  if (fault === undefined) return found
  const told = readable(fault)
  if (sources.size === 0 || !(told instanceof AppError)) throw told
  return { ...found, unread: told.message }
}

/**
 * Checks that what readers found is found without links to folders too, which a copy has not: what they lead to may be where no reader
 * looks.
 *
 * @throws AppError `bad-argument` it is not
 */
async function checkAllKept(
  disk: Disk,
  from: string,
  found: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): Promise<void> {
  const places = new Set<string | undefined>()
  for (const document of kept) places.add(await realPathOrNone(disk, document))
  for (const document of found) {
    if (kept.has(document) || places.has(await realPathOrNone(disk, document))) continue
    throw new AppError(
      'bad-argument',
      `${path.basename(from)} holds conversations behind a link, ${path.relative(from, document)}. Put the folder that it leads to in its place first.`,
    )
  }
}

/** A file of imports with the same bytes, whatever its name is: browsers number what they save twice. */
async function twinOf(
  disk: Disk,
  from: string,
  folder: string,
  options: CopyOptions,
): Promise<string | undefined> {
  for (const name of [...(await disk.list(folder))].sort()) {
    const place = path.join(folder, name)
    if (!name.startsWith('.') && (await areSame(disk, from, place, options))) return place
  }
  return undefined
}

/** True for a new copy, false where all was there; undefined where other files have these names. */
async function copyAll(
  disk: Disk,
  from: string,
  to: string,
  files: readonly ExportFile[],
  options: CopyOptions,
): Promise<boolean | undefined> {
  const places = files.map(({ file }) => [path.join(from, file), path.join(to, file)] as const)
  const missing: (readonly [string, string])[] = []
  for (const [source, target] of places) {
    if ((await disk.stat(target)) === undefined) missing.push([source, target])
    else if (!(await areSame(disk, source, target, options))) return undefined
  }
  for (const [source, target] of missing) {
    await makeDurableFolder(disk, path.dirname(target))
    await copyOn(disk, source, target, options)
  }
  return missing.length > 0
}

const databaseMark = 'SQLite format 3\0'

/** A copy of a database would be without what its program has not yet written into it. */
async function isDatabase(disk: Disk, file: string): Promise<boolean> {
  const opened = await disk.open(file, 'read')
  try {
    const head = await readExactly(opened, 0, databaseMark.length)
    return Buffer.from(head).toString('latin1') === databaseMark
  } finally {
    await opened.close()
  }
}

/** With an ending by which its reader finds it in a folder. */
async function fileName(disk: Disk, file: string): Promise<string> {
  const name = path.basename(file).replace(/^\.+/, '')
  const opened = await disk.open(file, 'read')
  try {
    if (await isZip(opened)) return /\.(?:zip|dat|download)$/i.test(name) ? name : `${name}.zip`
  } finally {
    await opened.close()
  }
  if (/^conversations\b[^/]*\.json$/i.test(name)) return name
  return `conversations ${name.replace(/\.json$/i, '')}.json`
}

function numbered(name: string, number: number): string {
  if (number === 1) return name
  const { name: stem, ext } = path.parse(name)
  return `${stem} (${number})${ext}`
}

function readable(error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  const options = { detail: `${error.code}: ${error.path}`, cause: error }
  return error.code === 'no-space'
    ? new AppError('disk-full', 'The disk is full.', options)
    : new AppError('io', `${error.message}.`, options)
}
