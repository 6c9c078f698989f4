import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../interface/disk'
import { UnpackedBlocks } from './unpack-blocks'
import type { PackFormat } from './unpack-format'
import { gzipFormat } from './unpack-gzip'
import { stateKey, UnpackedSizes } from './unpack-sizes'
import { zstdFormat } from './unpack-zstd'
import { UnpackedContent } from './unpacked-content'
import { UnpackedFile } from './unpacked-file'

const formats: Readonly<Record<string, PackFormat>> = { '.gz': gzipFormat, '.zst': zstdFormat }

/**
 * What is closed keeps its stream, and its descriptor, for a moment: search and the index open a file for each segment
 * of half a megabyte, one after the other, and would each time unpack all that is before it.
 */
const lingersMs = 2000
const mostLingering = 4

/** Open content with the number of its users. */
interface Shared {
  readonly content: UnpackedContent
  users: number
  timer?: NodeJS.Timeout
}

/**
 * Wraps a disk so that files that end in `.gz` and `.zst` read as their content.
 *
 * Their size is the content's, which takes one reading of the whole file in each of its states; where it cannot be
 * read, `stat` fails. Identity and time are the packed file's. `statNow` has the content's size where it is known
 * already, else the packed size. Damage is no error: the content ends where it cannot be read further, and
 * `unpackFault` has the reason. For writing and all other calls a packed file is a file like any other. Holds 64 MB of
 * content at most, and for each file that is being read the state of its format: 32 KB for gzip, up to 128 MB for
 * zstd.
 */
export function unpackingDisk(disk: Disk): Disk {
  const sizes = new UnpackedSizes()
  const blocks = new UnpackedBlocks()
  const shared = new Map<string, Shared>()

  const measured = async (
    target: string,
    extension: string,
    format: PackFormat,
    stat: FileStat,
  ) => {
    const known = sizes.get(stateKey(extension, stat))
    if (known !== undefined) return { ...stat, sizeBytes: known.sizeBytes }
    let file: DiskFile | undefined
    try {
      file = await disk.open(target, 'read')
      const packed = await file.stat()
      const { sizeBytes } = await sizes.of(
        stateKey(extension, packed),
        format,
        file,
        packed.sizeBytes,
      )
      return { ...packed, sizeBytes }
    } finally {
      await file?.close()
    }
  }

  const end = async (one: Shared) => {
    clearTimeout(one.timer)
    if (shared.get(one.content.key) === one) shared.delete(one.content.key)
    await one.content.close()
  }
  // A failure to close a file that was only read concerns nobody.
  const endLater = (one: Shared) => void end(one).catch(() => undefined)

  const release = async (one: Shared) => {
    one.users -= 1
    if (one.users > 0) return
    if (!one.content.isUnderWay) return end(one)
    one.timer = setTimeout(() => endLater(one), lingersMs).unref()
    // Those that began to linger longest ago come first.
    shared.delete(one.content.key)
    shared.set(one.content.key, one)
    const lingering = [...shared.values()].filter(({ users }) => users === 0)
    for (const oldest of lingering.slice(0, -mostLingering)) endLater(oldest)
  }

  const openUnpacked = async (target: string, extension: string, format: PackFormat) => {
    const file = await disk.open(target, 'read')
    let isUsed = false
    try {
      const packed = await file.stat()
      if (packed.kind !== 'file') {
        isUsed = true
        return file
      }
      const key = stateKey(extension, packed)
      let one = shared.get(key)
      if (one === undefined) {
        const content = new UnpackedContent(target, key, packed, file, format, sizes, blocks)
        one = { content, users: 0 }
        shared.set(key, one)
        isUsed = true
      }
      one.users += 1
      clearTimeout(one.timer)
      const users = one
      return new UnpackedFile(target, one.content, () => release(users))
    } finally {
      if (!isUsed) await file.close()
    }
  }

  return {
    ...disk,
    async stat(target) {
      const stat = await disk.stat(target)
      const [extension, format] = formatOf(target)
      if (format === undefined || stat?.kind !== 'file') return stat
      return measured(target, extension, format, stat)
    },
    statNow(target) {
      const stat = disk.statNow(target)
      const [extension, format] = formatOf(target)
      if (format === undefined || stat?.kind !== 'file') return stat
      const known = sizes.get(stateKey(extension, stat))
      return known === undefined ? stat : { ...stat, sizeBytes: known.sizeBytes }
    },
    async open(target, mode, permissions) {
      const [extension, format] = formatOf(target)
      return mode === 'read' && format !== undefined
        ? openUnpacked(target, extension, format)
        : disk.open(target, mode, permissions)
    },
  }
}

function formatOf(target: string): readonly [extension: string, format: PackFormat | undefined] {
  const extension = path.extname(target).toLowerCase()
  return [extension, Object.hasOwn(formats, extension) ? formats[extension] : undefined]
}
