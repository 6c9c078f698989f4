import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import type { DiskFile } from '../interface/disk'
import { yieldToOthers } from '../pacing/slices'
import { crc32 } from '../unpack/crc32'
import { writeAll } from '../writing/atomic'

/** A member of a zip that was written. */
export interface WrittenMember {
  readonly name: string
  /** Of its content. */
  readonly sizeBytes: number
  /** SHA-256 of its content, in lower-case hex. */
  readonly sha256: string
}

interface Entry extends WrittenMember {
  readonly crc32: number
  readonly packedBytes: number
  readonly headerAt: number
  /** Its times, as extra fields. */
  readonly times: Buffer
}

const all32 = 0xffffffff
const all16 = 0xffff
/** Names in UTF-8; sizes behind the data, since they are not known before. */
const flags = 0x0808
/** The version that reads numbers of 64 bits. */
const version = 45
const deflated = 8
/** 1 January 1980: the fields behind the name have the times. */
const noDate = 0x00210000

/**
 * Writes a zip archive into an open, empty file, member by member, as APPNOTE 6.3 has it, with numbers of 64 bits
 * throughout. Holds a piece of a member, and some 200 bytes for each.
 */
export class ZipWriter {
  private entries: Entry[] = []
  private at = 0
  private readonly file: Pick<DiskFile, 'write'>
  private readonly path: string

  /** @param path of the file, for errors */
  constructor(file: Pick<DiskFile, 'write'>, path: string) {
    this.file = file
    this.path = path
  }

  /**
   * Writes a member.
   *
   * @param name with slashes
   * @param modifiedMs when it changed last, in Unix milliseconds
   * @throws DiskError; what `content` throws: then the member is none, and what is written of it stays as a gap
   */
  async add(
    name: string,
    content: AsyncIterable<Uint8Array>,
    modifiedMs: number,
  ): Promise<WrittenMember> {
    const times = timeFields(modifiedMs)
    const headerAt = this.at
    const rawName = Buffer.from(name)
    await this.put(
      numbers([4, 0x04034b50], [2, version], [2, flags], [2, deflated], [4, noDate]),
      numbers([4, 0], [4, all32], [4, all32], [2, rawName.length], [2, 20 + times.length]),
      rawName,
      numbers([2, 1], [2, 16], [8, 0], [8, 0]),
      times,
    )
    const from = this.at
    const hash = createHash('sha256')
    let [sum, sizeBytes] = [0, 0]
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of content) {
        hash.update(piece)
        sum = crc32(piece, sum)
        sizeBytes += piece.length
        yield piece
      }
    }
    for await (const packed of deflatedPieces(counted())) {
      await this.put(packed)
      await yieldToOthers(packed.length)
    }
    const packedBytes = this.at - from
    await this.put(numbers([4, 0x08074b50], [4, sum], [8, packedBytes], [8, sizeBytes]))
    const sha256 = hash.digest('hex')
    const entry = { name, sizeBytes, sha256, crc32: sum, packedBytes, headerAt, times }
    this.entries.push(entry)
    return entry
  }

  /** Takes members out of the directory; their bytes stay as a gap. */
  drop(names: ReadonlySet<string>): void {
    this.entries = this.entries.filter(({ name }) => !names.has(name))
  }

  /** Lists the members that are in the directory so far, in order. */
  members(): readonly WrittenMember[] {
    return this.entries
  }

  /** Writes the directory: nothing may follow. Not durable before the file is synced. @throws DiskError */
  async finish(): Promise<void> {
    const from = this.at
    for (const one of this.entries) {
      const name = Buffer.from(one.name)
      await this.put(
        numbers([4, 0x02014b50], [2, version], [2, version], [2, flags], [2, deflated]),
        numbers([4, noDate], [4, one.crc32], [4, all32], [4, all32]),
        numbers([2, name.length], [2, 28 + one.times.length], [2, 0], [2, 0], [2, 0]),
        numbers([4, 0], [4, all32]),
        name,
        numbers([2, 1], [2, 24], [8, one.sizeBytes], [8, one.packedBytes], [8, one.headerAt]),
        one.times,
      )
    }
    const [end, count] = [this.at, this.entries.length]
    await this.put(
      numbers([4, 0x06064b50], [8, 44], [2, version], [2, version], [4, 0], [4, 0]),
      numbers([8, count], [8, count], [8, end - from], [8, from]),
      numbers([4, 0x07064b50], [4, 0], [8, end], [4, 1]),
      numbers([4, 0x06054b50], [2, 0], [2, 0], [2, all16], [2, all16], [4, all32], [4, all32]),
      numbers([2, 0]),
    )
  }

  private async put(...pieces: readonly Uint8Array[]): Promise<void> {
    const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
    await writeAll(this.file, this.path, bytes)
    this.at += bytes.length
  }
}

async function* deflatedPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ chunkSize: 256 * 1024 })
  const source = Readable.from(content)
  // Failures reach the loop below through the packer.
  pipeline(source, deflate, () => undefined)
  try {
    for await (const piece of deflate) yield piece
  } finally {
    deflate.destroy()
    source.destroy()
    // It may still read from a file, which may be closed next.
    if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
  }
}

/** In the form of Unix, whose seconds most programs read, and in that of NTFS, which has parts of them. */
function timeFields(modifiedMs: number): Buffer {
  const seconds = Math.min(Math.max(Math.floor(modifiedMs / 1000), 0), 0x7fffffff)
  const time = ntfsTime(modifiedMs)
  return Buffer.concat([
    numbers([2, 0x5455], [2, 5]),
    Buffer.of(1),
    numbers([4, seconds]),
    numbers([2, 0x000a], [2, 32], [4, 0], [2, 1], [2, 24]),
    numbers([8, time], [8, time], [8, time]),
  ])
}

/** The last one that a signed number of 64 bits can name, as which programs read it: in the year 30828. */
const lastNtfsTime = 0x7fff_ffff_ffff_ffffn

/** Tenths of a microsecond since 1601; the first or last one that can be named for a time beyond. */
function ntfsTime(unixMs: number): bigint {
  const time = (BigInt(Math.round(unixMs * 1000)) + 11_644_473_600_000_000n) * 10n
  if (time < 0n) return 0n
  return time < lastNtfsTime ? time : lastNtfsTime
}

/** Returns numbers of so many bytes each, the lowest first. */
function numbers(
  ...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number | bigint])[]
): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0))
  let at = 0
  for (const [length, value] of fields) {
    if (length === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(Number(value), at, length)
    at += length
  }
  return bytes
}
