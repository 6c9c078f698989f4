import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { identityOf, recordNameOf } from '../../records/document/document-format'
import type { DocumentIndexes, IndexedElement } from '../common/document-index'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  foundIn,
  inListedFile,
  isFolder,
  sortedNamesIn,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import { perFileCache } from '../common/per-file-cache'
import type { LookElsewhere, SourceFile, SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'
import { readSessionId } from './session-id'
import { sessionOutputs } from './session-outputs'

const chatsFolder = 'chats'
const sessionName = /^session-.*\.jsonl?$/is
const agentName = /^[^.].*\.jsonl?$/is

/** Chats, what tools answered and was too long for them, and the names of their projects. Gemini CLI deletes chats. */
export const geminiBackup: BackupRule = {
  folders: ['tmp'],
  levels: 4,
  isWanted(file, root) {
    const name = path.posix.basename(file)
    if (name === '.project_root') return true
    if (/(?:^|\/)tool-outputs\/(?:session-[^/]+\/)?[^/]+$/.test(file)) return true
    // Right in the folder of a project, beside its chats.
    const project = path.basename(root) === 'tmp' ? '[^/]+/' : '(?:tmp/[^/]+/)?'
    if (new RegExp(`^${project}[^/]+\\.output$`).test(file)) return true
    return sessionName.test(name) || (/(?:^|\/)chats\//.test(file) && isAgent(name))
  },
  isBeside: (name) => name === 'projects.json',
  deletes: { afterDays: 30, setting: 'general.sessionRetention' },
}

interface Found {
  /** Relative to the root. */
  readonly file: string
  readonly one: FoundName
  /** The session that called it, for a subagent. */
  readonly parent: string | undefined
}

/**
 * Lists the sessions under a root, each with its subagents: Gemini's own folder, `tmp` in it, a project's folder there, its
 * `chats`, or one file. A session that is there as a document and as lines is one, and its lines are read.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listGemini(
  indexes: DocumentIndexes,
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const found: Found[] = []
  let failure: unknown
  const base = top.type === 'file' ? top.folder : root
  try {
    if (top.type === 'file') found.push({ file: top.found.name, one: top.found, parent: undefined })
    else for await (const one of findIn(root, disk, signal)) found.push(one)
  } catch (error) {
    signal.throwIfAborted()
    failure = error
  }
  yield* refsOf(base, found, indexes, disk, signal, elsewhere)
  if (failure !== undefined) throw failure
}

/** Sessions first, each with its subagents behind it. */
async function* refsOf(
  root: string,
  all: readonly Found[],
  indexes: DocumentIndexes,
  disk: Disk,
  signal: AbortSignal,
  elsewhere: LookElsewhere | undefined,
): AsyncGenerator<SourceRef> {
  const documents = all.filter(({ file, one }) => isDocument(file) && isFile(one))
  const seen = documents.flatMap(({ file, one: { stat } }) =>
    stat === undefined ? [] : [{ path: path.join(root, file), stat }],
  )
  const indexed = await indexes.of(seen, disk, signal, elsewhere)
  const byPath = new Map(seen.map((one, at) => [one.path, indexed[at]] as const))
  const outputs = sessionOutputs(disk, signal)
  const chosen = new Map<string, SourceRef>()
  for (const { file, one, parent } of all) {
    const index = byPath.get(path.join(root, file))
    const [element] = index?.elements ?? []
    const known = element?.facts.sessionId
    const id = isDocument(file)
      ? typeof known === 'string' && known !== ''
        ? known
        : undefined
      : await idOf(path.join(root, file), one, disk, signal)
    // A document that is no session is none of ours, unless it cannot be read.
    const isRead = index !== undefined && index.fault === undefined
    if (isDocument(file) && element === undefined && isRead) continue
    const own = id ?? stemOf(file)
    const key = parent === undefined ? own : `${parent}/${own}`
    const found =
      element === undefined || index === undefined
        ? sourceFileOf(file, one)
        : {
            file: `${file}/!gemini/${recordNameOf(element)}`,
            bytes: element.bytes,
            mtimeMs: index.stat.mtimeMs,
            identity: identityOf(index.stat, recordNameOf(element)),
          }
    const saved = await outputs(path.join(root, file), [own, parent])
    const source = saved === undefined ? found : { ...found, outputs: saved }
    const ref = withFault(refOf(root, key, source), file, element, index?.fault)
    const before = chosen.get(key)
    if (before === undefined || (isDocument(before.files[0]?.file ?? '') && !isDocument(file)))
      chosen.set(key, ref)
  }
  yield* chosen.values()
}

function refOf(root: string, key: string, file: SourceFile): SourceRef {
  // Messages are written again, and taken back: what counts is known at the end.
  return { ...refOfFile('gemini', root, key, file), isUnordered: true }
}

/** A document is written anew with each message: half of it is there for a moment, or for good. */
function withFault(
  ref: SourceRef,
  file: string,
  element: IndexedElement | undefined,
  fault: string | undefined,
): SourceRef {
  if (element === undefined || (!element.isTorn && fault === undefined)) return ref
  const torn = `${file} ends inside of this session: the rest is missing.`
  const sentence = element.isTorn ? torn : `${file}: ${fault}.`
  return { ...ref, unread: [{ file, fromByte: element.end, cause: 'damaged', sentence }] }
}

async function* findIn(root: string, disk: Disk, signal: AbortSignal): AsyncGenerator<Found> {
  const names = await sortedNamesIn(disk, root)
  const base = path.basename(root)
  if (names.includes('tmp')) yield* projectsIn(root, 'tmp', disk, signal)
  else if (base === 'tmp') yield* projectsIn(root, '', disk, signal)
  else if (names.includes(chatsFolder)) yield* chatsIn(root, chatsFolder, disk, signal)
  else yield* chatsIn(root, '', disk, signal)
}

async function* projectsIn(
  root: string,
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  const failure = new FirstFailure()
  const whole = path.join(root, folder)
  for (const one of await statNames(disk, whole, await sortedNamesIn(disk, whole), signal))
    if (isFolder(one)) {
      const chats = path.posix.join(folder, one.name, chatsFolder)
      yield* failure.in(chatsIn(root, chats, disk, signal))
    } else failure.passedBy(one)
  failure.throw()
}

/** Folders in it are named after the sessions whose subagents are in them. */
async function* chatsIn(
  root: string,
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  const failure = new FirstFailure()
  for (const one of await foundIn(disk, root, folder, signal)) {
    const file = path.posix.join(folder, one.name)
    if (isFolder(one)) {
      // Beside a project's chats there are other folders.
      if (folder === '' && path.basename(root) !== chatsFolder) continue
      yield* failure.in(agentsIn(root, file, one.name, disk, signal))
    } else if (sessionName.test(one.name)) yield { file, one, parent: undefined }
    else failure.passedBy(one)
  }
  failure.throw()
}

async function* agentsIn(
  root: string,
  folder: string,
  parent: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter(isAgent)
  for (const one of await statNames(disk, whole, names, signal))
    yield { file: path.posix.join(folder, one.name), one, parent }
}

function isAgent(name: string): boolean {
  return agentName.test(name)
}

function isDocument(file: string): boolean {
  return /\.json(?:\/!|$)/i.test(file)
}

function isFile({ stat, fault }: FoundName): boolean {
  return stat?.kind === 'file' && fault === undefined
}

function stemOf(file: string): string {
  return path.posix.basename(file).replace(/\.jsonl?$/i, '')
}

interface KnownId {
  readonly stat: NonNullable<FoundName['stat']>
  readonly id: string | undefined
}

const ids = perFileCache<KnownId>()

/** Undefined where it cannot be read: reading it reports why. */
async function idOf(
  file: string,
  one: FoundName,
  disk: Disk,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { stat } = one
  if (stat === undefined || !isFile(one)) return undefined
  try {
    const read = async () => ({
      stat,
      id: await inListedFile(disk, file, (opened) => readSessionId(opened, signal)),
    })
    return (await ids.get(disk, file, stat, read)).id
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}
