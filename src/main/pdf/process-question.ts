import type { PdfReading } from '../../shared/model/attachments/pdf'

/** Everything a process is asked with, to read one PDF. */
export interface PdfQuestion {
  readonly bytes: Uint8Array
  /** The folder of the tables of characters for fonts that a PDF does not bring, with a slash at the end. */
  readonly characterMaps: string
  /** No more text is read, in bytes of UTF-8. */
  readonly mostText: number
}

/** The one message of that process. */
export type PdfAnswer = PdfReading
