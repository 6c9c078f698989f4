import {
  type GivenImage,
  imageLimits,
  shownImageName,
} from '../../../shared/model/conversation/images'

/**
 * Reads files that a person gave; `fault` is words for the first that cannot be read. It reads just enough to exceed
 * a limit of size or count and checks no format.
 */
export async function readImageFiles(
  files: readonly File[],
): Promise<{ readonly images: readonly GivenImage[]; readonly fault: string | undefined }> {
  const images: GivenImage[] = []
  let fault: string | undefined
  // One image over the limit is enough to report that there are too many.
  for (const file of files.slice(0, imageLimits.count + 1)) {
    try {
      // One byte over the limit is enough to report that it is too large.
      const buffer = await file.slice(0, imageLimits.bytes + 1).arrayBuffer()
      images.push({ name: file.name, bytes: new Uint8Array(buffer) })
    } catch {
      // A folder, or a file that is gone.
      fault ??= `"${shownImageName(file.name)}" cannot be read.`
    }
  }
  return { images, fault }
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
