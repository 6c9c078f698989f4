import path from 'node:path'
import type { Disk } from '../disk/disk'
import { inTurn } from '../disk/in-turn'
import { isNotFound } from '../disk/read'
import { homePaths } from '../store/home'

/** Where the file tools may go. */
export interface Grounds {
  readonly disk: Disk
  /** Its transcripts, inboxes, locks and files with keys are kept from the tools, whatever is allowed. */
  readonly home: string
  /** Absolute folders; relative paths are relative to the first. */
  readonly allowedPaths: readonly string[]
}

/** The grounds as they lie at this moment; everything asked and answered is a real path. */
export interface Survey {
  /** The first allowed folder; undefined where it is not there. */
  readonly first: string | undefined
  isAllowed(real: string): boolean
  /** The allowed folder that a path lies in, the nearest of several; undefined outside of all. */
  folderOf(real: string): string | undefined
  /** Whether it is kept from the tools, inside an allowed folder or not. */
  isKept(real: string): boolean
}

/** Compared without case here and below: on some disks two spellings are one file. */
const keptOfHome = /^config\.toml$/i

/**
 * What of a context is not for the tools: transcripts are append-only and have one writer, what is derived of them is
 * rebuilt, an inbox has a lock, and local.toml can hold an API key.
 */
const keptOfContext =
  /^(transcript|transcript\.(jsonl|md)|context(_meta)?\.jsonl?|local\.toml|inbox\.jsonl|\.[^/]*|[^/]*\.skein\.jsonl)(\/|$)/i

/** Folders in which reading is more than reading: a process's environment, switches of the kernel. */
const systemFolders = process.platform === 'linux' ? ['/proc', '/sys'] : []

/** Looks up where the allowed folders and the home's contexts really lie: some of them may be links. @throws DiskError */
export async function survey({ disk, home, allowedPaths }: Grounds): Promise<Survey> {
  const roots = await inTurn(allowedPaths, (folder) => realIfThere(disk, folder))
  const there = roots.flatMap((root) => root ?? [])
  const realHome = await realIfThere(disk, home)
  const elsewhere = realHome === undefined ? [] : await contextsElsewhere(disk, realHome)
  return {
    first: roots[0],
    isAllowed: (real) => there.some((root) => isInside(root, real)),
    folderOf: (real) =>
      there
        .filter((root) => isInside(root, real))
        .reduce<string | undefined>((near, root) => {
          return near === undefined || root.length > near.length ? root : near
        }, undefined),
    isKept(real) {
      if (systemFolders.some((folder) => isInside(folder, real))) return true
      if (elsewhere.some((kept) => isInside(kept, real))) return true
      if (realHome === undefined || !isInside(realHome, real)) return false
      const way = path.relative(realHome, real).split(path.sep).join('/')
      const inContext = /^contexts\/[^/]+\/(.*)$/is.exec(way)?.[1]
      return keptOfHome.test(way) || (inContext !== undefined && keptOfContext.test(inContext))
    },
  }
}

/** Whether a path is a folder or lies below it. */
export function isInside(folder: string, real: string): boolean {
  const way = path.relative(folder, real)
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

/** A path with every link followed; undefined where nothing is. @throws DiskError */
export async function realIfThere(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Folders of contexts, or of their transcripts alone, that are in the home by a link; they are kept whole. */
async function contextsElsewhere(disk: Disk, realHome: string): Promise<readonly string[]> {
  const { contexts } = homePaths(realHome)
  const real = await realIfThere(disk, contexts)
  if (real === undefined || (await disk.stat(real))?.kind !== 'directory') return []
  const found = await inTurn(await disk.list(real), async (name) => {
    const plain = path.join(contexts, name)
    const folder = await realOrNone(disk, plain)
    const transcript = await realOrNone(disk, path.join(plain, 'transcript'))
    return [
      ...(folder === undefined || folder === plain ? [] : [folder]),
      ...(transcript === undefined || transcript === path.join(plain, 'transcript')
        ? []
        : [transcript]),
    ]
  })
  return found.flat()
}

/** A loop of links is nowhere, and no reason to keep the tools from everything else. */
async function realOrNone(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch {
    return undefined
  }
}
