import path from 'node:path'
import { type Disk, DiskError } from '../disk/interface/disk'

/** The home to begin with, and whether a person must choose first. */
export interface FirstHome {
  readonly home: string
  readonly chosen: boolean
}

/**
 * Decides which home to open: the one that was named, else the one chosen before, else `~/.chibi` where it is there.
 * Otherwise nothing is opened or created, and the person is asked.
 */
export async function firstHome(
  disk: Disk,
  ownFolder: string,
  named: string | undefined,
  remembered: string | undefined,
): Promise<FirstHome> {
  if (named !== undefined) return { home: named, chosen: true }
  const usual = path.join(ownFolder, '.chibi')
  // A remembered home that is gone (an unplugged disk) must not be made anew in silence: ask again.
  if (remembered !== undefined && (await isFolder(disk, remembered)))
    return { home: remembered, chosen: true }
  return { home: usual, chosen: await isFolder(disk, usual) }
}

/** Says why a home cannot be opened; undefined where it can, also where it does not exist yet. */
export async function homeProblem(disk: Disk, home: string): Promise<string | undefined> {
  try {
    const found = await disk.stat(home)
    if (found === undefined) return undefined
    if (found.kind !== 'directory') return `${home} is a file, not a folder.`
    await disk.list(home)
    return undefined
  } catch (error) {
    // A disk's message names the path.
    return error instanceof DiskError
      ? `${error.message}.`
      : `${home} cannot be read: ${String(error)}`
  }
}

async function isFolder(disk: Disk, folder: string): Promise<boolean> {
  try {
    return (await disk.stat(folder))?.kind === 'directory'
  } catch {
    return true // It is there and cannot be read: opening it says so.
  }
}
