import { setFlagsFromString } from 'node:v8'
import type { PdfQuestion } from './process-question'
import { readPdfText } from './read-pdf-text'

/** What a utility process of Electron's talks through; a child of Node's has `process.send`. */
interface ElectronPort {
  once(event: 'message', hear: (message: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

// In MB; what a PDF needs beyond it ends this process.
setFlagsFromString('--max-old-space-size=1024')

/** Reads one PDF in a process of its own, and answers with its text. */
const { parentPort } = process as { readonly parentPort?: ElectronPort }
if (parentPort === undefined)
  process.once('message', (question) => {
    void readPdfText(question as PdfQuestion).then((answer) => process.send?.(answer))
  })
else
  parentPort.once('message', ({ data }) => {
    void readPdfText(data as PdfQuestion).then((answer) => parentPort.postMessage(answer))
  })
