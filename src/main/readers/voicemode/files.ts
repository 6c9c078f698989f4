import path from 'node:path'
import type { Disk, FileStat } from '../../disk/disk'
import { isNotFound } from '../../disk/read'
import { lookAtNames } from '../found-files'
import { unreadable } from '../json-lines'
import { documentName, type FoundFile } from './documents'

/** The files under a root. */
export interface FoundFiles {
  /** The folder that they are relative to. */
  readonly root: string
  /** By name, which is by date. */
  readonly days: readonly FoundFile[]
  readonly documents: readonly FoundFile[]
  /** What has such a name and is not read, in a sentence each. */
  readonly notices: readonly string[]
}

const dayName = /^exchanges_.*\.jsonl(?:\.gz|\.zst)?$/is
const daysFolder = 'logs/conversations'
const documentsFolder = 'transcriptions'

/**
 * Looks for files by folder and name: in voicemode's own folder, in one of day files or text files, or one file of any
 * name. @throws AppError `unreadable` a folder that is there cannot be listed
 */
export async function findFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const stat = await lookAt(disk, root)
  const notices: string[] = []
  if (stat?.kind === 'file') {
    const found = [{ file: path.basename(root), stat }]
    const isDocument = documentName.test(path.basename(root))
    const kinds = isDocument ? { days: [], documents: found } : { days: found, documents: [] }
    return { root: path.dirname(root), ...kinds, notices }
  }
  if (stat?.kind === 'other') notices.push(`${path.basename(root)} is not a file.`)
  if (stat?.kind !== 'directory') return { root, days: [], documents: [], notices }
  const find = (folder: string, name: RegExp) => filesIn(root, folder, name, notices, disk, signal)
  const inRoot = daysOf(await find('', dayName), notices)
  const days = [...inRoot, ...daysOf(await find(daysFolder, dayName), notices)]
  const ownDocuments = path.basename(root) === documentsFolder ? await find('', documentName) : []
  const documents = [...ownDocuments, ...(await find(documentsFolder, documentName))]
  return { root, days, documents, notices }
}

/**
 * One file a day: a packed copy beside the file would tell every line twice, with the same ids. The plain one is
 * taken, by name the first, unless nothing can be told of it.
 */
function daysOf(found: readonly FoundFile[], notices: string[]): readonly FoundFile[] {
  const taken = new Map<string, string>()
  return found.filter(({ file, stat }) => {
    const day = file.replace(/\.(?:gz|zst)$/i, '')
    const other = taken.get(day)
    if (other === undefined) {
      if (stat.identity !== '') taken.set(day, file)
      return true
    }
    const kind = other === day ? 'plain file' : 'file packed otherwise'
    notices.push(`${file} is passed over: the ${kind} of that day is there.`)
    return false
  })
}

async function filesIn(
  root: string,
  folder: string,
  pattern: RegExp,
  notices: string[],
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const whole = path.join(root, folder)
  const names = (await namesIn(disk, whole)).filter((name) => pattern.test(name)).sort()
  const looks = await lookAtNames(disk, whole, names, signal)
  return looks.flatMap(({ name, stat = unknownFile, fault }) => {
    const file = path.posix.join(folder, name)
    if (fault === undefined) return [{ file, stat }]
    notices.push(`${file} cannot be read: it ${fault}.`)
    return []
  })
}

const unknownFile: FileStat = { kind: 'file', sizeBytes: 0, mtimeMs: 0, identity: '' }

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw unreadable(folder, error)
  }
}

async function lookAt(disk: Disk, root: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(root)
  } catch (error) {
    throw unreadable(root, error)
  }
}
