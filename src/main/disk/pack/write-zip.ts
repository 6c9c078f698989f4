import { createHash } from 'node:crypto'
import { type Disk, DiskError } from '../interface/disk'
import type { FilePermissions } from '../interface/permissions'
import { yieldToOthers } from '../pacing/slices'
import { readZipDirectory } from '../unpack/zip-directory'
import { zipMemberFormat } from '../unpack/zip-member'
import { writeFilled } from '../writing/write-pieces'
import { type WrittenMember, ZipWriter } from './zip-writer'

/** Options of a zip that is written. */
interface ZipOptions {
  /** Of the file, where nothing is there yet. */
  readonly permissions?: FilePermissions
  /** Called when all is written, before it is read back. */
  readonly checking?: () => void
  /** Looks at the place, with links followed, once all was read back; where it throws, no zip is written. */
  readonly check?: (place: string) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes a zip archive by a function that adds its members; it is in its place once every member was read back as it was written,
 * until then, and after a failure or a stop, what stood there is as it was. Durable on return. Holds some 200 bytes for each member.
 *
 * @returns its bytes
 * @throws DiskError, `io` also where it reads otherwise; NotDurableError once it is in its place; what `fill` and `check` throw; the
 * signal's reason
 */
export async function writeZip(
  disk: Disk,
  target: string,
  fill: (zip: ZipWriter) => Promise<void>,
  { permissions, checking, check, signal }: ZipOptions,
): Promise<number> {
  let bytes = 0
  let members: readonly WrittenMember[] = []
  await writeFilled(
    disk,
    target,
    {
      async fill(file, temporary) {
        const zip = new ZipWriter(file, temporary)
        await fill(zip)
        signal.throwIfAborted()
        await zip.finish()
        members = zip.members()
        bytes = (await file.stat()).sizeBytes
      },
      async check(temporary, place) {
        checking?.()
        const fault = await readBack(disk, temporary, members, signal)
        if (fault !== undefined)
          throw new DiskError('io', target, `${target} was written and reads otherwise: ${fault}`)
        await check?.(place)
        signal.throwIfAborted()
      },
    },
    permissions,
  )
  return bytes
}

/** Compares every member with what was written; what differs, as the end of a sentence. */
async function readBack(
  disk: Disk,
  zip: string,
  written: readonly WrittenMember[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = await disk.open(zip, 'read')
  try {
    const { members, fault } = await readZipDirectory(file)
    if (fault !== undefined) return fault
    if (members.length !== written.length) return 'its directory has other members'
    for (const [at, member] of members.entries()) {
      const { name, sha256 } = written[at] ?? {}
      if (member.name !== name) return 'its directory has other members'
      const format = zipMemberFormat(member)
      const hash = createHash('sha256')
      for await (const piece of format.content(file, member.packedBytes)) {
        signal.throwIfAborted()
        hash.update(piece)
        await yieldToOthers(piece.length)
      }
      if (format.fault !== undefined) return format.fault
      if (hash.digest('hex') !== sha256) return `${name} has another digest`
    }
    return undefined
  } finally {
    await file.close()
  }
}
