import path from 'node:path'
import type { Disk, FileStat } from '../../disk/disk'
import { inTurn } from '../../disk/in-turn'
import { isNotFound } from '../../disk/read'
import { unreadable } from '../json-lines'
import { documentName, type FoundFile } from './documents'

/** The files under a root. */
export interface FoundFiles {
  /** The folder that they are relative to. */
  readonly root: string
  /** By name, which is by date. */
  readonly days: readonly FoundFile[]
  readonly documents: readonly FoundFile[]
}

const dayName = /^exchanges_.*\.jsonl(?:\.gz|\.zst)?$/i
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
  if (stat?.kind === 'file') {
    const found = [{ file: path.basename(root), stat }]
    const isDocument = documentName.test(path.basename(root))
    const kinds = isDocument ? { days: [], documents: found } : { days: found, documents: [] }
    return { root: path.dirname(root), ...kinds }
  }
  if (stat?.kind !== 'directory') return { root, days: [], documents: [] }
  const find = (folder: string, name: RegExp) => filesIn(root, folder, name, disk, signal)
  const days = [...(await find('', dayName)), ...(await find(daysFolder, dayName))]
  const ownDocuments = path.basename(root) === documentsFolder ? await find('', documentName) : []
  const documents = [...ownDocuments, ...(await find(documentsFolder, documentName))]
  return { root, days, documents }
}

async function filesIn(
  root: string,
  folder: string,
  pattern: RegExp,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const names = (await namesIn(disk, path.join(root, folder)))
    .filter((name) => pattern.test(name))
    .sort()
  const stats = await inTurn(names, async (name) => {
    signal.throwIfAborted()
    // One that nothing can be told of is there all the same: opening it says why.
    return disk.stat(path.join(root, folder, name)).catch(() => unknownFile)
  })
  return names.flatMap((name, at) => {
    const stat = stats[at]
    return stat?.kind === 'file' ? [{ file: path.posix.join(folder, name), stat }] : []
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
