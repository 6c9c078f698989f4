import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { liesInFolder, realPathIfPresent, realPathOrNone } from '../../disk/reading/real-path'
import { homePaths } from '../../store/paths'

/** The folders in which the file tools may work, and those that are kept from them. */
export interface AllowedPaths {
  readonly disk: Disk
  /**
   * The chibi home. Its transcripts, inboxes, locks and files with keys are kept from the tools, whatever is allowed.
   */
  readonly home: string
  /** Absolute folders; relative paths are relative to the first. */
  readonly allowedPaths: readonly string[]
  /** The folders of Skein's settings, keys, trust and caches: kept from the tools. */
  readonly ownFolders?: readonly string[]
}

/** The rules for paths at this moment; every path in and out is a real one. */
export interface PathRules {
  /** The first allowed folder; undefined where it is not there. */
  readonly first: string | undefined
  isAllowed(real: string): boolean
  /** Returns the allowed folder of a path, the nearest of several; undefined outside of all. */
  folderOf(real: string): string | undefined
  /** Returns true where it is kept from the tools, inside an allowed folder or not. */
  isKept(real: string): boolean
  /**
   * Returns the reason why it may be read but not written, in words that follow its name; undefined where it may be
   * written.
   */
  whyNotWritten(real: string): string | undefined
}

/**
 * Files that can hold an API key, and copies that an editor leaves next to them. Compared without case here and
 * below: on some disks two spellings are one file.
 */
const keptOfHome = /^(config|models|cli)\.[^/]*$/i

/**
 * Files of a context that are kept from the tools: transcripts are append-only and have one writer, files derived of
 * them are rebuilt, an inbox has a lock, and local.toml can hold an API key.
 */
const keptOfContext =
  /^(transcript|transcript\.(jsonl|md)|context(_meta)?\.jsonl?|local\.[^/]*|inbox\.jsonl|\.[^/]*|[^/]*\.skein\.jsonl)(\/|$)/i

/** The parts of a home: chibi's names, with any ending, hidden names, and Skein's. */
const ofHome =
  /^((contexts|plugins|prompts|vfs|config|models|cli|state|session|site|agents|keys?)(\.[^/]*)?|\.[^/]*|[^/]*skein[^/]*|[^/]*\.tmp\.\d+)(\/|$)/i

/** Names of a home that are often links to elsewhere. */
const linkedOfHome = ['config.toml', 'models.toml', 'cli.toml', 'contexts']
const linkedForWriting = [
  'plugins',
  'prompts',
  'vfs',
  'state.json',
  'session.json',
  'site.json',
  'AGENTS.md',
]

/** Folders in which reading is more than reading: a process's environment, switches of the kernel. */
const systemFolders = process.platform === 'linux' ? ['/proc', '/sys'] : []

/**
 * Reads where the allowed folders, the home's parts and Skein's own folders really are: some of them may be links.
 *
 * @throws DiskError
 */
export async function readPathRules(allowed: AllowedPaths): Promise<PathRules> {
  const { disk, home, allowedPaths, ownFolders = [] } = allowed
  const roots = await mapConcurrent(allowedPaths, (folder) => realPathIfPresent(disk, folder))
  const there = roots.flatMap((root) => root ?? [])
  const realHome = await realPathIfPresent(disk, home)
  const own = (
    await mapConcurrent(ownFolders, (folder) => realPathIfPresent(disk, folder))
  ).flatMap((folder) => folder ?? [])
  const elsewhere = realHome === undefined ? [] : await contextsElsewhere(disk, realHome)
  const linked = realHome === undefined ? [] : await partsElsewhere(disk, realHome)
  const isIn = (folders: readonly string[], real: string) =>
    folders.some((folder) => liesInFolder(folder, real))
  const wayInHome = (real: string) =>
    realHome !== undefined && liesInFolder(realHome, real)
      ? plainWay(path.relative(realHome, real))
      : undefined
  return {
    first: roots[0],
    isAllowed: (real) => isIn(there, real),
    folderOf: (real) =>
      there
        .filter((root) => liesInFolder(root, real))
        .reduce<string | undefined>((near, root) => {
          return near === undefined || root.length > near.length ? root : near
        }, undefined),
    isKept(real) {
      if (isIn(systemFolders, real) || isIn(elsewhere, real)) return true
      const way = wayInHome(real)
      // A home may lie in a folder of ours, as the sample library does.
      const around = own.filter(
        (folder) => way === undefined || !liesInFolder(folder, realHome ?? ''),
      )
      if (isIn(around, real)) return true
      if (way === undefined) return false
      const inContext = /^contexts\/[^/]+\/(.*)$/is.exec(way)?.[1]
      return keptOfHome.test(way) || (inContext !== undefined && keptOfContext.test(inContext))
    },
    whyNotWritten(real) {
      const way = wayInHome(real)
      if (isIn(linked, real) || (way !== undefined && ofHome.test(way)))
        return 'is a part of the home that only chibi and Skein write'
      const isOpened = there.some(
        (root) => root !== realHome && wayInHome(root) !== undefined && liesInFolder(root, real),
      )
      if (way === undefined || isOpened) return undefined
      return 'is in the home, where files can be written only in folders that are allowed explicitly'
    },
  }
}

/** Returns a relative path as it is compared: with slashes, and without characters that some disks drop from names. */
function plainWay(way: string): string {
  return way
    .replace(/\p{Cf}/gu, '')
    .split(path.sep)
    .map((name) => (name.length > 2 ? name.replace(/[. ]+$/, '') : name))
    .join('/')
}

/**
 * Folders of contexts, or parts of them alone, and files with keys that are in the home by a link; they are kept
 * whole.
 */
async function contextsElsewhere(disk: Disk, realHome: string): Promise<readonly string[]> {
  const { contexts } = homePaths(realHome)
  const parts = await linkedTo(disk, realHome, linkedOfHome)
  const real = await realPathIfPresent(disk, contexts)
  if (real === undefined || (await disk.stat(real))?.kind !== 'directory') return parts
  const found = await mapConcurrent(await disk.list(real), async (name) => {
    const folder = path.join(contexts, name)
    return [
      ...(await linkedTo(disk, contexts, [name])),
      ...(await linkedTo(disk, folder, ['transcript', 'local.toml'])),
    ]
  })
  return [...parts, ...found.flat()]
}

async function partsElsewhere(disk: Disk, realHome: string): Promise<readonly string[]> {
  return linkedTo(disk, realHome, linkedForWriting)
}

/** Finds the targets of those names in a folder that are links, or lie behind one. */
async function linkedTo(
  disk: Disk,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const found = await mapConcurrent(names, async (name) => {
    const plain = path.join(folder, name)
    const real = await realPathOrNone(disk, plain)
    return real === undefined || real === plain ? [] : [real]
  })
  return found.flat()
}
