import { longestOf, textFileLimits } from '../../../shared/model/attachments/text-files'
import {
  type GivenImage,
  imageLimits,
  imageTypeOf,
  shownImageName,
} from '../../../shared/model/conversation/images'

/**
 * Reads files that a person gave, images and others told apart by their first bytes; `fault` is words for the first that cannot be
 * read, and for those that are too many to be read. It reads just enough to exceed a limit of size or count and checks no format.
 */
export async function readImageFiles(
  files: readonly File[],
): Promise<{ readonly images: readonly GivenImage[]; readonly fault: string | undefined }> {
  const images: GivenImage[] = []
  const faults: string[] = []
  // One file over a limit is enough to report that there are too many of its kind.
  const left = { image: imageLimits.count + 1, other: textFileLimits.count + 1 }
  let unread = 0
  for (const file of files) {
    try {
      const head = await bytesOf(file, headBytes)
      const kind = imageTypeOf(head) === undefined ? 'other' : 'image'
      if (left[kind] === 0) unread++
      else {
        left[kind]--
        // One byte over the limit is enough to report that it is too large.
        const most = kind === 'image' ? imageLimits.bytes : longestOf({ bytes: head })
        images.push({ name: file.name, bytes: await bytesOf(file, most + 1) })
      }
    } catch {
      // A folder, or a file that is gone.
      if (faults.length === 0) faults.push(`"${shownImageName(file.name)}" cannot be read.`)
    }
  }
  if (unread > 0)
    faults.push(
      `A message takes ${imageLimits.count} images and ${textFileLimits.count} text files at most: ${unread} more ${unread === 1 ? 'file was' : 'files were'} not read.`,
    )
  return { images, fault: faults.length === 0 ? undefined : faults.join(' ') }
}

/** Enough to tell an image or a PDF by. */
const headBytes = 16

async function bytesOf(file: File, most: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, most).arrayBuffer())
}

/** Returns the files on a clipboard or in a drop; none where there is text too, since the text was meant. */
export function transferredFiles(data: DataTransfer | null): readonly File[] {
  if (data === null || data.types.includes('text/plain')) return []
  return [...data.files]
}

/** Returns true where files are dragged. Which ones is known only when they are dropped. */
export function isFileDrag(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}
