import type { DiskFile } from '../../disk/interface/disk'
import { longestLineBytes, readExactly } from '../../disk/reading/lines'
import type { Stretch } from './composed-line'

/**
 * Returns all of a document that is no JSON, such as the zeros that a crash left; undefined for one that is JSON, or blank. Holds
 * the document, unless it is longer than any line that is held.
 *
 * @throws DiskError
 */
export async function stretchOfNoJson(document: DiskFile): Promise<Stretch | undefined> {
  const { sizeBytes } = await document.stat()
  if (sizeBytes <= longestLineBytes) {
    const text = Buffer.from(await readExactly(document, 0, sizeBytes)).toString('utf8')
    if (text.trim() === '' || isJson(text)) return undefined
  }
  return { start: 0, end: sizeBytes }
}

const pieceBytes = 64 * 1024

/**
 * Finds what stands behind a document's value, as the end of a longer one over which it was written; undefined for white space.
 *
 * @throws DiskError
 */
export async function stretchBehind(
  document: DiskFile,
  valueEnd: number,
): Promise<Stretch | undefined> {
  const { sizeBytes: end } = await document.stat()
  for (let start = valueEnd; start < end; start += pieceBytes) {
    const piece = await readExactly(document, start, Math.min(pieceBytes, end - start))
    if (Buffer.from(piece).toString('latin1').trim() !== '') return { start, end }
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}
