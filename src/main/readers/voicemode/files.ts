import path from 'node:path'
import type { UnreadPart } from '../../../shared/model/reading'
import type { Disk, FileStat } from '../../disk/disk'
import { lookAt, lookAtNames, namesIn } from '../found-files'
import { isCopy } from './copies'
import { documentName, type FoundFile } from './documents'

/** The files under a root. */
export interface FoundFiles {
  /** The folder that they are relative to. */
  readonly root: string
  /** By name, which is by date. */
  readonly days: readonly FoundFile[]
  readonly documents: readonly FoundFile[]
  /** What has such a name and is passed over, since it stands elsewhere: a sentence each. */
  readonly notices: readonly string[]
  /** What has such a name and cannot be read, as far as a look tells. */
  readonly unread: readonly UnreadPart[]
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
  const unread: UnreadPart[] = []
  if (stat?.kind === 'file') {
    const found = [{ file: path.basename(root), stat }]
    const isDocument = documentName.test(path.basename(root))
    const kinds = isDocument ? { days: [], documents: found } : { days: found, documents: [] }
    return { root: path.dirname(root), ...kinds, notices, unread }
  }
  if (stat?.kind === 'other')
    unread.push(noFile(path.basename(root), `${path.basename(root)} is not a file.`))
  if (stat?.kind !== 'directory') return { root, days: [], documents: [], notices, unread }
  const find = (folder: string, name: RegExp) => filesIn(root, folder, name, unread, disk, signal)
  const inRoot = await daysOf(root, await find('', dayName), notices, disk)
  const below = await daysOf(root, await find(daysFolder, dayName), notices, disk)
  const days = [...inRoot, ...below]
  const ownDocuments = path.basename(root) === documentsFolder ? await find('', documentName) : []
  const documents = [...ownDocuments, ...(await find(documentsFolder, documentName))]
  return { root, days, documents, notices, unread }
}

function noFile(file: string, sentence: string): UnreadPart {
  return { file, fromByte: 0, cause: 'missing', sentence }
}

/**
 * A packed copy beside its file would tell every line twice: it is passed over. What is packed and holds anything else,
 * such as the beginning of a day that was packed before it had ended, is read beside it.
 */
async function daysOf(
  root: string,
  found: readonly FoundFile[],
  notices: string[],
  disk: Disk,
): Promise<readonly FoundFile[]> {
  const taken = new Map<string, FoundFile>()
  const days: FoundFile[] = []
  const seen = ({ file, stat }: FoundFile) => ({ path: path.join(root, file), stat })
  for (const one of found) {
    const day = one.file.replace(/\.(?:gz|zst)$/i, '')
    const other = taken.get(day)
    const copy =
      other === undefined || one.stat.identity === ''
        ? 'none'
        : await isCopy(disk, seen(one), seen(other))
    if (copy === 'none' || other === undefined) {
      if (one.stat.identity !== '' && other === undefined) taken.set(day, one)
      days.push(one)
      continue
    }
    const what = copy === 'whole' ? 'what is in it' : 'what can be read of it'
    notices.push(`${one.file} is passed over: ${what} stands in ${other.file}.`)
  }
  return days
}

async function filesIn(
  root: string,
  folder: string,
  pattern: RegExp,
  unread: UnreadPart[],
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const whole = path.join(root, folder)
  const names = (await namesIn(disk, whole)).filter((name) => pattern.test(name))
  const looks = await lookAtNames(disk, whole, names, signal)
  return looks.flatMap(({ name, stat = unknownFile, fault }) => {
    const file = path.posix.join(folder, name)
    if (fault === undefined) return [{ file, stat }]
    unread.push(noFile(file, `${file} cannot be read: it ${fault}.`))
    return []
  })
}

const unknownFile: FileStat = { kind: 'file', sizeBytes: 0, mtimeMs: 0, identity: '' }
