import fs from 'node:fs'
import path from 'node:path'

/**
 * The permissions of a new file. Where absent: for its owner alone, and for the group in a folder that is shared with
 * it.
 */
export type FilePermissions =
  /** Those of the first of these that is there: what the new file takes the place of, or follows in its role. */
  | { readonly like: readonly string[] }
  /** As the umask has it, as for every file that is saved for others to open. */
  | 'umask'

interface Wanted {
  readonly mode: number
  readonly group?: number
}

/** Windows has no such permissions: what lies in a person's folder is theirs there. */
const hasModes = process.platform !== 'win32'

/**
 * Opens a file that it creates. Nobody else can read it before its permissions are right, whatever the umask.
 *
 * @param flags with O_EXCL, such as `wx+`
 */
export async function openNew(
  file: string,
  flags: string,
  permissions: FilePermissions | undefined,
): Promise<fs.promises.FileHandle> {
  if (permissions === 'umask') return fs.promises.open(file, flags)
  const wanted = hasModes ? await wantedFor(file, permissions) : undefined
  const handle = await fs.promises.open(file, flags, 0o600)
  try {
    if (wanted !== undefined) give(handle.fd, wanted)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Creates a folder for its owner alone; in one that is shared with its group, for that as well. Throws as `mkdir` does. */
export async function makeOneFolder(
  folder: string,
  permissions: FilePermissions | undefined,
): Promise<void> {
  if (permissions === 'umask' || !hasModes) return fs.promises.mkdir(folder)
  const mode = (await isShared(path.dirname(folder))) ? 0o770 : 0o700
  await fs.promises.mkdir(folder, mode)
  const { mode: given } = await fs.promises.stat(folder)
  // What hands the group on to files in it is not taken away.
  const right = (given & 0o7000) | mode
  if ((given & 0o7777) !== right) await fs.promises.chmod(folder, right).catch(() => {})
}

async function wantedFor(
  file: string,
  permissions: { readonly like: readonly string[] } | undefined,
): Promise<Wanted> {
  for (const like of permissions?.like ?? []) {
    const stat = await fs.promises.stat(like).catch(() => undefined)
    if (stat?.isFile()) return { mode: stat.mode & 0o777, group: stat.gid }
  }
  return { mode: (await isShared(path.dirname(file))) ? 0o660 : 0o600 }
}

/**
 * Whether its group may write to a folder, and others may not: people share it, and what one of them makes is for all.
 * What everybody may write to is nobody's choice, but a umask of 0.
 */
async function isShared(folder: string): Promise<boolean> {
  const stat = await fs.promises.stat(folder).catch(() => undefined)
  return stat !== undefined && (stat.mode & 0o022) === 0o020
}

/** At once: a file that is seen has them. A file system where all files have the same may refuse, and keeps its own. */
function give(descriptor: number, { mode, group }: Wanted): void {
  const given = fs.fstatSync(descriptor)
  const isOfGroup =
    group === undefined || given.gid === group || giveGroup(descriptor, given, group)
  // Another group gets no more than everybody has.
  const right = isOfGroup ? mode : (mode & 0o707) | ((mode & 0o007) << 3)
  if ((given.mode & 0o7777) === right) return
  try {
    fs.fchmodSync(descriptor, right)
  } catch {
    // Refused.
  }
}

function giveGroup(descriptor: number, { uid }: fs.Stats, group: number): boolean {
  try {
    fs.fchownSync(descriptor, uid, group)
    return true
  } catch {
    return false
  }
}
