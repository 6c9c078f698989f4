import { type PdfReading, pdfLimits, type ReadPdf } from '../../shared/model/attachments/pdf'
import { unreadableFault } from './page-text'
import type { PdfProcess } from './pdf-process'
import type { PdfQuestion } from './process-question'

/** Everything that reading PDFs takes. */
export interface PdfTextsDeps {
  /** Starts a process that reads one PDF. */
  readonly start: () => PdfProcess
  /** The folder of pdf.js's character maps. */
  readonly characterMaps: string
  /** Makes the signal that ends the reading of one, as taking too long; a minute where it is absent. */
  readonly limit?: () => AbortSignal
}

/** In milliseconds; a thousand pages take some ten seconds. */
const longest = 60_000

/** Makes the function that reads PDFs, one after the other, each in a process of its own, which ends with it. */
export function openPdfTexts(deps: PdfTextsDeps): ReadPdf<AbortSignal> {
  const { limit = () => AbortSignal.timeout(longest) } = deps
  let last: Promise<unknown> = Promise.resolve()
  return (bytes, stop) => {
    const reading = last.then(() => readInProcess(deps, bytes, limit(), stop))
    last = reading
    return reading
  }
}

/** Never rejects. */
function readInProcess(
  { start, characterMaps }: PdfTextsDeps,
  bytes: Uint8Array,
  limit: AbortSignal,
  stop: AbortSignal | undefined,
): Promise<PdfReading> {
  const stopped = { fault: 'is not read: it was stopped' }
  if (stop?.aborted === true) return Promise.resolve(stopped)
  return new Promise((resolve) => {
    let reader: PdfProcess | undefined
    const end = (reading: PdfReading) => {
      limit.removeEventListener('abort', tooLong)
      stop?.removeEventListener('abort', stopNow)
      resolve(reading)
      reader?.kill()
    }
    const tooLong = () => end({ fault: 'takes too long to be read' })
    const stopNow = () => end(stopped)
    try {
      reader = start()
      reader.onAnswer(end)
      reader.onEnd(() => end({ fault: unreadableFault }))
      limit.addEventListener('abort', tooLong)
      stop?.addEventListener('abort', stopNow)
      if (stop?.aborted === true) return stopNow()
      if (limit.aborted) return tooLong()
      const mostText = pdfLimits.text
      const question: PdfQuestion = { bytes, characterMaps: `${characterMaps}/`, mostText }
      reader.ask(question)
    } catch {
      // No process can be had now.
      end({ fault: 'cannot be read now' })
    }
  })
}
