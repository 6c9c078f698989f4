import type { Disk } from '../../disk/interface/disk'
import { homeRelativePath } from '../core/home-paths'
import type { TranscriptFile } from '../core/transcript-file'

/** A probe of a path; undefined where nothing is there, or something that is no file. */
export type FileProbe = (
  path: string,
  kind: TranscriptFile['kind'],
) => Promise<TranscriptFile | undefined>

/**
 * Creates the probe of a home's files.
 *
 * @param notFiles is told what is no file: its path, and words about it
 */
export function createFileProbe(
  disk: Disk,
  home: string,
  notFiles: Map<string, string>,
): FileProbe {
  return async (target, kind) => {
    const stat = await disk.stat(target)
    if (stat === undefined) return undefined
    if (stat.kind !== 'file') {
      const what = stat.kind === 'directory' ? 'a folder, not a file' : 'not a file'
      notFiles.set(target, `${target} is ${what}`)
      return undefined
    }
    const { sizeBytes, mtimeMs, identity } = stat
    return {
      path: target,
      place: homeRelativePath(home, target),
      kind,
      sizeBytes,
      mtimeMs,
      identity,
    }
  }
}
