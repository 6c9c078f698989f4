import type { PDFDocumentProxy } from 'pdfjs-dist'
import { nodeDisk } from '../disk/node/node-disk'
import { readWholeFile } from '../disk/reading/read'
import { boundArrays } from './bounded-memory'
import { type ReadPage, textOfPages, unreadableFault } from './page-text'
import type { PdfAnswer, PdfQuestion } from './process-question'

/**
 * Reads the text of a PDF, page by page, with pdf.js (https://mozilla.github.io/pdf.js/): in the order in which the file has it, which is
 * mostly that of reading. Neither fields of forms nor notes are in it, and no text of pictures. For a process of its own: globals
 * are changed, and a hostile file can end it.
 */
export async function readPdfText({
  bytes,
  characterMaps,
  mostText,
}: PdfQuestion): Promise<PdfAnswer> {
  const { getDocument } = await loadPackage()
  // Nothing of it is given back: the process ends with it.
  const task = getDocument({
    // A copy: the package takes the memory over.
    data: new Uint8Array(bytes),
    BinaryDataFactory: mapsIn(characterMaps),
    CanvasFactory: class {},
    FilterFactory: class {},
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  })
  try {
    return await textOf(await task.promise, mostText)
  } catch (error) {
    return {
      fault:
        error instanceof Error && error.name === 'PasswordException'
          ? 'is protected by a password'
          : unreadableFault,
    }
  }
}

/** Pages that cannot be read count as such: those around them can. */
async function textOf(document: PDFDocumentProxy, mostText: number): Promise<PdfAnswer> {
  const pages: ReadPage[] = []
  let bytes = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await pageText(document, number)
    pages.push(page)
    bytes += Buffer.byteLength(page ?? '')
    if (bytes > mostText) return { fault: 'has more text than a message takes' }
  }
  return textOfPages(pages)
}

async function pageText(document: PDFDocumentProxy, number: number): Promise<ReadPage> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    let text = ''
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
    return text
  } catch {
    return undefined
  }
}

/**
 * Loads pdf.js, both its halves. It wants classes of a browser to be there as it is loaded, of which text needs none.
 */
async function loadPackage() {
  // In a process of Electron's it would take itself for a page, by `type`; by `getBuiltinModule` it looks for a package that draws.
  for (const name of ['type', 'getBuiltinModule'])
    Object.defineProperty(process, name, { value: undefined, configurable: true })
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D'])
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: class {} })
  // It says on the console what is missing.
  console.warn = () => undefined
  boundArrays()
  const [pdfjs] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    // Sets the global by which the other half finds it.
    import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
  ])
  return pdfjs
}

/** What the package reads the character maps with: files of one folder, and nothing else. */
function mapsIn(folder: string) {
  return class {
    async fetch(wanted: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const isMap = wanted.kind === 'cMapUrl' && /^[\w-]+\.bcmap$/.test(wanted.filename)
      if (!isMap) throw new Error(`${wanted.filename} is not needed for text`)
      return new Uint8Array(
        await readWholeFile(nodeDisk, `${folder}${wanted.filename}`, largestMapBytes),
      )
    }
  }
}

const largestMapBytes = 4 * 1024 * 1024
