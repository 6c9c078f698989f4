import {
  type GivenImage,
  imageLimits,
  shownImageName,
} from '../../../shared/model/conversation/images'

/** Files as a person gave them: the bytes of each, and words for the first that cannot be read. */
export async function readImageFiles(
  files: readonly File[],
): Promise<{ readonly images: readonly GivenImage[]; readonly fault: string | undefined }> {
  const images: GivenImage[] = []
  let fault: string | undefined
  // What is more than a message takes is told by the first that is too many.
  for (const file of files.slice(0, imageLimits.count + 1)) {
    try {
      // One byte more than is allowed tells that it is too large; the rest of it is nobody's business.
      const buffer = await file.slice(0, imageLimits.bytes + 1).arrayBuffer()
      images.push({ name: file.name, bytes: new Uint8Array(buffer) })
    } catch {
      // A folder, or a file that is gone.
      fault ??= `"${shownImageName(file.name)}" cannot be read.`
    }
  }
  return { images, fault }
}

/** The files that are on a clipboard or being dragged; none where there is text, which is what was meant then. */
export function transferredFiles(data: DataTransfer | null): readonly File[] {
  if (data === null || data.types.includes('text/plain')) return []
  return [...data.files]
}

/** Whether files are being dragged; which ones is told only when they are dropped. */
export function isFileDrag(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}
