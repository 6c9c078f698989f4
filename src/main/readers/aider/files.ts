import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readAbout } from '../../records/lines/composed-format'
import {
  type FoundName,
  findRoot,
  sortedNamesIn,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { unreadableSource } from '../common/json-lines'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { recordFileRef } from '../common/record-file-ref'
import { aiderFormat, sessionsName } from './records'
import type { SessionStart } from './sessions'

const historyName = '.aider.chat.history.md'
/** A folder of projects, each with a history. */
const deepestFolder = 2

/**
 * Lists the sessions under a root: one history file, or a folder and the folders of projects in it.
 *
 * @throws AppError `unreadable` a file that is there cannot be read; the others are listed before
 */
export async function* listAider(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') return yield* sessionsIn(top.folder, top.found.name, top.found, disk)
  for await (const { file, one } of historiesIn(root, '', 0, disk, signal))
    yield* sessionsIn(root, file, one, disk)
}

interface FoundHistory {
  /** Relative to the root. */
  readonly file: string
  readonly one: FoundName
}

async function* historiesIn(
  root: string,
  folder: string,
  depth: number,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<FoundHistory> {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter(
    (name) =>
      name === historyName ||
      (depth < deepestFolder && !name.startsWith('.') && name !== 'node_modules'),
  )
  for (const one of await statNames(disk, whole, names, signal)) {
    const file = path.posix.join(folder, one.name)
    if (one.name === historyName) yield { file, one }
    else if (one.stat?.kind === 'directory') yield* historiesIn(root, file, depth + 1, disk, signal)
  }
}

/**
 * A session is named by its project and the time at which it began; of several in one second the later ones have a number. Lines
 * before the first session, which no time is told of, are `undated`.
 */
async function* sessionsIn(
  root: string,
  file: string,
  one: FoundName,
  disk: Disk,
): AsyncGenerator<SourceRef> {
  const container = path.join(root, file)
  const project = path.posix.dirname(file)
  const isThere = one.stat?.kind === 'file' && one.fault === undefined
  // Reading it reports why it cannot be read.
  if (!isThere) return yield refOfFile('aider', root, file, sourceFileOf(file, one))
  const starts = await startsIn(disk, container)
  // Any text has lines: one of another name is a history by the beginning of a session alone.
  const isHistory = one.name === historyName || starts.some(({ startedAt }) => startedAt)
  const known = new Map<string, number>()
  for (const { offset, startedAt } of isHistory ? starts : []) {
    const time = startedAt?.replace(' ', 'T').replaceAll(':', '-') ?? 'undated'
    const count = (known.get(time) ?? 0) + 1
    known.set(time, count)
    const key = `${project === '.' ? '' : `${project}/`}${time}${count === 1 ? '' : `-${count}`}`
    const by = { source: 'aider', format: aiderFormat, name: `${offset}` } as const
    const { ref, about } = await recordFileRef(by, { root, key, file, one }, disk)
    if (about?.turns !== 0) yield ref
  }
}

async function startsIn(disk: Disk, container: string): Promise<readonly SessionStart[]> {
  try {
    const place = { container, format: aiderFormat, name: sessionsName }
    const { sessions } = (await readAbout(disk, place)).about
    return (Array.isArray(sessions) ? sessions : []).filter(isStart)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw unreadableSource(container, error)
  }
}

function isStart(value: unknown): value is SessionStart {
  return (
    isJsonObject(value) &&
    typeof value.offset === 'number' &&
    (value.startedAt === undefined || typeof value.startedAt === 'string')
  )
}
