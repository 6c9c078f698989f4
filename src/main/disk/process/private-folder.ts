import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { diskError } from '../node/node-disk'
import { isDead, ownStamp } from './process-stamp'

/** A folder that only this user can read, and that holds only files that were written through it. */
export interface PrivateFolder {
  readonly path: string
  /** Begins a new file, with the folders above it. What is written there may be run. @throws DiskError */
  create(way: string): Promise<PrivateFile>
  /** Removes it with everything in it. Never rejects: what cannot be removed now is by `removeAbandoned`. */
  remove(): Promise<void>
}

/** A file of a private folder while it is written; the code that opens it closes it. */
export interface PrivateFile {
  /** @throws DiskError */
  write(bytes: Uint8Array): Promise<void>
  /** @throws DiskError */
  close(): Promise<void>
}

/** Nothing in such a folder is needed for so long. */
const abandonedAfterMs = 24 * 60 * 60 * 1000
const forOwnerAlone = 0o700

/**
 * Makes a private folder with a new name below another, which is made where it is missing. Its name holds its process,
 * so that the folder of a killed process can be found. Nothing in it is durable.
 *
 * @throws DiskError
 */
export async function makePrivateFolder(parent: string): Promise<PrivateFolder> {
  const folder = await tried(parent, async () => {
    await fs.promises.mkdir(parent, { recursive: true, mode: forOwnerAlone })
    return fs.promises.mkdtemp(path.join(parent, `${ownPrefix()}_`)) // Is made for its owner alone.
  })
  return {
    path: folder,
    async create(way) {
      const target = path.join(folder, way)
      const handle = await tried(target, async () => {
        await fs.promises.mkdir(path.dirname(target), { recursive: true, mode: forOwnerAlone })
        return fs.promises.open(target, 'wx', forOwnerAlone)
      })
      return {
        write: (bytes) => tried(target, () => handle.writeFile(bytes)),
        close: () => tried(target, () => handle.close()),
      }
    },
    remove: () => removeAll(folder),
  }
}

/**
 * Removes private folders that processes left behind below another: those of ended processes, and after a day those of
 * processes that cannot be checked from here, as on another machine. Never rejects.
 */
export async function removeAbandoned(parent: string): Promise<void> {
  const names = await fs.promises.readdir(parent).catch((): string[] => [])
  for (const name of names) {
    const folder = path.join(parent, name)
    if (await isAbandoned(folder, name)) await removeAll(folder)
  }
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [place, boot, pid, startTime] = name.split('_')
  const { host, namespace } = ownStamp()
  if (place === placeOf(host, namespace) && /^\d+$/.test(pid ?? ''))
    return isDead({
      host,
      namespace,
      pid: Number(pid),
      boot: boot || undefined,
      startTime: startTime || undefined,
    })
  const stat = await fs.promises.lstat(folder).catch(() => undefined)
  return stat !== undefined && Date.now() - stat.mtimeMs > abandonedAfterMs
}

function ownPrefix(): string {
  const { host, namespace, boot = '', pid, startTime = '' } = ownStamp()
  return [placeOf(host, namespace), boot, pid, startTime].join('_')
}

/** Names a machine, and the container on it, in which a process's number means something. */
function placeOf(host: string, namespace = ''): string {
  return createHash('sha256').update(`${host}\0${namespace}`).digest('hex').slice(0, 12)
}

async function removeAll(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {})
}

async function tried<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw diskError(target, cause)
  }
}
