import { type App, type IpcMainInvokeEvent, type Session, shell } from 'electron'
import { pageUrl } from './scheme'

const openable = new Set(['http:', 'https:', 'mailto:'])

/** Refuses every permission but writing text to the clipboard, and every download. */
export function guardSession(session: Session): void {
  const allowed = new Set(['clipboard-sanitized-write'])
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(allowed.has(permission)),
  )
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission))
  session.on('will-download', (event) => event.preventDefault())
}

/** Refuses navigation, new windows and webviews in all contents that will ever be made. */
export function guardContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}

/** Whether a call comes from the main frame of our own page: a frame inside it, or another page, may not call. */
export function isOurPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && frame.url.split(/[?#]/)[0] === pageUrl
}

/** Opens a link in the person's browser; tells whether it was one that may be opened. */
export async function openLink(url: string): Promise<boolean> {
  const parsed = parseUrl(url)
  if (parsed === undefined || !openable.has(parsed.protocol)) return false
  await shell.openExternal(parsed.toString())
  return true
}

// URL.canParse is missing in the older runtime.
function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}
