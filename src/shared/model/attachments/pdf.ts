import { z } from 'zod'

/** Limits of the PDFs of a message. */
export const pdfLimits = {
  /** Of one PDF. */
  bytes: 16 * 1024 * 1024,
  /** Of all of a message. */
  totalBytes: 32 * 1024 * 1024,
  /** Of the text of one, in bytes of UTF-8, as of a text file. */
  text: 1024 * 1024,
} as const

/** Text of a PDF, with what is not in it; or why it has none: words after its name. */
export const PdfReading = z.union([
  z.object({
    text: z.string(),
    pages: z.int().positive(),
    /** Pages without a word, which mostly are pictures. */
    empty: z.int().nonnegative(),
    /** Pages that could not be read. */
    unread: z.int().nonnegative(),
  }),
  z.object({ fault: z.string() }),
])
export type PdfReading = z.infer<typeof PdfReading>

/**
 * A function that reads the text of a PDF, or says why it has none. Never rejects.
 *
 * @param stop an AbortSignal, which this room has not, that ends it
 */
export type ReadPdf<Signal> = (bytes: Uint8Array, stop?: Signal) => Promise<PdfReading>

/** Returns true for bytes that begin as a PDF. */
export function isPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
}
