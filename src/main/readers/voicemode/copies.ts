import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { unpackFault } from '../../disk/unpack/unpacked-file'

/** A file that was found; `path` is absolute. */
interface Seen {
  readonly path: string
  readonly stat: FileStat
}

/** Results by both paths, valid while neither file changes. */
const remembered = new WeakMap<
  Disk,
  Map<string, { readonly stamp: string; readonly found: CopyKind }>
>()

/** The outcome of a comparison; `part` is a copy as far as it can be read, such as one that is still being packed. */
export type CopyKind = 'whole' | 'part' | 'none'

/**
 * Compares a file with the beginning of another, which it may be a copy of while a day is being packed: reading both
 * would show every line twice. Reads as far as the two are equal, once.
 */
export async function isCopy(disk: Disk, copy: Seen, of: Seen): Promise<CopyKind> {
  const known = remembered.get(disk) ?? new Map()
  remembered.set(disk, known)
  const stamp = JSON.stringify([copy.stat, of.stat])
  const pair = `${copy.path}\n${of.path}`
  const before = known.get(pair)
  if (before?.stamp === stamp) return before.found
  const found = await compare(disk, copy.path, of.path)
  known.set(pair, { stamp, found })
  return found
}

const pieceBytes = 1024 * 1024

async function compare(disk: Disk, copyPath: string, ofPath: string): Promise<CopyKind> {
  try {
    const copy = await disk.open(copyPath, 'read')
    try {
      const of = await disk.open(ofPath, 'read')
      try {
        for (let at = 0; ; at += pieceBytes) {
          const piece = await readExactly(copy, at, pieceBytes)
          const there = await readExactly(of, at, piece.length)
          if (Buffer.compare(piece, there) !== 0) return 'none'
          if (piece.length < pieceBytes) return unpackFault(copy) === undefined ? 'whole' : 'part'
        }
      } finally {
        await of.close()
      }
    } finally {
      await copy.close()
    }
  } catch (error) {
    // One that cannot be read is reported where it is read.
    if (error instanceof DiskError) return 'none'
    throw error
  }
}
