import { createHash } from 'node:crypto'
import path from 'node:path'
import { type Disk, DiskError, type DiskFile } from '../disk/interface/disk'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { compareBytes, isInsideFolder, type PluginLocation } from './find-plugins'

/** The content of a plugin, on which trust in it is based. */
export interface Content {
  /** SHA-256 in lower-case hex: of the program, or of the list of all files of the folder. */
  readonly hash: string
  readonly sizeBytes: number
  /** By the bytes of their paths; a plugin that is one file has one. */
  readonly files: readonly ContentFile[]
  /** The beginning of the program, from the bytes that were hashed. */
  readonly head: Buffer
}

interface ContentFile {
  readonly path: string
  readonly sizeBytes: number
  /** SHA-256 in lower-case hex. */
  readonly hash: string
}

/** Opens the copy of a file, which gets the bytes that are hashed. The path is that of `Content.files`. */
type Keep = (path: string) => Promise<Kept>

interface Kept {
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Error for a plugin that cannot be trusted by its content. The message gives the reason in a sentence. */
export class PluginContentError extends Error {}

const mostBytes = 256 * 1024 * 1024
/** Each file is read and copied for a run: thousands would take longer than the run. */
const mostFiles = 1_000
const blockBytes = 1024 * 1024
/** Bytes kept of a program's beginning: enough to show it before it is trusted, and to read its first line. */
export const pluginHeadBytes = 32 * 1024 + 1

/**
 * Reads a plugin's whole content once, and hands on the very bytes that are hashed. At most 1,000 files and folders,
 * and 256 MB.
 *
 * A folder's hash is that of the list which `sha256sum` writes of its files, sorted by the bytes of their paths:
 * `find -L . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`.
 *
 * @throws PluginContentError where it leaves the plugins folder, holds what is no file, or is too large; DiskError.
 *   Nothing is read or handed on any more then.
 */
export async function readPluginContent(
  disk: Disk,
  place: PluginLocation,
  keep?: Keep,
): Promise<Content> {
  const left = { files: mostFiles, bytes: mostBytes }
  if (place.kind === 'file') {
    const { head, ...file } = await readFile(disk, place.program, place.name, left, keep)
    return { hash: file.hash, sizeBytes: file.sizeBytes, files: [file], head }
  }
  const top = await disk.realPath(path.dirname(place.path))
  const within = [place.root]
  const paths = [...(await filesBelow(disk, top, place.root, '', within, left))].sort(compareBytes)
  const read = await allOrNone(paths, (file) =>
    readFile(disk, path.join(place.root, file), file, left, keep),
  )
  const list = createHash('sha256')
  for (const { hash, path: file } of read) list.update(listed(hash, file))
  const program = read.find((file) => file.path === place.name)
  if (program === undefined)
    throw new PluginContentError('Its program went away while it was read.')
  return {
    hash: list.digest('hex'),
    sizeBytes: read.reduce((sum, file) => sum + file.sizeBytes, 0),
    files: read.map(({ head: _, ...file }) => file),
    head: program.head,
  }
}

/** The number of files and bytes that may still be read. */
interface Left {
  files: number
  bytes: number
}

/**
 * Paths of all files below, relative to the plugin's folder. `within`: the folders on the way, to tell a loop of
 * links.
 */
async function filesBelow(
  disk: Disk,
  top: string,
  folder: string,
  prefix: string,
  within: readonly string[],
  left: Left,
): Promise<readonly string[]> {
  const found = await mapConcurrent(
    await disk.list(folder),
    async (name): Promise<readonly string[]> => {
      const shown = `${prefix}${name}`
      const inner = path.join(folder, name)
      const stat = await disk.stat(inner)
      if (stat === undefined)
        throw new PluginContentError(
          `${shown} in it cannot be opened: a link to nothing, or a name that is not UTF-8.`,
        )
      const real = await disk.realPath(inner)
      if (!isInsideFolder(top, real))
        throw new PluginContentError(`${shown} in it is a link that leaves the plugins folder.`)
      if (stat.kind === 'other')
        throw new PluginContentError(`${shown} in it is neither a file nor a folder.`)
      left.files -= 1
      if (left.files < 0)
        throw new PluginContentError(`It holds more than ${mostFiles} files and folders.`)
      if (stat.kind === 'file') return [shown]
      if (within.includes(real))
        throw new PluginContentError(`${shown} in it is a link to a folder around it.`)
      return filesBelow(disk, top, real, `${shown}/`, [...within, real], left)
    },
  )
  return found.flat()
}

interface ReadFile extends ContentFile {
  readonly head: Buffer
}

/** Maps as `mapConcurrent` does, but begins nothing after a failure, and throws it once all work has ended. */
async function allOrNone<T>(
  paths: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<readonly T[]> {
  const failures: unknown[] = []
  const done = await mapConcurrent(paths, async (one): Promise<readonly T[]> => {
    if (failures.length > 0) return []
    try {
      return [await work(one)]
    } catch (error) {
      failures.push(error)
      return []
    }
  })
  if (failures.length > 0) throw failures[0]
  return done.flat()
}

async function readFile(
  disk: Disk,
  file: string,
  shown: string,
  left: Left,
  keep: Keep | undefined,
): Promise<ReadFile> {
  const open = await disk.open(file, 'read')
  try {
    const copy = await keep?.(shown)
    try {
      return await readInto(open, shown, left, copy)
    } finally {
      await copy?.close()
    }
  } finally {
    await open.close()
  }
}

async function readInto(
  open: DiskFile,
  shown: string,
  left: Left,
  copy: Kept | undefined,
): Promise<ReadFile> {
  const hash = createHash('sha256')
  const { sizeBytes } = await open.stat()
  const block = Buffer.allocUnsafe(Math.min(sizeBytes + 1, blockBytes))
  const head: Buffer[] = []
  let length = 0
  for (;;) {
    const got = await open.read(block, length)
    if (got === 0)
      return {
        path: shown,
        hash: hash.digest('hex'),
        sizeBytes: length,
        head: Buffer.concat(head),
      }
    const bytes = block.subarray(0, got)
    if (length < pluginHeadBytes)
      head.push(Buffer.from(bytes.subarray(0, pluginHeadBytes - length)))
    length += got
    left.bytes -= got
    if (left.bytes < 0) throw new PluginContentError('It holds more than 256 MB.')
    hash.update(bytes)
    await copy?.write(bytes)
  }
}

/** A line as sha256sum writes it, which escapes what would break a line. */
function listed(hash: string, file: string): string {
  if (!/[\\\n\r]/.test(file)) return `${hash}  ${file}\n`
  const escaped = file.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
  return `\\${hash}  ${escaped}\n`
}

/**
 * Returns the reason why there is no content, in a sentence.
 *
 * @throws any other error
 */
export function describeContentError(error: unknown): string {
  if (error instanceof PluginContentError || error instanceof DiskError) return error.message
  throw error
}
