import path from 'node:path'
import { type Disk, DiskError, type FileStat } from '../disk/disk'
import { inTurn } from '../disk/in-turn'
import type { Survey } from './grounds'

/** How folders are looked through. */
export interface Walk {
  readonly disk: Disk
  readonly ground: Survey
  readonly showHidden: boolean
  readonly signal: AbortSignal
}

/** What has a name in a folder. A link is told as one and never gone through: it can lead outside, or in a circle. */
export type Found = { readonly name: string } & (
  | { readonly type: 'there'; readonly real: string; readonly stat: FileStat }
  | { readonly type: 'link'; readonly isAllowed: boolean }
  | { readonly type: 'kept' | 'unreadable' }
)

/** Looked at together: a folder of a million names is not looked through for the hundred that are wanted. */
const lookedAtOnce = 64

/** What a folder holds, in order of name. @throws DiskError where the folder cannot be listed */
export async function* foundIn(walk: Walk, folder: string): AsyncGenerator<Found, void> {
  const names = (await walk.disk.list(folder))
    .filter((name) => walk.showHidden || !name.startsWith('.'))
    .sort()
  for (let at = 0; at < names.length; at += lookedAtOnce) {
    walk.signal.throwIfAborted()
    yield* await inTurn(names.slice(at, at + lookedAtOnce), (name) => look(walk, folder, name))
  }
}

/** A file below a folder. */
export interface FileBelow {
  readonly real: string
  /** From the folder, with slashes. */
  readonly way: string
  readonly stat: FileStat
}

/** All files below a folder, in order of name; folders that cannot be listed are passed over. */
export async function* filesBelow(walk: Walk, folder: string): AsyncGenerator<FileBelow, void> {
  // A stack, not a call inside a call: each level of those hands on everything from below.
  const stack: { readonly above: string; readonly found: AsyncGenerator<Found, void> }[] = []
  stack.push({ above: '', found: foundIn(walk, folder) })
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = await nextOf(top.found)
    if (next === undefined) stack.pop()
    if (next?.type !== 'there') continue
    const way = `${top.above}${next.name}`
    if (next.stat.kind === 'directory')
      stack.push({ above: `${way}/`, found: foundIn(walk, next.real) })
    else if (next.stat.kind === 'file') yield { real: next.real, way, stat: next.stat }
  }
}

async function nextOf(found: AsyncGenerator<Found, void>): Promise<Found | undefined> {
  try {
    const next = await found.next()
    return next.done === true ? undefined : next.value
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}

async function look({ disk, ground }: Walk, folder: string, name: string): Promise<Found> {
  const target = path.join(folder, name)
  if (ground.isKept(target)) return { name, type: 'kept' }
  try {
    const real = await disk.realPath(target)
    if (real !== target) return { name, type: 'link', isAllowed: ground.isAllowed(real) }
    const stat = await disk.stat(real)
    return stat === undefined ? { name, type: 'unreadable' } : { name, type: 'there', real, stat }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return { name, type: 'unreadable' }
  }
}
