import { createHash } from 'node:crypto'
import path from 'node:path'
import { largestOf } from '../../../shared/model/basics/long-lists'
import type { LockState } from '../../../shared/model/conversation/conversation'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { listedDisk } from '../../disk/interface/listed-disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { isSameProcess, ownStamp } from '../../disk/process/process-stamp'
import { isNotFound } from '../../disk/reading/read'
import { type ContextPaths, contextPaths, type HomePaths, isContextName } from '../core/home-paths'
import { type ContextFiles, findContextFiles, type TranscriptFile } from '../files/context-files'
import { describeHolder, inspectLock, type LockOptions } from '../lock/lock-files'
import { readCreatedAt } from '../registry/context-meta'
import type { KnownContext } from '../registry/known-contexts'

/** Facts of a context that the store has without reading its transcript. */
export interface ContextListing {
  readonly name: string
  /** Unix seconds; undefined where neither state.json nor context_meta.json has it. */
  readonly createdAt: number | undefined
  /** Unix milliseconds: the newest mtime of its transcript files. */
  readonly updatedAtMs: number | undefined
  readonly bytes: number
  readonly lock: LockState
  /** An answer was cut off by a crash; the next opening for writing makes an entry of it. */
  readonly hasPartial: boolean
  /** Its transcript's files in reading order, as they were found. */
  readonly files: readonly TranscriptFile[]
  /** Partitions that the manifest does not list. */
  readonly strays: readonly string[]
  /** Notices about them, one sentence each. */
  readonly notices: readonly string[]
  /** Files that belong to it and are not there, or are no files. */
  readonly missing: readonly UnreadPart[]
  /** Another one whenever a file came, went, was replaced or changed; undefined where that cannot be known. */
  readonly stamp: string | undefined
  /** Why it cannot be read, for people. */
  readonly unreadable?: string
}

/**
 * Lists the names that may be contexts, sorted, without those that chibi refuses; none where the home has no folder
 * for them.
 */
export async function listContextNames(disk: Disk, home: HomePaths): Promise<readonly string[]> {
  try {
    return (await disk.list(home.contexts)).filter(isContextName).sort()
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** Counts the folders that have a context's name. */
export async function countContexts(disk: Disk, home: HomePaths): Promise<number> {
  const kinds = await mapConcurrent(await listContextNames(disk, home), async (name) => {
    const stat = await disk.stat(path.join(home.contexts, name)).catch(() => undefined)
    return stat?.kind
  })
  return kinds.filter((kind) => kind === 'directory').length
}

/** Reads a context's names, sizes and times; undefined where it has no folder. Other failures are in `unreadable`. */
export async function listContext(
  disk: Disk,
  home: string,
  name: string,
  known: KnownContext | undefined,
  lock: LockOptions,
): Promise<ContextListing | undefined> {
  const paths = contextPaths(home, name)
  try {
    const names = await namesOf(disk, paths)
    const listed = names === undefined ? disk : listedDisk(disk, names)
    const first = await findContextFiles(listed, home, paths)
    if (first === undefined) return undefined
    // A rotation between the listing and the probes: the files are somewhere else now.
    const isMoving = first.files.length === 0 && names?.has(paths.transcript) === true
    const found = isMoving ? ((await findContextFiles(disk, home, paths)) ?? first) : first
    const [fault] = found.files.length === 0 ? found.notFiles.values() : []
    const times = found.files.map((file) => file.mtimeMs)
    return {
      name,
      createdAt: known?.createdAt ?? (await readCreatedAt(listed, paths)),
      updatedAtMs: times.length === 0 ? undefined : largestOf(times),
      bytes: found.files.reduce((sum, file) => sum + file.sizeBytes, 0),
      lock: await readLockState({ ...lock, disk: listed }),
      hasPartial: (await listed.stat(paths.partial)) !== undefined,
      files: found.files,
      strays: found.strays.map((file) => file.place),
      notices: found.notices,
      missing: found.missing.map(({ part }) => part),
      stamp: stampOf(found),
      ...(fault === undefined ? {} : { unreadable: fault }),
    }
  } catch (error) {
    // One folder that cannot be read must not hide the others.
    const unreadable = error instanceof Error ? error.message : String(error)
    const unknown = { createdAt: known?.createdAt, updatedAtMs: undefined, bytes: 0 }
    const none = { files: [], strays: [], notices: [], missing: [] }
    const nothing = { hasPartial: false, ...none, stamp: undefined }
    return { name, ...unknown, lock: { state: 'free' }, ...nothing, unreadable }
  }
}

/** The names in a context's folder and in its transcript's; undefined where they cannot be listed: then each is probed. */
async function namesOf(
  disk: Disk,
  { folder, transcript }: ContextPaths,
): Promise<ReadonlyMap<string, ReadonlySet<string>> | undefined> {
  try {
    const names = new Map([[folder, new Set(await disk.list(folder))]])
    if (names.get(folder)?.has('transcript'))
      names.set(transcript, new Set(await disk.list(transcript)))
    return names
  } catch {
    return undefined
  }
}

/** Another one when a file came, went, was replaced, grew or was touched, or when something else was noticed. */
function stampOf({ files, notices, missing }: ContextFiles): string {
  const facts = files.map((file) => [file.place, file.identity, file.sizeBytes, file.mtimeMs])
  return createHash('sha256')
    .update(JSON.stringify([facts, [...notices, ...missing.map(({ part }) => part.sentence)]]))
    .digest('base64url')
    .slice(0, 22)
}

/** Reads who holds a context's lock: nobody, this process or another. */
export async function readLockState(options: LockOptions): Promise<LockState> {
  const inspection = await inspectLock(options)
  // A thing that blocks the lock concerns writers alone: reading works.
  if (inspection.type !== 'held') return { state: 'free' }
  if (inspection.owner && isSameProcess(inspection.owner, ownStamp())) return { state: 'ours' }
  const { beatAt, staleAt } = inspection
  return { state: 'held', holder: describeHolder(inspection.owner), beatAt, staleAt }
}
