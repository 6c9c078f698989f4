import path from 'node:path'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { isLinkCircle, isNotFound } from '../../disk/reading/read'
import type { BackupRule } from '../../readers/known/backup-rule'

/** A file of a root that is backed up. */
export interface WantedFile {
  /** Below the root, with slashes; the name of a root that is a file. */
  readonly file: string
  /** Absolute. */
  readonly path: string
  readonly stat: FileStat
}

/**
 * Finds the files of a root that its reader reads. Links are followed, each folder once.
 *
 * @param failed gets a sentence for a folder that cannot be listed; the others are all the same
 *
 * @throws the signal's reason
 */
export async function* wantedFiles(
  disk: Disk,
  root: string,
  rule: BackupRule,
  signal: AbortSignal,
  failed: (words: string) => void,
): AsyncGenerator<WantedFile> {
  const seen = new Set<string>()

  async function namesIn(folder: string): Promise<readonly Named[]> {
    signal.throwIfAborted()
    try {
      const names = [...(await disk.list(folder))].sort()
      return await mapConcurrent(names, async (name) => ({
        name,
        stat: await statOf(path.join(folder, name)),
      }))
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      if (!isNotFound(error)) failed(`${error.message}.`)
      return []
    }
  }

  /** Undefined for a link to nothing or in a circle, and for what goes right now; what the disk does not tell is a failure. */
  async function statOf(target: string): Promise<FileStat | undefined> {
    try {
      return await disk.stat(target)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      if (!isNotFound(error) && !isLinkCircle(error)) failed(`${error.message}.`)
      return undefined
    }
  }

  async function* below(folder: string, depth: number): AsyncGenerator<WantedFile> {
    const here = path.join(root, folder)
    const { identity } = (await statOf(here)) ?? {}
    if (identity === undefined || seen.has(identity)) return
    seen.add(identity)
    const named = await namesIn(here)
    for (const { name, stat } of named) {
      const file = path.posix.join(folder, name)
      if (stat?.kind === 'file' && rule.isWanted(file, root))
        yield { file, path: path.join(here, name), stat }
    }
    if (depth === rule.levels) return
    for (const { name, stat } of named)
      if (stat?.kind === 'directory') yield* below(path.posix.join(folder, name), depth + 1)
  }

  const top = await namesIn(root)
  const folders = top.filter(
    ({ name, stat }) => stat?.kind === 'directory' && rule.folders.includes(name),
  )
  if (folders.length === 0) return yield* below('', 0)
  for (const { name, stat } of top)
    if (stat?.kind === 'file' && rule.isBeside?.(name) === true)
      yield { file: name, path: path.join(root, name), stat }
  for (const { name } of folders) yield* below(name, 1)
}

interface Named {
  readonly name: string
  readonly stat: FileStat | undefined
}
