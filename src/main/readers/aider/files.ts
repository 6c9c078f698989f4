import path from 'node:path'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { recordPath } from '../../records/interface/record-format'
import { readAbout } from '../../records/lines/composed-format'
import { seenFile } from '../common/composed/composing-in-threads'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  sortedNamesIn,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { glanceOf } from '../common/glance'
import { unreadableSource } from '../common/json-lines'
import { refOfFile } from '../common/one-file'
import type { LookElsewhere, SourceRef } from '../common/reader'
import {
  aiderComposing,
  aiderFormat,
  historyName,
  type ListedSession,
  sessionsName,
} from './records'
import { sessionFact } from './session-fact'

/** A folder of projects, each with a history. */
const deepestFolder = 2

/**
 * Lists the sessions under a root: one history file, or a folder and the folders of projects in it.
 *
 * @throws AppError `unreadable` a file or folder that is there cannot be read; the others are listed before
 */
export async function* listAider(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const folder = top.type === 'file' ? top.folder : root
  const histories: FoundHistory[] = []
  const failure = new FirstFailure()
  if (top.type === 'file') histories.push({ file: top.found.name, one: top.found })
  else
    for await (const found of failure.in(historiesIn(root, '', 0, failure, disk, signal)))
      histories.push(found)
  const seen = histories.flatMap(({ file, one }) => seenFile(path.join(folder, file), one))
  await aiderComposing.ahead(seen, signal, elsewhere)
  for (const { file, one } of histories) yield* failure.in(sessionsIn(folder, file, one, disk))
  failure.throw()
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
  failure: FirstFailure,
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
    else if (one.stat?.kind === 'directory')
      yield* failure.in(historiesIn(root, file, depth + 1, failure, disk, signal))
    else failure.passedBy(one)
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
  const { sessions, stat } = await listedIn(disk, container)
  const known = new Map<string, number>()
  for (const { offset, startedAt, turns, bytes, words } of sessions) {
    const time = startedAt?.replace(' ', 'T').replaceAll(':', '-') ?? 'undated'
    const count = (known.get(time) ?? 0) + 1
    known.set(time, count)
    if (turns === 0) continue
    const key = `${project === '.' ? '' : `${project}/`}${time}${count === 1 ? '' : `-${count}`}`
    const place = recordPath({ container: file, format: aiderFormat, name: `${offset}` })
    const { mtimeMs, identity } = stat
    const own = { file: place.split(path.sep).join('/'), bytes, mtimeMs, identity }
    const ref = refOfFile('aider', root, key, own)
    yield { ...ref, glance: glanceOf(ref, sessionFact(key, container, words), undefined) }
  }
}

async function listedIn(disk: Disk, container: string) {
  try {
    const place = { container, format: aiderFormat, name: sessionsName }
    const { about, stat } = await readAbout(disk, place)
    return { sessions: about.sessions as readonly ListedSession[], stat } // written by `aiderRecords`
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw unreadableSource(container, error)
  }
}
