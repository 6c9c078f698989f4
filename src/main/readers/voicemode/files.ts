import path from 'node:path'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { FirstFailure } from '../common/first-failure'
import { findRoot, sortedNamesIn, statNames } from '../common/found-files'
import { type CopyKind, isCopy } from './copies'
import { withoutDayDuplicates } from './day-duplicates'
import { documentName, type FoundFile } from './documents'

/** The files under a root. */
export interface FoundFiles {
  /** The folder that they are relative to. */
  readonly root: string
  /** By name, which is by date. */
  readonly days: readonly FoundFile[]
  readonly documents: readonly FoundFile[]
  /** Files of such a name that are skipped, since their text is elsewhere: a sentence each. */
  readonly notices: readonly string[]
  /** Files of such a name that cannot be read, as far as their stat shows. */
  readonly unread: readonly UnreadPart[]
  /** That of a folder that cannot be listed: to be thrown behind what the others have. */
  readonly failure: FirstFailure
}

const dayName = /^exchanges_.*\.jsonl(?:\.gz|\.zst)?$/is
/** Folders in which the logger writes since lines of version 3, and did before. */
const daysFolders = ['logs/conversations', 'logs']
const documentsFolder = 'transcriptions'

/**
 * Finds files by folder and name: in voicemode's own folder, in one of day files or text files, or one file of any
 * name.
 *
 * @throws AppError `unreadable` the root cannot be looked at
 */
export async function findVoicemodeFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const top = await findRoot(disk, root)
  const notices: string[] = []
  const unread: UnreadPart[] = []
  const failure = new FirstFailure()
  if (top === undefined) return { root, days: [], documents: [], notices, unread, failure }
  if (top.type === 'file') {
    const { name: file, stat, fault } = top.found
    if (fault !== undefined) unread.push(noFile(file, `${file} ${fault}.`))
    const found = stat === undefined || fault !== undefined ? [] : [{ file, stat }]
    const isDocument = documentName.test(file)
    const kinds = isDocument ? { days: [], documents: found } : { days: found, documents: [] }
    return { root: top.folder, ...kinds, notices, unread, failure }
  }
  const find = (folder: string, name: RegExp) =>
    failure.or(filesIn(root, folder, name, unread, disk, signal), [])
  // A root that is the folder `logs` has the other one right in it.
  const below = path.basename(root) === 'logs' ? ['conversations', ...daysFolders] : daysFolders
  const found: FoundFile[] = []
  for (const folder of ['', ...below]) pushAll(found, await find(folder, dayName))
  const days = await daysOf(root, found, notices, disk)
  const ownDocuments = path.basename(root) === documentsFolder ? await find('', documentName) : []
  const documents = [...ownDocuments, ...(await find(documentsFolder, documentName))]
  const spoken = await withoutDayDuplicates(root, documents, days, disk, signal)
  pushAll(notices, spoken.notices)
  return { root, days, documents: spoken.documents, notices, unread, failure }
}

function noFile(file: string, sentence: string): UnreadPart {
  return { file, fromByte: 0, cause: 'missing', sentence }
}

/**
 * A copy of a day, packed or in another folder, would show every line twice: it is skipped. One that holds anything
 * else, such as the day on which the logger changed its folder, is read as well. By date.
 */
async function daysOf(
  root: string,
  found: readonly FoundFile[],
  notices: string[],
  disk: Disk,
): Promise<readonly FoundFile[]> {
  const taken = new Map<string, FoundFile[]>()
  const days: FoundFile[] = []
  const seen = ({ file, stat }: FoundFile) => ({ path: path.join(root, file), stat })
  for (const one of [...found].sort(longestFirst)) {
    const day = dayOf(one.file)
    const others = taken.get(day) ?? []
    if (one.stat.identity !== '') taken.set(day, [...others, one])
    const isEmpty = one.stat.sizeBytes === 0 && !packed.test(one.file)
    let copy: CopyKind = 'none'
    for (const other of one.stat.identity === '' || isEmpty ? [] : others) {
      copy = await isCopy(disk, seen(one), seen(other))
      if (copy === 'none') continue
      const what = copy === 'whole' ? 'everything in it' : 'what can be read of it'
      notices.push(`${one.file} is skipped: ${what} is also in ${other.file}.`)
      break
    }
    if (copy === 'none') days.push(one)
  }
  return days.sort(byDay)
}

const packed = /\.(?:gz|zst)$/i

function dayOf(file: string): string {
  return path.posix.basename(file).replace(packed, '')
}

/** Compares two files by length; a packed one comes last, since the plain file is what Skein reads in pages. */
function longestFirst(a: FoundFile, b: FoundFile): number {
  const plainFirst = Number(packed.test(a.file)) - Number(packed.test(b.file))
  return plainFirst || b.stat.sizeBytes - a.stat.sizeBytes || (a.file < b.file ? -1 : 1)
}

function byDay(a: FoundFile, b: FoundFile): number {
  const [day, other] = [dayOf(a.file), dayOf(b.file)]
  if (day !== other) return day < other ? -1 : 1
  return a.file < b.file ? -1 : 1
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
  const names = (await sortedNamesIn(disk, whole)).filter((name) => pattern.test(name))
  const looks = await statNames(disk, whole, names, signal)
  return looks.flatMap(({ name, stat = unknownFile, fault }) => {
    const file = path.posix.join(folder, name)
    if (fault === undefined) return [{ file, stat }]
    unread.push(noFile(file, `${file} cannot be read: it ${fault}.`))
    return []
  })
}

const unknownFile: FileStat = { kind: 'file', sizeBytes: 0, mtimeMs: 0, identity: '' }
