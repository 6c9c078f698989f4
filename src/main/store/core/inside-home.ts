import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { namesInFolder } from '../../disk/reading/read'
import { realPathIfPresent } from '../../disk/reading/real-path'
import { type ContextPaths, homePaths } from './home-paths'

/**
 * Checks that no write to a context leaves the home through a symbolic link: its folder, its transcript's folders, and
 * every file of lines in them, to which lines are appended.
 *
 * The home itself, or its folder of contexts, may be a link: then its target is the home. Archived partitions are only
 * read; so is the target of a link.
 *
 * @throws AppError `read-only` names the link; DiskError
 */
export async function mustLieInside(disk: Disk, home: string, paths: ContextPaths): Promise<void> {
  const roots = await Promise.all(
    [home, homePaths(home).contexts].map((folder) => realPathIfPresent(disk, folder)),
  )
  const mustBeInside = async (target: string) => {
    const real = await realPathOfListed(disk, target)
    if (real === 'gone') return
    if (real !== undefined && roots.some((root) => root !== undefined && isIn(root, real))) return
    throw new AppError(
      'read-only',
      `"${paths.name}" can be read, but not written to: ${nameOf(target)} is a link out of the home.`,
      { detail: `${target} leads to ${real ?? 'nothing'}` },
    )
  }
  const nameOf = (target: string) =>
    target === paths.folder ? 'its folder' : path.relative(paths.folder, target)
  if ((await disk.stat(paths.folder)) === undefined) return
  await mustBeInside(paths.folder)
  // A listed name also tells of a link to nothing: a file would be made where it leads.
  const written = [
    ...(await namesInFolder(disk, paths.folder))
      .filter(isWritten)
      .map((name) => [paths.folder, name]),
    ...(await namesInFolder(disk, paths.transcript))
      .filter((name) => isWritten(name) || name === path.basename(paths.partitions))
      .map((name) => [paths.transcript, name]),
  ]
  for (const parts of written) await mustBeInside(path.join(...parts))
}

function isWritten(name: string): boolean {
  return name.endsWith('.jsonl') || otherWritten.has(name)
}

const otherWritten: ReadonlySet<string> = new Set([
  'transcript',
  'transcript.md',
  'tool_cache',
  '.dirty',
])

function isIn(root: string, target: string): boolean {
  return target.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
}

/** Of so many looks none falls between two files of one name, where nothing is at the end of a link. */
const looks = 10

/**
 * Undefined for a link to nothing. A name that is not there any more is `gone`: whoever has the context's lock may have
 * moved its active file away meanwhile, as each rotation does, and may have made the next one since.
 */
async function realPathOfListed(disk: Disk, target: string): Promise<string | 'gone' | undefined> {
  for (let look = 0; look < looks; look++) {
    const real = await realPathIfPresent(disk, target)
    if (real !== undefined) return real
    if (!(await namesInFolder(disk, path.dirname(target))).includes(path.basename(target)))
      return 'gone'
  }
  return undefined
}
