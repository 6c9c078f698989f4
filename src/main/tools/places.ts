import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../disk/disk'
import { Refusal } from './define'
import { type Grounds, isInside, realIfThere, survey } from './grounds'
import { oneLine } from './wording'

/** A path that was found to lie inside. */
export interface Place {
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
 * Finds the place that a path names, links and `..` followed, and whether it is inside an allowed folder.
 *
 * @throws Refusal outside, kept, a dangling link, no usable path; DiskError
 */
export async function findPlace(grounds: Grounds, asked: string): Promise<Place> {
  const { disk, allowedPaths } = grounds
  const first = allowedPaths[0]
  if (first === undefined) throw new Refusal('no folder is open to the file tools')
  checkPath(asked)
  const target = path.resolve(first, asked)
  const { nearest, missing } = await nearestOf(disk, target, asked)
  const real = path.join(nearest, ...missing)
  const ground = await survey(grounds)
  if (!ground.isAllowed(real))
    throw new Refusal(
      `${oneLine(asked)} is outside the allowed folders: ${allowedPaths.map(oneLine).join(', ')}`,
    )
  if (ground.isKept(real)) throw new Refusal(`${oneLine(asked)} is kept from the tools`)
  await mustLeadOn(disk, nearest, missing[0], asked)
  const shown =
    ground.first !== undefined && isInside(ground.first, real)
      ? path.relative(ground.first, real)
      : real
  return { real, shown: oneLine(shown === '' ? '.' : shown), stat: await disk.stat(real) }
}

/**
 * Opens a place for reading and looks again whether it is still the same: a link may have been put into its way.
 *
 * @throws Refusal no file, or moved; DiskError
 */
export async function openPlace(disk: Disk, place: Place): Promise<DiskFile> {
  checkFile(place)
  if (place.stat === undefined) throw new Refusal(`${place.shown} is not there`)
  const file = await disk.open(place.real, 'read')
  try {
    const [opened, real] = await Promise.all([file.stat(), disk.realPath(place.real)])
    if (real === place.real && opened.identity === place.stat.identity) return file
    throw new Refusal(`${place.shown} was replaced while it was opened; try again`)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The place of a folder. @throws Refusal where none is; DiskError */
export async function findFolder(grounds: Grounds, asked: string): Promise<Place> {
  const place = await findPlace(grounds, asked)
  if (place.stat === undefined) throw new Refusal(`${place.shown} is not there`)
  if (place.stat.kind !== 'directory') throw new Refusal(`${place.shown} is not a folder`)
  return place
}

/** @throws Refusal where a folder, a pipe, a socket or a device is */
export function checkFile({ stat, shown }: Place): void {
  if (stat?.kind === 'directory') throw new Refusal(`${shown} is a folder, not a file`)
  if (stat?.kind === 'other') throw new Refusal(`${shown} is no file, but a device or a pipe`)
}

function checkPath(asked: string): void {
  if (asked === '') throw new Refusal('the path is empty')
  if (asked.includes('\0')) throw new Refusal('a path cannot hold a NUL character')
  if (asked.length > longestPath)
    throw new Refusal(`the path is ${asked.length} characters long, more than any can be`)
  // On Windows what follows a colon names a second stream of the same file.
  if (process.platform === 'win32' && asked.slice(path.parse(asked).root.length).includes(':'))
    throw new Refusal(`${oneLine(asked)} holds a colon`)
}

/** The real path of the nearest ancestor that is there, and the names below it. */
async function nearestOf(
  disk: Disk,
  target: string,
  asked: string,
): Promise<{ readonly nearest: string; readonly missing: readonly string[] }> {
  const missing: string[] = []
  for (let at = target; ; at = path.dirname(at)) {
    const nearest = await realIfThere(disk, at)
    if (nearest !== undefined) return { nearest, missing }
    if (path.dirname(at) === at) throw new Refusal(`${oneLine(asked)} is not there`)
    missing.unshift(path.basename(at))
  }
}

/** @throws Refusal where the next name below what is there can be none that is new */
async function mustLeadOn(
  disk: Disk,
  nearest: string,
  next: string | undefined,
  asked: string,
): Promise<void> {
  if (next === undefined) return
  if ((await disk.stat(nearest))?.kind !== 'directory')
    throw new Refusal(`${oneLine(asked)} leads through a file`)
  // A name that is listed and yet leads nowhere is a link; what is written there would land where it points.
  if ((await disk.list(nearest)).includes(next))
    throw new Refusal(`${oneLine(asked)} leads through a link to nothing`)
}
