import type { DiskFile } from '../interface/disk'
import { readExactly } from '../reading/lines'
import { type ZipMember, zipName } from './zip-member'

/** The content of a zip archive; members in the order of its directory. */
export interface ZipDirectory {
  readonly members: readonly ZipMember[]
  /** Why it is not all, as a sentence without its full stop. */
  readonly fault?: string
}

const localMagic = 0x04034b50
const entryMagic = 0x02014b50
const endMagic = 0x06054b50
const end64Magic = 0x06064b50
const locatorMagic = 0x07064b50

const endBytes = 22
const longestComment = 0xffff
const entryBytes = 46

/** Some 100 bytes each: a directory of a million files; a larger one is not what it seems. */
const largestDirectoryBytes = 128 * 1024 * 1024
const all32 = 0xffffffff

/** Returns true where a file begins as a zip archive does, whatever its name is. @throws DiskError */
export async function isZip(file: DiskFile): Promise<boolean> {
  const head = Buffer.from(await readExactly(file, 0, 4))
  if (head.length < 4) return false
  const magic = head.readUInt32LE(0)
  return magic === localMagic || magic === endMagic
}

/**
 * Returns true where a file ends as a zip archive does and does not begin as one: an archive with other bytes in front of it.
 *
 * @throws DiskError
 */
export async function hasBytesInFront(file: DiskFile): Promise<boolean> {
  if (await isZip(file)) return false
  const { sizeBytes } = await file.stat()
  const end = await findEnd(file, sizeBytes)
  if (end === undefined || end.count === 0) return false
  // The directory is right before the end; its offset counts from the archive's own beginning.
  const from = end.endAt - end.length
  const magic = Buffer.from(await readExactly(file, Math.max(0, from), 4))
  return magic.length === 4 && magic.readUInt32LE(0) === entryMagic
}

/**
 * Reads the directory of a zip archive, which is at its end; sizes of more than 4 GB too (zip64). Reads nothing of the
 * members. Never throws for what is in the file.
 *
 * @throws DiskError
 */
export async function readZipDirectory(file: DiskFile): Promise<ZipDirectory> {
  const { sizeBytes } = await file.stat()
  const end = await findEnd(file, sizeBytes)
  if (end === undefined)
    return { members: [], fault: 'the end of the archive is missing: it is not whole' }
  const { offset, length, count, isLong } = end
  if (length > largestDirectoryBytes)
    return { members: [], fault: 'the directory of the archive is damaged' }
  const bytes = Buffer.from(await readExactly(file, offset, length))
  const { members, isWhole } = membersIn(bytes)
  // Programs without the long form write the lowest 16 bits of the number.
  const isCounted = isLong ? members.length === count : members.length % 0x10000 === count
  if (!isWhole || !isCounted) return { members, fault: 'the directory of the archive is damaged' }
  const packed = members.reduce((sum, { packedBytes }) => sum + packedBytes, 0)
  // As archives do that are made to unpack to far more than any disk has.
  if (packed > sizeBytes) return { members: [], fault: 'members of the archive overlap' }
  return { members }
}

interface DirectoryEnd {
  readonly offset: number
  readonly length: number
  readonly count: number
  /** Where the directory ends and the end of the archive begins. */
  readonly endAt: number
  /** It is in the form for large archives. */
  readonly isLong: boolean
}

async function findEnd(file: DiskFile, sizeBytes: number): Promise<DirectoryEnd | undefined> {
  const from = Math.max(0, sizeBytes - endBytes - longestComment)
  const tail = Buffer.from(await readExactly(file, from, sizeBytes - from))
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== endMagic) continue
    // Else these bytes are part of its comment, or of a member.
    if (at + endBytes + tail.readUInt16LE(at + 20) > tail.length) continue
    const short = {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    const isLong = short.count === 0xffff || short.length === all32 || short.offset === all32
    const long = isLong ? await findLongEnd(file, from + at) : undefined
    const { end, count, length, offset } = long ?? { ...short, end: from + at }
    if (offset + length <= end)
      return { offset, length, count, endAt: end, isLong: long !== undefined }
  }
  return undefined
}

/** The end for archives of more than 4 GB or 65,535 members, in front of the one that all archives have. */
async function findLongEnd(file: DiskFile, shortEnd: number) {
  const locator = Buffer.from(await readExactly(file, Math.max(0, shortEnd - 20), 20))
  if (locator.length < 20 || locator.readUInt32LE(0) !== locatorMagic) return undefined
  const end = Number(locator.readBigUInt64LE(8))
  if (end > shortEnd) return undefined
  const record = Buffer.from(await readExactly(file, end, 56))
  if (record.length < 56 || record.readUInt32LE(0) !== end64Magic) return undefined
  return {
    end,
    count: Number(record.readBigUInt64LE(32)),
    length: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  }
}

function membersIn(bytes: Buffer) {
  const members: ZipMember[] = []
  const taken = new Map<string, number>()
  let at = 0
  for (; at + entryBytes <= bytes.length && bytes.readUInt32LE(at) === entryMagic; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    ) as [number, number, number] // three fields
    const nameAt = at + entryBytes
    const extraAt = nameAt + nameLength
    const next = extraAt + extraLength + commentLength
    if (next > bytes.length) return { members, isWhole: false }
    const extra = extraFields(bytes.subarray(extraAt, extraAt + extraLength))
    const flags = bytes.readUInt16LE(at + 8)
    const rawName = bytes.subarray(nameAt, extraAt)
    const name = zipName(rawName, (flags & 0x800) !== 0, extra.get(0x7075))
    const wide = wideNumbers(extra.get(0x0001))
    const sizeBytes = wide(bytes.readUInt32LE(at + 24))
    const packedBytes = wide(bytes.readUInt32LE(at + 20))
    const headerAt = wide(bytes.readUInt32LE(at + 42))
    const copy = (taken.get(name) ?? 0) + 1
    taken.set(name, copy)
    const modifiedMs = modifiedIn(extra.get(0x000a))
    members.push({
      name,
      copy,
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (flags & 1) !== 0,
      crc32: bytes.readUInt32LE(at + 16),
      sizeBytes,
      packedBytes,
      headerAt,
      ...(modifiedMs === undefined ? {} : { modifiedMs }),
    })
    at = next
  }
  return { members, isWhole: at === bytes.length || bytes.readUInt32LE(at) !== entryMagic }
}

function extraFields(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at + 2)
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return fields
}

/** In Unix milliseconds; undefined where the field of NTFS times does not begin with them, or none is a time. */
function modifiedIn(field: Buffer | undefined): number | undefined {
  if (field === undefined || field.length < 16 || field.readUInt32LE(4) !== 0x00180001)
    return undefined
  const unixMs = Number(field.readBigUInt64LE(8) / 10n) / 1000 - 11_644_473_600_000
  return Math.abs(unixMs) <= 8.64e15 ? unixMs : undefined
}

/** Numbers that have no room in 32 bits are in an extra field, in the order in which they are asked for. */
function wideNumbers(field: Buffer | undefined): (short: number) => number {
  let at = 0
  return (short) => {
    if (short !== all32 || field === undefined || at + 8 > field.length) return short
    at += 8
    return Number(field.readBigUInt64LE(at - 8))
  }
}
