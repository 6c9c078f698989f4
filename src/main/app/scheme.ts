import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { net, protocol, type Session } from 'electron'
import { parsePageRequest } from './address'
import { audioResponse, type FindRecording } from './audio-scheme'
import { type FindShownImage, imageResponse } from './image-scheme'

const scheme = 'app'
const host = 'skein'

/** The page that every window shows. Nothing else is ever navigated to. */
export const pageUrl = `${scheme}://${host}/index.html`

/**
 * The page's content security policy: its own scripts, styles, fonts, workers and recordings, and nothing else.
 * Inline styles are allowed for the positions of virtual rows; scripts are not.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Registers the page's scheme as a standard one, which has origins, so that storage and workers work, and which
 * streams, so that recordings play. Must run before the app is ready.
 */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

/**
 * Serves the files below `folder` as `app://skein/...`, recordings below `/audio/`, and images of messages below
 * `/image/`; any other path or host is not found.
 */
export function serveFolder(
  session: Session,
  folder: string,
  { recording, image }: { readonly recording: FindRecording; readonly image: FindShownImage },
): void {
  const root = path.resolve(folder)
  session.protocol.handle(scheme, async (request) => {
    const asked = parsePageRequest(request.url, host, root)
    if (asked.type === 'malformed') return new Response('bad request', { status: 400 })
    if (asked.type === 'recording') return audioResponse(request, recording)
    if (asked.type === 'image') return imageResponse(request, image)
    if (asked.type === 'nothing') return new Response('not found', { status: 404 })
    const { file } = asked
    const found = await net.fetch(pathToFileURL(file).toString()).catch(() => undefined)
    if (found === undefined || !found.ok) return new Response('not found', { status: 404 })
    return new Response(found.body, {
      headers: {
        'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
      },
    })
  })
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
