import path from 'node:path'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { PathRules } from './allowed-paths'

/** The settings of a walk through folders. */
export interface Walk {
  readonly disk: Disk
  readonly rules: PathRules
  readonly showHidden: boolean
  readonly signal: AbortSignal
  /** Names of one folder that are put in order: of more, those that the disk names first; undefined for all. */
  readonly mostNames?: number
}

/** An item of a folder. A link is listed and never followed: it can lead outside, or in a circle. */
export type FolderItem = { readonly name: string } & (
  | { readonly type: 'there'; readonly real: string; readonly stat: FileStat }
  | { readonly type: 'link'; readonly isAllowed: boolean }
  | { readonly type: 'kept' | 'unreadable' }
)

/**
 * Items that are inspected together: a folder of a million names is not inspected whole for the hundred that are
 * wanted.
 */
const lookedAtOnce = 64

/**
 * Yields the items of a folder, in order of name; no more than `mostNames`.
 *
 * @throws DiskError where the folder cannot be listed
 */
export async function* folderItems(walk: Walk, folder: string): AsyncGenerator<FolderItem, void> {
  const names = (await walk.disk.list(folder))
    .filter((name) => walk.showHidden || !name.startsWith('.'))
    .slice(0, walk.mostNames)
    .sort()
  for (let at = 0; at < names.length; at += lookedAtOnce) {
    walk.signal.throwIfAborted()
    yield* await mapConcurrent(names.slice(at, at + lookedAtOnce), (name) =>
      inspectItem(walk, folder, name),
    )
  }
}

/** A file below a folder. */
export interface FileBelow {
  readonly real: string
  /** From the folder, with slashes. */
  readonly way: string
  readonly stat: FileStat
}

/** Yields all files below a folder, in order of name; folders that cannot be listed are left out. */
export async function* filesBelow(walk: Walk, folder: string): AsyncGenerator<FileBelow, void> {
  // A stack, not a call inside a call: each level of those hands on everything from below.
  const stack: { readonly above: string; readonly found: AsyncGenerator<FolderItem, void> }[] = []
  stack.push({ above: '', found: folderItems(walk, folder) })
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = await nextOf(top.found)
    if (next === undefined) stack.pop()
    if (next?.type !== 'there') continue
    const way = `${top.above}${next.name}`
    if (next.stat.kind === 'directory')
      stack.push({ above: `${way}/`, found: folderItems(walk, next.real) })
    else if (next.stat.kind === 'file') yield { real: next.real, way, stat: next.stat }
  }
}

async function nextOf(found: AsyncGenerator<FolderItem, void>): Promise<FolderItem | undefined> {
  try {
    const next = await found.next()
    return next.done === true ? undefined : next.value
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}

async function inspectItem(
  { disk, rules }: Walk,
  folder: string,
  name: string,
): Promise<FolderItem> {
  const target = path.join(folder, name)
  if (rules.isKept(target)) return { name, type: 'kept' }
  try {
    const real = await disk.realPath(target)
    if (real !== target) return { name, type: 'link', isAllowed: rules.isAllowed(real) }
    const stat = await disk.stat(real)
    return stat === undefined ? { name, type: 'unreadable' } : { name, type: 'there', real, stat }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return { name, type: 'unreadable' }
  }
}
