import { createHash } from 'node:crypto'
import path from 'node:path'
import { type Disk, DiskError } from '../disk/disk'
import { inTurn } from '../disk/in-turn'
import { byBytes, isInside, type PluginPlace } from './find'

/** What a plugin consists of, as far as it can be trusted by its content. */
export interface Content {
  /** SHA-256 in lower-case hex: of the program, or of the list of all files of the folder. */
  readonly hash: string
  readonly sizeBytes: number
  /** By the bytes of their paths; a plugin that is one file has one. */
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[]
}

/** It cannot be trusted by its content. The message says why, in a sentence. */
export class NoContent extends Error {}

const mostBytes = 256 * 1024 * 1024
/** Each is read before a run, and twice more: folders of thousands would take longer than what they do. */
const mostFiles = 1_000
const blockBytes = 1024 * 1024

/**
 * Reads every byte that trust in a plugin is about.
 *
 * A folder's hash is that of the list which `sha256sum` writes of its files, sorted by the bytes of their paths:
 * `find -L . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`.
 *
 * @throws NoContent where it leaves the plugins folder, holds what is no file, or is too large; DiskError
 */
export async function contentOf(disk: Disk, place: PluginPlace): Promise<Content> {
  const left = { files: mostFiles, bytes: mostBytes }
  if (place.kind === 'file') {
    const { hash, sizeBytes } = await hashOf(disk, place.program, left)
    return { hash, sizeBytes, files: [{ path: place.name, sizeBytes }] }
  }
  const top = await disk.realPath(path.dirname(place.path))
  const within = [place.root]
  const paths = [...(await filesBelow(disk, top, place.root, '', within, left))].sort(byBytes)
  const hashed = await inTurn(paths, (file) => hashOf(disk, path.join(place.root, file), left))
  const list = createHash('sha256')
  const files = hashed.map(({ hash, sizeBytes }, at) => {
    const file = paths[at] ?? '' // As many hashes as paths.
    list.update(listed(hash, file))
    return { path: file, sizeBytes }
  })
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return { hash: list.digest('hex'), sizeBytes, files }
}

/** The first bytes of a file. */
export async function firstBytes(disk: Disk, file: string, count: number): Promise<Buffer> {
  const open = await disk.open(file, 'read')
  try {
    const block = Buffer.alloc(count)
    let length = 0
    for (let got = -1; length < count && got !== 0; length += got)
      got = await open.read(block.subarray(length), length)
    return block.subarray(0, length)
  } finally {
    await open.close()
  }
}

/** What may still be read of a plugin. */
interface Left {
  files: number
  bytes: number
}

/** Paths of all files below, relative to the plugin's folder. `within`: the folders on the way, to tell a loop of links. */
async function filesBelow(
  disk: Disk,
  top: string,
  folder: string,
  prefix: string,
  within: readonly string[],
  left: Left,
): Promise<readonly string[]> {
  const found = await inTurn(await disk.list(folder), async (name): Promise<readonly string[]> => {
    const shown = `${prefix}${name}`
    const inner = path.join(folder, name)
    const stat = await disk.stat(inner)
    if (stat === undefined)
      throw new NoContent(
        `${shown} in it cannot be opened: a link to nothing, or a name that is not UTF-8.`,
      )
    const real = await disk.realPath(inner)
    if (!isInside(top, real))
      throw new NoContent(`${shown} in it is a link that leaves the plugins folder.`)
    if (stat.kind === 'other') throw new NoContent(`${shown} in it is neither a file nor a folder.`)
    left.files -= 1
    if (left.files < 0) throw new NoContent(`It holds more than ${mostFiles} files and folders.`)
    if (stat.kind === 'file') return [shown]
    if (within.includes(real))
      throw new NoContent(`${shown} in it is a link to a folder around it.`)
    return filesBelow(disk, top, real, `${shown}/`, [...within, real], left)
  })
  return found.flat()
}

async function hashOf(
  disk: Disk,
  file: string,
  left: Left,
): Promise<{ readonly hash: string; readonly sizeBytes: number }> {
  const open = await disk.open(file, 'read')
  try {
    const hash = createHash('sha256')
    const { sizeBytes } = await open.stat()
    const block = Buffer.allocUnsafe(Math.min(sizeBytes + 1, blockBytes))
    let length = 0
    for (;;) {
      const got = await open.read(block, length)
      if (got === 0) return { hash: hash.digest('hex'), sizeBytes: length }
      length += got
      left.bytes -= got
      if (left.bytes < 0) throw new NoContent('It holds more than 256 MB.')
      hash.update(block.subarray(0, got))
    }
  } finally {
    await open.close()
  }
}

/** A line as sha256sum writes it, which escapes what would break a line. */
function listed(hash: string, file: string): string {
  if (!/[\\\n\r]/.test(file)) return `${hash}  ${file}\n`
  const escaped = file.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
  return `\\${hash}  ${escaped}\n`
}

/** Why there is no content, in a sentence. @throws what is a bug */
export function whyNoContent(error: unknown): string {
  if (error instanceof NoContent || error instanceof DiskError) return error.message
  throw error
}
