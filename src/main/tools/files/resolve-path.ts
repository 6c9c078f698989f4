import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../../disk/interface/disk'
import { liesInFolder, realPathIfPresent } from '../../disk/reading/real-path'
import { ToolRefusal } from '../base/define-tool'
import { escapedLine } from '../base/short-text'
import { type AllowedPaths, readPathRules } from './allowed-paths'

/** A path that was found to lie inside an allowed folder. */
export interface ResolvedPath {
  /** With every link followed, up to the part that does not exist yet. */
  readonly real: string
  /** For words: relative to the first allowed folder where it lies there, else whole. */
  readonly shown: string
  /** Undefined where nothing is yet. */
  readonly stat: FileStat | undefined
}

/** No file system takes a longer one. */
const longestPath = 4096

/**
 * Resolves a path, following links and `..`, and checks that it is inside an allowed folder.
 *
 * @throws ToolRefusal outside, kept, a dangling link, no usable path; for `write` also what chibi or Skein write;
 *   DiskError
 */
export async function resolveToolPath(
  allowed: AllowedPaths,
  asked: string,
  use: 'read' | 'write' = 'read',
): Promise<ResolvedPath> {
  const { disk, allowedPaths } = allowed
  const first = allowedPaths[0]
  if (first === undefined) throw new ToolRefusal('no folder is open to the file tools')
  checkPath(asked)
  const target = path.resolve(first, asked)
  const { nearest, missing } = await nearestOf(disk, target, asked)
  const real = path.join(nearest, ...missing)
  const rules = await readPathRules(allowed)
  if (!rules.isAllowed(real))
    throw new ToolRefusal(
      `${escapedLine(asked)} is outside the allowed folders: ${allowedPaths.map(escapedLine).join(', ')}`,
    )
  if (rules.isKept(real)) throw new ToolRefusal(`${escapedLine(asked)} is not available to tools`)
  const why = use === 'write' ? rules.whyNotWritten(real) : undefined
  if (why !== undefined) throw new ToolRefusal(`${escapedLine(asked)} ${why}`)
  await mustLeadOn(disk, nearest, missing[0], asked)
  const shown =
    rules.first !== undefined && liesInFolder(rules.first, real)
      ? path.relative(rules.first, real)
      : real
  return { real, shown: escapedLine(shown === '' ? '.' : shown), stat: await disk.stat(real) }
}

/**
 * Opens a path for reading and checks again that it is still the same: a link may have been put in its way.
 *
 * A file with other names by hard links is refused: one of them may lie outside, and nothing shows it.
 *
 * @param isOwn the owner alone sees it, or it lies in a folder of ours: then it may have other names
 * @throws ToolRefusal no file, moved, or with other names; DiskError
 */
export async function openResolvedPath(
  disk: Disk,
  place: ResolvedPath,
  isOwn = false,
): Promise<DiskFile> {
  assertRegularFile(place)
  const { real, shown, stat } = place
  if (stat === undefined) throw new ToolRefusal(`${shown} is not there`)
  const file = await disk.open(real, 'read')
  try {
    const [opened, now, itself] = await Promise.all([
      file.stat(),
      disk.realPath(real),
      // Of the open file: a name's target may change between two checks, and back.
      file.realPath?.(),
    ])
    if (now !== real || (itself ?? real) !== real || opened.identity !== stat.identity)
      throw new ToolRefusal(`${shown} was replaced while it was opened; try again`)
    if (!isOwn && hasHardLinks(opened)) throw new ToolRefusal(`${shown} ${otherNames}`)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Returns true where a file has other names by hard links. */
export function hasHardLinks({ kind, names = 1 }: FileStat): boolean {
  return kind === 'file' && names > 1
}

const otherNames =
  'has other names (hard links), which may lie outside the allowed folders; it is not read'

/**
 * Resolves a path to a folder inside an allowed one.
 *
 * @throws ToolRefusal where none is; DiskError
 */
export async function resolveToolFolder(
  allowed: AllowedPaths,
  asked: string,
): Promise<ResolvedPath> {
  const place = await resolveToolPath(allowed, asked)
  if (place.stat === undefined) throw new ToolRefusal(`${place.shown} is not there`)
  if (place.stat.kind !== 'directory') throw new ToolRefusal(`${place.shown} is not a folder`)
  return place
}

/**
 * Throws where a path is a folder, a pipe, a socket or a device.
 *
 * @throws ToolRefusal where a folder, a pipe, a socket or a device is
 */
export function assertRegularFile({ stat, shown }: ResolvedPath): void {
  if (stat?.kind === 'directory') throw new ToolRefusal(`${shown} is a folder, not a file`)
  if (stat?.kind === 'other') throw new ToolRefusal(`${shown} is a device or a pipe, not a file`)
}

function checkPath(asked: string): void {
  if (asked === '') throw new ToolRefusal('the path is empty')
  if (asked.includes('\0')) throw new ToolRefusal('a path cannot contain a NUL character')
  if (asked.length > longestPath)
    throw new ToolRefusal(
      `the path is ${asked.length} characters long, longer than any path can be`,
    )
  // On Windows what follows a colon names a second stream of the same file.
  if (process.platform === 'win32' && asked.slice(path.parse(asked).root.length).includes(':'))
    throw new ToolRefusal(`${escapedLine(asked)} contains a colon`)
}

/** Finds the real path of the nearest existing ancestor, and the names below it. */
async function nearestOf(
  disk: Disk,
  target: string,
  asked: string,
): Promise<{ readonly nearest: string; readonly missing: readonly string[] }> {
  const missing: string[] = []
  for (let at = target; ; at = path.dirname(at)) {
    const nearest = await realPathIfPresent(disk, at)
    if (nearest !== undefined) return { nearest, missing }
    if (path.dirname(at) === at) throw new ToolRefusal(`${escapedLine(asked)} is not there`)
    missing.unshift(path.basename(at))
  }
}

/** @throws ToolRefusal where the next name below that ancestor cannot be a new one */
async function mustLeadOn(
  disk: Disk,
  nearest: string,
  next: string | undefined,
  asked: string,
): Promise<void> {
  if (next === undefined) return
  if ((await disk.stat(nearest))?.kind !== 'directory')
    throw new ToolRefusal(`${escapedLine(asked)} leads through a file`)
  // A name that is listed and yet leads nowhere is a link; what is written there would land where it points.
  if ((await disk.list(nearest)).includes(next))
    throw new ToolRefusal(`${escapedLine(asked)} leads through a link to nothing`)
}
