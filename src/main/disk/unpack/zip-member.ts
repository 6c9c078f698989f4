import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import type { DiskFile } from '../interface/disk'
import { readExactly } from '../reading/lines'
import { crc32 } from './crc32'
import { isDiskError, largestContentBytes, type PackFormat, packedPieces } from './unpack-format'

/** A file in a zip archive, as the archive's directory tells. */
export interface ZipMember {
  /** With slashes; as it is in the archive, so nothing to make a path of. */
  readonly name: string
  /** 2 for the second of that name. */
  readonly copy: number
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc32: number
  readonly sizeBytes: number
  readonly packedBytes: number
  /** The offset of its header in the archive. */
  readonly headerAt: number
  /** When it changed last, in Unix milliseconds; absent where its archive has no such field in the form of NTFS. */
  readonly modifiedMs?: number
}

const stored = 0
const deflated = 8
const headerMagic = 0x04034b50
const headerBytes = 30
const contentPieceBytes = 64 * 1024

/** Deflate makes at most 1,032 bytes of one. */
const mostOfOne = 1032

/**
 * Returns the format that reads one member. Its size is the directory's: what cannot be unpacked shows as a shorter content,
 * and then `fault` says why.
 */
export function zipMemberFormat(member: ZipMember): PackFormat {
  let fault: string | undefined = claimFault(member)
  return {
    get fault() {
      return fault
    },
    async measure(_packed, packedBytes) {
      const isRead = fault === undefined
      return {
        sizeBytes: isRead ? member.sizeBytes : 0,
        packedTo: packedBytes,
        ...(fault === undefined ? {} : { fault }),
      }
    },
    async *content(packed) {
      let sizeBytes = 0
      let sum = 0
      const damage = (at: number) => `${member.name} is damaged in the archive at byte ${at}`
      try {
        for await (const piece of unpackedPieces(packed, member)) {
          sizeBytes += piece.length
          sum = crc32(piece, sum)
          if (sizeBytes > member.sizeBytes) break
          yield piece
        }
      } catch (error) {
        if (isDiskError(error)) throw error
      }
      if (sizeBytes !== member.sizeBytes || sum !== member.crc32)
        fault ??= damage(Math.min(sizeBytes, member.sizeBytes))
    },
  }
}

function claimFault(member: ZipMember): string | undefined {
  const { name, method, isEncrypted, sizeBytes, packedBytes } = member
  if (isEncrypted) return `${name} is encrypted`
  if (method !== stored && method !== deflated)
    return `${name} is packed by method ${method}, which is not known`
  const most = method === stored ? packedBytes : packedBytes * mostOfOne
  if (sizeBytes > most) return `${name} cannot be as large as the archive says`
  if (sizeBytes > largestContentBytes) return `${name} unpacks to more than 16 GB`
  return undefined
}

async function* unpackedPieces(packed: DiskFile, member: ZipMember): AsyncGenerator<Uint8Array> {
  const { headerAt, packedBytes, method } = member
  const header = Buffer.from(await readExactly(packed, headerAt, headerBytes))
  if (header.length < headerBytes || header.readUInt32LE(0) !== headerMagic) return
  const from = headerAt + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  const pieces = packedPieces(stretchOf(packed, from), packedBytes)
  if (method === stored) yield* pieces
  else yield* inflated(pieces)
}

async function* inflated(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: contentPieceBytes })
  const source = Readable.from(pieces)
  // Failures reach the loop below through the unpacker.
  pipeline(source, inflate, () => undefined)
  try {
    for await (const piece of inflate) yield piece
  } finally {
    inflate.destroy()
    source.destroy()
    // It may still read from the file, which may be closed next. Not events.once: that fails with the source.
    if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
  }
}

/** The file from a byte on. */
function stretchOf(file: DiskFile, from: number): Pick<DiskFile, 'read'> {
  return { read: (into, position) => file.read(into, from + position) }
}

/** The upper half of the code page of the first IBM PC, which archives use that tell nothing else. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * Returns a member's name: in UTF-8 where the archive says so, where an extra field has it, or where the bytes are; else
 * by code page 437.
 *
 * @param unicode the extra field 0x7075
 */
export function zipName(raw: Uint8Array, isUtf8: boolean, unicode: Buffer | undefined): string {
  const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  // Version 1, then the checksum of the name that it stands for.
  if (unicode !== undefined && unicode[0] === 1 && unicode.length > 5)
    if (unicode.readUInt32LE(1) === crc32(raw, 0)) return decode437(unicode.subarray(5), decode)
  return isUtf8 ? new TextDecoder().decode(raw) : decode437(raw, decode)
}

function decode437(raw: Uint8Array, decode: (bytes: Uint8Array) => string): string {
  try {
    return decode(raw)
  } catch {
    return Array.from(raw, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (codePage437[byte - 0x80] ?? '?'),
    ).join('')
  }
}
