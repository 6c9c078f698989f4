import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { net, protocol, type Session } from 'electron'
import { isAddressOf, parsePageRequest } from './address'
import { audioResponse, type FindRecording } from './audio-scheme'
import { type FindShownImage, imageResponse } from './image-scheme'

const scheme = 'app'
const host = 'skein'

/** The page that every app window shows. Nothing else is ever navigated to. */
export const pageUrl = `${scheme}://${host}/index.html`

/** The page of the quick entry, which is the only one of its window. */
export const quickUrl = `${scheme}://${host}/quick.html`

/**
 * The page's content security policy: its own scripts, styles, fonts, workers and recordings, and nothing else. No
 * style, script or HTML is taken from a text: the positions of virtual rows are set by scripts, element by element, and
 * the one policy of trusted types lets workers be started from the page's own files (renderer/ui/behaviour/trusted-types).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/**
 * Registers the page's scheme as a standard one, which has origins, so that storage and workers work, and which
 * streams, so that recordings play. Must run before the app is ready.
 */
export function registerScheme(): void {
  // What a script was compiled to is kept for the next start; the names of scripts have a hash of their content. The older runtime
  // passes over what it does not know.
  const privileges = {
    standard: true,
    secure: true,
    supportFetchAPI: true,
    stream: true,
    codeCache: true,
  }
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }])
}

/** Recordings and images that the page may ask for besides its own files, and where those really are. */
export interface PageMedia {
  readonly recording: FindRecording
  readonly image: FindShownImage
  /** Follows every link of a path; rejects where nothing is there. */
  readonly realPath: (file: string) => Promise<string>
}

/**
 * Serves the files below `folder` as `app://skein/...`, recordings below `/audio/`, and images of messages below
 * `/image/`; any other path or host is not found, nor is what a link out of the folder leads to.
 *
 * @param whenServed what the page itself waits for, since it calls main at once
 * @param only the one page of this session; every page of the program where it is absent
 */
export function serveFolder(
  session: Session,
  folder: string,
  { recording, image, realPath }: PageMedia,
  whenServed: Promise<unknown>,
  only?: string,
): void {
  const root = path.resolve(folder)
  session.protocol.handle(scheme, async (request) => {
    const asked = parsePageRequest(request.url, host, root)
    if (asked.type === 'malformed') return answer(400, 'bad request', '.txt')
    if (asked.type === 'recording') return audioResponse(request, recording)
    if (asked.type === 'image') return imageResponse(request, image)
    if (asked.type === 'nothing') return answer(404, 'not found', '.txt')
    if (path.extname(asked.file) === '.html') {
      if (only !== undefined && !isAddressOf(only, request.url))
        return answer(404, 'not found', '.txt')
      await whenServed
    }
    const file = await realFile(root, asked.file, realPath)
    const found =
      file === undefined
        ? undefined
        : await net.fetch(pathToFileURL(file).toString()).catch(() => undefined)
    if (found === undefined || !found.ok) return answer(404, 'not found', '.txt')
    return answer(200, found.body, path.extname(asked.file))
  })
}

/** Finds a file that really lies below a folder; undefined where it does not, or nothing is there. */
async function realFile(
  folder: string,
  file: string,
  realPath: PageMedia['realPath'],
): Promise<string | undefined> {
  try {
    const [root, real] = await Promise.all([realPath(folder), realPath(file)])
    return real.startsWith(root + path.sep) ? real : undefined
  } catch {
    return undefined
  }
}

/** Whatever is answered has the policy: what is not found could be shown as a page too. */
function answer(
  status: number,
  body: ConstructorParameters<typeof Response>[0],
  extension: string,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': contentTypes[extension] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    },
  })
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
