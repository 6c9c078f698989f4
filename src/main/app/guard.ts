import type { App, IpcMainInvokeEvent, Session } from 'electron'
import { isAddressOf } from './address'
import { pageUrl, quickUrl } from './scheme'

/**
 * Keeps Chromium from the network; must run before the app is ready. WebRTC and names that are looked up ahead,
 * which the page's policy does not cover, could otherwise reveal what the page knows. Main asks models by Node's own
 * fetch.
 */
export function guardNetwork({ commandLine }: Pick<App, 'commandLine'>): void {
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
  commandLine.appendSwitch('force-webrtc-ip-handling-policy', noDirectUdp)
}

/** WebRTC sends nothing by UDP, unless through a proxy; by TCP it goes through the session's. */
const noDirectUdp = 'disable_non_proxied_udp'

/** A name that no network ever has (RFC 6761): a request through this proxy fails. */
const deadEnd = 'http://proxy.invalid:1'

/**
 * Refuses every permission but writing text to the clipboard, every download, and every connection to a network,
 * addresses of this machine included. Resolves when that holds: no page may be loaded before.
 */
export async function guardSession(session: Session): Promise<void> {
  const allowed = new Set(['clipboard-sanitized-write'])
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(allowed.has(permission)),
  )
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission))
  session.on('will-download', (event) => event.preventDefault())
  await session.setProxy({ proxyRules: deadEnd, proxyBypassRules: '<-loopback>' })
}

/** Refuses navigation, new windows and webviews in all contents that will ever be made. */
export function guardContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWebRTCIPHandlingPolicy(noDirectUdp)
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}

/**
 * Returns true for a call from the main frame of our own page: a frame inside it, or another page, may not call. A page can give itself another
 * address of ours, so that this tells no window from another: that is who sends (`event.sender`).
 */
export function isOurPage(event: IpcMainInvokeEvent): boolean {
  return isFrom(event, pageUrl)
}

/** Returns true for a call from the main frame of the quick entry's page; see `isOurPage`. */
export function isQuickPage(event: IpcMainInvokeEvent): boolean {
  return isFrom(event, quickUrl)
}

function isFrom(event: IpcMainInvokeEvent, page: string): boolean {
  try {
    const frame = event.senderFrame
    return frame !== null && frame.parent === null && isAddressOf(page, frame.url)
  } catch {
    return false // A frame that is gone meanwhile cannot be inspected.
  }
}
