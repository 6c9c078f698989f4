import { randomUUID } from 'node:crypto'
import { BrowserWindow, type Session, session } from 'electron'
import { AppError } from '../../shared/model/basics/errors'
import { guardSession } from './guard'

const scheme = 'skein-print'

/** Besides what the page itself forbids. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
}

/** In inches, as Electron takes them. */
const margins = { top: 0.6, bottom: 0.75, left: 0.7, right: 0.7 }

const footer = `<div style="display:flex;gap:1em;width:100%;min-width:0;margin:0 0.7in;font-size:8px;color:#444">
<span class="title" style="flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"></span>
<span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>`

/** A page that waits for its window. */
interface WaitingPage {
  readonly pieces: AsyncIterator<string>
  /** All of it was taken. */
  isRead: boolean
  /** The next piece is waited for. */
  isWaiting: boolean
  /** Why it was not. */
  failure?: { readonly cause: unknown }
}

/**
 * Makes what prints pages, each in a hidden window of its own that has no scripts, no preload and no Node, in a session in memory that refuses
 * every request but the one for the page. The window is gone when it returns, whichever way; it throws what the page throws, the signal's
 * reason, or AppError `io`.
 */
export function openPrinter(): (
  page: AsyncIterable<string>,
  signal: AbortSignal,
) => Promise<Uint8Array> {
  const pages = new Map<string, WaitingPage>()
  let guarded: Promise<Session> | undefined

  async function guard(): Promise<Session> {
    const own = session.fromPartition('print', { cache: false })
    own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !pages.has(url) }))
    own.protocol.handle(scheme, ({ url }) => {
      const page = pages.get(url)
      // Once: nothing but its window asks for it.
      pages.delete(url)
      if (page === undefined) return new Response('not found', { status: 404 })
      return new Response(streamOf(page), { headers })
    })
    await guardSession(own)
    return own
  }

  return async (pieces, signal) => {
    guarded ??= guard()
    const own = await guarded
    signal.throwIfAborted()
    const page = waitingPage(pieces)
    const url = `${scheme}://page/${randomUUID()}`
    pages.set(url, page)
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        session: own,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        javascript: false,
        webgl: false,
        spellcheck: false,
      },
    })
    try {
      return await firstOf(window, signal, async () => {
        await window.loadURL(url).catch((cause: unknown) => {
          throw page.failure?.cause ?? notPrinted(cause)
        })
        if (page.failure !== undefined) throw page.failure.cause
        if (!page.isRead) throw notPrinted()
        return await window.webContents.printToPDF(paper).catch((cause: unknown) => {
          throw notPrinted(cause)
        })
      })
    } finally {
      pages.delete(url)
      window.destroy()
      await endOf(page)
    }
  }
}

function waitingPage(pieces: AsyncIterable<string>): WaitingPage {
  return { pieces: pieces[Symbol.asyncIterator](), isRead: false, isWaiting: false }
}

/** Lets go of what the page reads. A piece that does not come is not waited for: what makes it ends once it came. */
async function endOf({ pieces, isWaiting }: WaitingPage): Promise<void> {
  const ended = pieces.return?.().catch(() => undefined)
  if (!isWaiting) await ended
}

const paper = {
  pageSize: 'A4' as const,
  printBackground: true,
  displayHeaderFooter: true,
  headerTemplate: '<span></span>',
  footerTemplate: footer,
  margins,
}

/** The work, or the end of its window: a page that is gone answers nothing. */
async function firstOf<T>(
  window: BrowserWindow,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let end: (why: unknown) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  const stop = () => end(signal.reason)
  signal.addEventListener('abort', stop)
  window.webContents.once('render-process-gone', (_event, { reason }) => end(notPrinted(reason)))
  window.once('closed', () => end(notPrinted()))
  try {
    return await Promise.race([work(), ended])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function notPrinted(cause?: unknown): AppError {
  return new AppError('io', 'No PDF was made: the page could not be printed.', { cause })
}

function streamOf(page: WaitingPage): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        page.isWaiting = true
        const next = await page.pieces.next()
        if (next.done !== true) return controller.enqueue(encoder.encode(next.value))
        page.isRead = true
        controller.close()
      } catch (cause) {
        page.failure = { cause }
        controller.error(cause)
      } finally {
        page.isWaiting = false
      }
    },
  })
}
