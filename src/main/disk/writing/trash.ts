import path from 'node:path'
import { type Disk, DiskError } from '../interface/disk'
import { isNameTaken } from '../reading/read'
import { createFile, removeIfThere, renameFile } from './atomic'
import { makeDurableFolder } from './durable-folder'

/** The platform and folders that determine where a person's trash is, for a process without a desktop. */
export interface TrashPlace {
  readonly platform: string
  /** The person's home folder. */
  readonly user: string
  /** Absolute; where data of programs is kept (`XDG_DATA_HOME`). */
  readonly data?: string | undefined
  readonly now: Date
}

/**
 * Moves a file or folder to the person's trash, whole and in one step: on Linux by the freedesktop.org trash
 * specification, so that a file manager can put it back; on macOS into `~/.Trash`. Resolves to its new path.
 *
 * Resolves to undefined, with nothing done, where no trash can take it: the system has none that is known, or it is on
 * another disk, where a move would be a copy and a removal.
 *
 * @throws DiskError
 */
export async function moveToTrash(
  disk: Disk,
  target: string,
  place: TrashPlace,
): Promise<string | undefined> {
  if (place.platform === 'linux') return toFreeDesktop(disk, target, place)
  if (place.platform === 'darwin') return toMac(disk, target, place)
  return undefined
}

async function toFreeDesktop(
  disk: Disk,
  target: string,
  { user, data, now }: TrashPlace,
): Promise<string | undefined> {
  const trash = path.join(data ?? path.join(user, '.local/share'), 'Trash')
  const [files, infos] = [path.join(trash, 'files'), path.join(trash, 'info')]
  try {
    for (const folder of [files, infos]) await makeDurableFolder(disk, folder)
  } catch (error) {
    if (error instanceof DiskError) return undefined // A place where nothing can be kept is no trash.
    throw error
  }
  const info = Buffer.from(
    `[Trash Info]\nPath=${encodedPath(target)}\nDeletionDate=${localTime(now)}\n`,
  )
  for (let n = 1; ; n++) {
    const name = `${path.basename(target)}${n === 1 ? '' : `.${n}`}`
    const note = path.join(infos, `${name}.trashinfo`)
    // The process that creates the note owns the name.
    try {
      await createFile(disk, note, info)
    } catch (error) {
      if (isNameTaken(error)) continue
      throw error
    }
    const kept = await movedTo(disk, target, path.join(files, name)).catch(async (error) => {
      await removeIfThere(disk, note)
      throw error
    })
    if (kept !== 'taken') {
      if (kept === undefined) await removeIfThere(disk, note)
      return kept
    }
    await removeIfThere(disk, note)
  }
}

async function toMac(
  disk: Disk,
  target: string,
  { user }: TrashPlace,
): Promise<string | undefined> {
  const trash = path.join(user, '.Trash')
  if ((await disk.stat(trash))?.kind !== 'directory') return undefined
  for (let n = 1; ; n++) {
    const name = `${path.basename(target)}${n === 1 ? '' : ` ${n}`}`
    const kept = await movedTo(disk, target, path.join(trash, name))
    if (kept !== 'taken') return kept
  }
}

/** Undefined where it lies on another disk. */
async function movedTo(
  disk: Disk,
  target: string,
  to: string,
): Promise<string | 'taken' | undefined> {
  if ((await disk.stat(to)) !== undefined) return 'taken'
  try {
    await renameFile(disk, target, to)
    await syncNames(disk, [to, target])
    return to
  } catch (error) {
    if (isNameTaken(error)) return 'taken'
    if (error instanceof DiskError && causeCode(error) === 'EXDEV') return undefined
    throw error
  }
}

/** Makes a move durable, as far as its folders let that be done: it has happened, whatever they say (macOS lets few programs read the trash). */
async function syncNames(disk: Disk, moved: readonly string[]): Promise<void> {
  for (const file of moved) {
    try {
      await disk.syncFolder(path.dirname(file))
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
    }
  }
}

function causeCode({ cause }: DiskError): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}

/** As the rules want it: a path in a URL, its slashes as they are. */
function encodedPath(target: string): string {
  return target.split(path.sep).map(encodeURIComponent).join('/')
}

function localTime(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}
