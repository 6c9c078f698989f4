import { isPdf, type PdfReading, type ReadPdf } from './pdf'
import { type GivenTextFile, longestOf, shownFileName } from './text-files'

/** A given file, with its text where it is a PDF. */
export interface ReadTextFile extends GivenTextFile {
  /** A sentence on pages that do not go; absent where all go. */
  readonly note?: string | undefined
}

/** Returns true for a file whose text has to be read: a PDF that is not too large. */
export function needsReading(file: GivenTextFile): boolean {
  return isPdf(file.bytes) && file.text === undefined && file.bytes.length <= longestOf(file)
}

/** Reads the text of a given PDF; gives the fault in a sentence where it has none. A signal stops it. */
export async function withPdfText<Signal>(
  file: GivenTextFile,
  readPdf: ReadPdf<Signal>,
  stop?: Signal,
): Promise<{ readonly file: ReadTextFile } | { readonly fault: string }> {
  const name = `"${shownFileName(file.name)}"`
  const reading = await readPdf(file.bytes, stop)
  if ('fault' in reading) return { fault: `${name} ${reading.fault}.` }
  const missing = missingPages(reading)
  const note = missing === undefined ? {} : { note: `${name} goes without ${missing}.` }
  return { file: { ...file, text: reading.text, ...note } }
}

type PdfText = Exclude<PdfReading, { readonly fault: string }>

function missingPages({ pages, empty, unread }: PdfText): string | undefined {
  const missing = empty + unread
  if (missing === 0) return undefined
  const many = missing === 1 ? 'one' : String(missing)
  const have = missing === 1 ? 'has' : 'have'
  const why = unread === 0 ? `${have} no text` : `${have} no text, or cannot be read`
  return `${many} of its ${pages} pages, which ${why}`
}
