import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../interface/disk'
import { UnpackedBlocks } from './unpack-blocks'
import type { PackFormat } from './unpack-format'
import { gzipFormat } from './unpack-gzip'
import { stateKey, UnpackedSizes } from './unpack-sizes'
import { zstdFormat } from './unpack-zstd'
import { UnpackedContent } from './unpacked-content'
import { UnpackedFile } from './unpacked-file'
import { ZipDirectories } from './zip-directories'
import { zipMemberFormat } from './zip-member'
import { parseMemberPath, zipOf } from './zip-path'

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

/** A file that reads as something else: the packed file, what is unpacked of it, and how. */
interface Packed {
  readonly file: string
  /** The ending of its name, or the member of a zip. */
  readonly part: string
  readonly format: PackFormat
  /** Of a member: what is added to the identity of its zip. */
  readonly identity: string
}

/**
 * Wraps a disk so that files that end in `.gz` and `.zst` read as their content, and the members of a zip like files in a
 * folder `!` below it: `list` gives them all as paths from there, and `zipMembersFolder` names it. A zip is one by its
 * first bytes, whatever its name is.
 *
 * Their size is the content's, which takes one reading of the whole file in each of its states; where it cannot be
 * read, `stat` fails. A member's size is what its zip says. Identity and time are those of the packed file. `statNow` has
 * the content's size where it is known already, else the packed size. Damage is no error: the content ends where it cannot
 * be read further, and `unpackFault` has the reason; a zip without a directory cannot be read at all. For writing and all
 * other calls a packed file is a file like any other. Holds 64 MB of content at most, the directories of a few zips, and for
 * each file that is being read the state of its format: 32 KB for gzip and members of zips, up to 128 MB for
 * zstd.
 */
export function unpackingDisk(disk: Disk): Disk {
  const sizes = new UnpackedSizes()
  const blocks = new UnpackedBlocks()
  const shared = new Map<string, Shared>()

  const directories = new ZipDirectories()

  /** Undefined for a file that reads as itself, and for a member of something that is no zip. */
  const packedAt = async (target: string): Promise<Packed | undefined> => {
    const place = parseMemberPath(target)
    const members = place === undefined ? undefined : await directories.of(disk, place.zip)
    if (place === undefined || members === undefined) {
      const [part, format] = formatOf(target)
      return format && { file: target, part, format, identity: '' }
    }
    const member = members.get(place.member)
    if (member === undefined) return undefined
    const identity = `!${member.headerAt}`
    return { file: place.zip, part: identity, format: zipMemberFormat(member), identity }
  }

  const measured = async ({ file: packedPath, part, format, identity }: Packed, stat: FileStat) => {
    const seen = (packed: FileStat, sizeBytes: number) => ({
      ...packed,
      identity: packed.identity + identity,
      sizeBytes,
    })
    const known = sizes.get(stateKey(part, stat))
    if (known !== undefined) return seen(stat, known.sizeBytes)
    let file: DiskFile | undefined
    try {
      file = await disk.open(packedPath, 'read')
      const packed = await file.stat()
      const key = stateKey(part, packed)
      const { sizeBytes } = await sizes.of(key, format, file, packed.sizeBytes)
      return seen(packed, sizeBytes)
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

  const openUnpacked = async (target: string, { file: path, part, format, identity }: Packed) => {
    const file = await disk.open(path, 'read')
    let isUsed = false
    try {
      const stat = await file.stat()
      if (stat.kind !== 'file') {
        isUsed = true
        return file
      }
      const key = stateKey(part, stat)
      const packed = { ...stat, identity: stat.identity + identity }
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
      if (stat !== undefined && stat.kind !== 'file') return stat
      const packed = await packedAt(target)
      if (packed === undefined) return stat
      const zip = packed.file === target ? stat : await disk.stat(packed.file)
      return zip && measured(packed, zip)
    },
    statNow(target) {
      const stat = disk.statNow(target)
      const [extension, format] = formatOf(target)
      if (format === undefined || stat?.kind !== 'file') return stat
      const known = sizes.get(stateKey(extension, stat))
      return known === undefined ? stat : { ...stat, sizeBytes: known.sizeBytes }
    },
    async list(folder) {
      const zip = zipOf(folder)
      const members = zip === undefined ? undefined : await directories.of(disk, zip)
      if (members === undefined) return disk.list(folder)
      return [...members.keys()].filter((member) => !member.endsWith('/%'))
    },
    async open(target, mode, permissions) {
      const packed = mode === 'read' ? await packedAt(target) : undefined
      return packed === undefined
        ? disk.open(target, mode, permissions)
        : openUnpacked(target, packed)
    },
  }
}

function formatOf(target: string): readonly [extension: string, format: PackFormat | undefined] {
  const extension = path.extname(target).toLowerCase()
  return [extension, Object.hasOwn(formats, extension) ? formats[extension] : undefined]
}
