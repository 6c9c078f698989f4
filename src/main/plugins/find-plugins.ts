import path from 'node:path'
import type { Disk } from '../disk/interface/disk'
import { isExecutable } from '../disk/process/executable'
import { isNotFound } from '../disk/reading/read'
import { liesInFolder } from '../disk/reading/real-path'

/** A program in the plugins folder, by chibi's rules. */
export interface PluginLocation {
  /** The name in the plugins folder, as the disk has it. Hostile. */
  readonly name: string
  /** Of `NAME` in the plugins folder. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** The program that runs, with every link followed. */
  readonly program: string
  /** The file or folder that is trusted as a whole: the program, or the folder that holds it. Every link followed. */
  readonly root: string
}

/** An item of the plugins folder. */
export type FoundPlugin =
  | { readonly type: 'plugin'; readonly place: PluginLocation }
  | { readonly type: 'disabled'; readonly name: string; readonly path: string }
  /** chibi would not run it either. */
  | { readonly type: 'broken'; readonly name: string; readonly path: string; readonly why: string }

/**
 * Lists a home's plugins folder by chibi's rules, in the order of the bytes of its names: names that end in
 * ".disabled" are left alone, a folder NAME holds the program NAME/NAME, programs are executable, and links do not
 * leave the plugins folder. Empty where there is no such folder. Runs nothing.
 *
 * @throws DiskError where the folder cannot be read
 */
export async function findPlugins(disk: Disk, plugins: string): Promise<readonly FoundPlugin[]> {
  const names = [...new Set(await namesIn(disk, plugins))]
  const found: FoundPlugin[] = []
  for (const name of names.sort(compareBytes)) {
    const one = await findPlugin(disk, plugins, name)
    // A hidden item that is no plugin was not meant to be one.
    if (one.type !== 'broken' || !name.startsWith('.')) found.push(one)
  }
  return found
}

/** Finds one item of the plugins folder as it is now. `name` has no separators. Never rejects. */
export async function findPlugin(disk: Disk, plugins: string, name: string): Promise<FoundPlugin> {
  const where = path.join(plugins, name)
  if (name.endsWith('.disabled')) return { type: 'disabled', name, path: where }
  const broken = (why: string): FoundPlugin => ({ type: 'broken', name, path: where, why })
  try {
    const stat = await disk.stat(where)
    if (stat === undefined)
      return broken(
        name.includes('\ufffd')
          ? 'Its name is not valid UTF-8, so it cannot be opened. Rename it.'
          : 'Nothing is there: it is a link to nothing, or was removed.',
      )
    if (stat.kind === 'other') return broken('It is neither a file nor a folder.')
    const kind = stat.kind === 'directory' ? 'folder' : 'file'
    const inner = kind === 'folder' ? path.join(where, name) : where
    if (kind === 'folder' && (await disk.stat(inner))?.kind !== 'file')
      return broken('It is a folder without a program of the same name in it.')
    const [top, root, program] = [
      await disk.realPath(plugins),
      await disk.realPath(where),
      await disk.realPath(inner),
    ]
    if (![root, program].every((real) => isInsideFolder(top, real)))
      return broken('It is a link that leaves the plugins folder.')
    if (!(await isExecutable(program))) return broken('It is not executable.')
    return { type: 'plugin', place: { name, path: where, kind, program, root } }
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Returns true where a path lies below a folder, and is not the folder itself. Both must have every link followed.
 */
export function isInsideFolder(folder: string, real: string): boolean {
  return real !== folder && liesInFolder(folder, real)
}

/** Compares two names by their UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}
