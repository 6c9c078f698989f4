import path from 'node:path'
import type { LockState } from '../../shared/model/conversation'
import type { Disk } from '../disk/disk'
import { isSameProcess, ownStamp } from '../disk/process-stamp'
import { isNotFound } from '../disk/read'
import { findFiles } from './context-files'
import { createdByMeta } from './context-meta'
import { contextPaths, type HomePaths, isContextName } from './home'
import { holderWords, type LockOptions, lookAtLock } from './lock-files'
import type { KnownContext } from './state'
import type { ContextListing } from './store'

/** Looked at side by side: enough to keep the disk busy, few enough to leave file handles for others. */
const atOnce = 16

/** The names of all contexts, sorted; folders whose names chibi refuses are left out. None where the home has none. */
export async function contextNames(disk: Disk, home: HomePaths): Promise<readonly string[]> {
  let names: readonly string[]
  try {
    names = await disk.list(home.contexts)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
  const kinds = await inTurn(names.filter(isContextName), async (name) => {
    const stat = await disk.stat(path.join(home.contexts, name)).catch(() => undefined)
    return stat?.kind === 'directory' ? [name] : []
  })
  return kinds.flat().sort()
}

/** Does the work for each item, a few at a time; results in the items' order. */
export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length)
  let next = 0
  const run = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run))
  return results
}

/** What is known of a context from names, sizes and times; undefined where it has no folder. */
export async function listContext(
  disk: Disk,
  home: string,
  name: string,
  known: KnownContext | undefined,
  lock: LockOptions,
): Promise<ContextListing | undefined> {
  const paths = contextPaths(home, name)
  try {
    const found = await findFiles(disk, home, paths)
    if (found === undefined) return undefined
    const times = found.files.map((file) => file.mtimeMs)
    return {
      name,
      createdAt: known?.createdAt ?? (await createdByMeta(disk, paths)),
      updatedAtMs: times.length === 0 ? undefined : Math.max(...times),
      bytes: found.files.reduce((sum, file) => sum + file.sizeBytes, 0),
      lock: await lockStateOf(lock),
      hasPartial: (await disk.stat(paths.partial)) !== undefined,
    }
  } catch (error) {
    // One folder that cannot be read must not hide the others.
    const unreadable = error instanceof Error ? error.message : String(error)
    const unknown = { createdAt: known?.createdAt, updatedAtMs: undefined, bytes: 0 }
    return { name, ...unknown, lock: { state: 'free' }, hasPartial: false, unreadable }
  }
}

/** Who may write to a context now. */
export async function lockStateOf(options: LockOptions): Promise<LockState> {
  const sight = await lookAtLock(options)
  if (sight.type !== 'held') return { state: 'free' }
  if (sight.owner && isSameProcess(sight.owner, ownStamp())) return { state: 'ours' }
  const { beatAt, staleAt } = sight
  return { state: 'held', holder: holderWords(sight.owner), beatAt, staleAt }
}
