import { type Disk, DiskError } from '../disk/disk'
import { unpackFault } from '../disk/unpacked-file'

/** A packed file of which not everything could be read. */
export interface BrokenArchive {
  /** As places name it. */
  readonly file: string
  /** Why, as a sentence without its full stop. */
  readonly fault: string
}

/**
 * Those of the files that are packed and not whole, each measured once in each of its states. One that cannot be opened
 * is left out: whoever reads it says why.
 */
export async function brokenArchives(
  disk: Disk,
  files: readonly { readonly path: string; readonly place: string }[],
  signal?: AbortSignal,
): Promise<readonly BrokenArchive[]> {
  const broken: BrokenArchive[] = []
  for (const { path, place } of files) {
    signal?.throwIfAborted()
    // A history of plain files is not opened once more for nothing.
    if (!packedName.test(path)) continue
    try {
      const fault = await faultOf(disk, path)
      if (fault !== undefined) broken.push({ file: place, fault })
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
    }
  }
  return broken
}

const packedName = /\.(?:gz|zst)$/i

async function faultOf(disk: Disk, file: string): Promise<string | undefined> {
  const opened = await disk.open(file, 'read')
  try {
    await opened.stat()
    return unpackFault(opened)
  } finally {
    await opened.close()
  }
}

/** As readers word it in their notices. */
export function brokenWords({ file, fault }: BrokenArchive): string {
  return `${file}: ${fault}.`
}
