import { createHash } from 'node:crypto'
import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk, DiskFile, FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { isNotFound } from '../../disk/reading/read'
import { openSource, unreadableSource } from './json-lines'
import type { SourceFile } from './reader'

/** A name in a folder, with its stat or the reason why it has none. */
export interface FoundName {
  readonly name: string
  /** Undefined where it has no stat, or nothing is found under a name that is listed. */
  readonly stat: FileStat | undefined
  /** Why it cannot be read, as far as its stat shows: "is a folder, not a file". */
  readonly fault?: string
}

/** The root of a listing that is there: a folder, or one file. */
type FoundRoot =
  | { readonly type: 'folder' }
  | {
      readonly type: 'file'
      /** The folder that it lies in, absolute: places are relative to that. */
      readonly folder: string
      readonly found: FoundName
    }

/**
 * Finds what the root of a listing is; undefined where nothing is there.
 *
 * @throws AppError `unreadable`
 */
export async function findRoot(disk: Disk, root: string): Promise<FoundRoot | undefined> {
  const stat = await statSource(disk, root)
  if (stat === undefined) return undefined
  if (stat.kind === 'directory') return { type: 'folder' }
  const fault = stat.kind === 'file' ? {} : { fault: 'is not a file' }
  const found = { name: path.basename(root), stat, ...fault }
  return { type: 'file', folder: path.dirname(root), found }
}

/**
 * Lists what is in a folder below a root, with stats, by name; names that begin with a dot are left out.
 *
 * @throws AppError `unreadable`
 */
export async function foundIn(
  disk: Disk,
  root: string,
  folder: string,
  signal: AbortSignal,
): Promise<readonly FoundName[]> {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter((name) => !name.startsWith('.'))
  return statNames(disk, whole, names, signal)
}

/** Returns true for a found folder. */
export function isFolder({ stat }: FoundName): boolean {
  return stat?.kind === 'directory'
}

/**
 * Reads the stat of each listed name; those that are gone meanwhile are left out.
 *
 * @throws AppError `unreadable`
 */
export async function statNames(
  disk: Disk,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundName[]> {
  const stats = await mapConcurrent(names, async (name) => {
    signal.throwIfAborted()
    // One without a stat is listed all the same: opening it reports why.
    const stat = await disk.stat(path.join(folder, name)).catch(() => 'unknown' as const)
    return { name, stat }
  })
  const isMissing = stats.some(({ stat }) => stat === undefined)
  const listed = new Set(isMissing ? await sortedNamesIn(disk, folder) : [])
  return stats.flatMap(({ name, stat }): readonly FoundName[] => {
    if (stat === 'unknown') return [{ name, stat: undefined }]
    if (stat === undefined)
      return listed.has(name) ? [{ name, stat, fault: missingWords(name) }] : []
    if (stat.kind === 'file') return [{ name, stat }]
    const fault = stat.kind === 'directory' ? 'is a folder, not a file' : 'is not a file'
    return [{ name, stat, fault }]
  })
}

/**
 * Converts a found name to a file of a conversation: of one that cannot be read the name alone, so that reading it
 * reports why.
 */
export function sourceFileOf(file: string, { stat, fault }: Omit<FoundName, 'name'>): SourceFile {
  if (stat === undefined || fault !== undefined) return { file, bytes: 0, mtimeMs: undefined }
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  return { file, bytes, mtimeMs, identity }
}

/**
 * Opens a file that was listed. One that cannot be opened though its folder has its name is `unreadable`, not gone.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function openListed(disk: Disk, file: string): Promise<DiskFile> {
  try {
    return await openSource(disk, file)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error
    const name = path.basename(file)
    const names: readonly string[] = await sortedNamesIn(disk, path.dirname(file)).catch(() => [])
    if (!names.includes(name)) throw error
    const words = `${name} cannot be read: it ${missingWords(name)}.`
    throw new AppError('unreadable', words, { detail: file, cause: error })
  }
}

/**
 * Opens a file that was listed, hands it to `read`, and closes it.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function inListedFile<T>(
  disk: Disk,
  file: string,
  read: (opened: DiskFile) => Promise<T>,
): Promise<T> {
  const opened = await openListed(disk, file)
  try {
    return await read(opened)
  } catch (error) {
    throw unreadableSource(file, error)
  } finally {
    await opened.close()
  }
}

/**
 * Returns true for a name that was not UTF-8: it is listed with replacement characters, under which nothing is found.
 */
export function isGarbled(name: string): boolean {
  return name.includes('\ufffd')
}

/** Returns why a listed name leads to nothing, as the end of a sentence: "is a link to nothing". */
export function missingWords(name: string): string {
  return isGarbled(name) ? 'has a name that is not valid UTF-8' : 'is a link to nothing'
}

/**
 * Lists the names in a folder, sorted; none where there is no folder.
 *
 * @throws AppError `unreadable`
 */
export async function sortedNamesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return [...(await disk.list(folder))].sort()
  } catch (error) {
    if (isNotFound(error)) return []
    throw unreadableSource(folder, error)
  }
}

/**
 * Reads the stat of a path; undefined where nothing is there.
 *
 * @throws AppError `unreadable`
 */
export async function statSource(disk: Disk, place: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(place)
  } catch (error) {
    throw unreadableSource(place, error)
  }
}

/** Makes a text that is another one whenever the files of saved outputs are others; undefined for none (`SourceFile.outputs`). */
export function outputsStamp(found: readonly FoundName[]): string | undefined {
  if (found.length === 0) return undefined
  const facts = found.map(({ name, stat }) => [
    name,
    stat?.identity,
    stat?.sizeBytes,
    stat?.mtimeMs,
  ])
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
}
