import path from 'node:path'
import {
  app,
  BrowserWindow,
  nativeTheme,
  type Session,
  screen,
  session,
  type WebContents,
} from 'electron'
import { guardSession } from './guard'
import { type PageMedia, quickUrl, serveFolder } from './scheme'
import { backgroundOf, lockedPreferences } from './window'

/** The window of the quick entry: made when it is first shown, hidden in between. */
export interface QuickWindow {
  /** Shows it over what is on the screen with the pointer, and gives it the focus. One whose page crashed, or left its address, is made anew. */
  show(): void
  hide(): void
  /** Returns true where it is in front. */
  isShown(): boolean
  /** Returns true where it is there and nobody sees it, unless the program ends. */
  isHidden(): boolean
  /** Returns true for the contents of this window, whatever address they show. */
  has(contents: WebContents): boolean
  /** Sends an event to it, where it is open. */
  send(channel: string, payload: unknown): void
  close(): void
}

const size = { width: 640, height: 208 }

/** Dependencies of the window of the quick entry. */
export interface QuickWindowDeps {
  /** The built program: `preload` and `renderer` lie in it. */
  readonly builtFolder: string
  readonly realPath: PageMedia['realPath']
  /** How large text is, 1 as it is: the window grows with it. */
  readonly textZoom: () => number
  /** Has its page keep the words and hide it, in place of closing it. */
  readonly closing: () => void
  readonly note: (error: unknown) => void
}

/**
 * Returns the window, which is not made yet. It has the app window's locks, and a session of its own in memory, whose page gets neither
 * recordings nor images nor any other page.
 */
export function openQuickWindow(deps: QuickWindowDeps): QuickWindow {
  const { builtFolder, realPath, closing, note } = deps
  let guarded: Promise<Session> | undefined
  let made: BrowserWindow | undefined
  /** Resolves when its page is there. */
  let loaded: Promise<BrowserWindow> | undefined
  /** It was shown, and not hidden since. */
  let isWanted = false
  /** The program ends: nothing may stay open. */
  let isQuitting = false
  app.on('before-quit', () => {
    isQuitting = true
  })

  async function guard(): Promise<Session> {
    const own = session.fromPartition('quick', { cache: false })
    const media: PageMedia = {
      recording: async () => ({ type: 'missing', looked: [] }),
      image: async () => undefined,
      realPath,
    }
    serveFolder(own, path.join(builtFolder, 'renderer'), media, Promise.resolve(), quickUrl)
    await guardSession(own)
    return own
  }

  /** Makes the window; rejects where it was closed meanwhile: a window that nobody waits for would keep the program open. */
  async function open(): Promise<BrowserWindow> {
    guarded ??= guard()
    const own = await guarded
    if (!isWanted) throw new Error('the quick entry was closed while it opened')
    const isMac = process.platform === 'darwin'
    const window = new BrowserWindow({
      ...size,
      minWidth: 320,
      minHeight: 160,
      title: 'Quick entry - Skein',
      show: false,
      frame: false,
      fullscreenable: false,
      minimizable: false,
      maximizable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      // On a Mac it comes over what is there, a full screen too, and leaves the program in front where it is.
      ...(isMac ? { type: 'panel' } : {}),
      backgroundColor: backgroundOf(nativeTheme.shouldUseDarkColors),
      webPreferences: lockedPreferences(path.join(builtFolder, 'preload/index.cjs'), own),
    })
    made = window
    // The menu's keys act on the app window, or would close this one with its words. The page has copy and paste by itself.
    if (!isMac) window.removeMenu()
    window.on('close', (event) => {
      if (isQuitting || !isWhole(window.webContents)) return
      event.preventDefault()
      closing()
    })
    if (isMac) window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true })
    window.on('closed', () => forget(window))
    window.webContents.on('render-process-gone', () => {
      forget(window)
      window.destroy()
    })
    try {
      await window.loadURL(quickUrl)
    } catch (error) {
      forget(window)
      window.destroy()
      throw error
    }
    return window
  }

  function forget(window: BrowserWindow): void {
    if (made !== window) return
    made = undefined
    loaded = undefined
  }

  /** Takes away a window whose page went to another address, or lost its process. */
  function dropBroken(): void {
    if (made === undefined || loaded === undefined) return
    const { webContents } = made
    if (isWhole(webContents) || webContents.isLoading()) return
    const broken = made
    forget(broken)
    broken.destroy()
  }

  return {
    show() {
      isWanted = true
      isQuitting = false
      dropBroken()
      loaded ??= open()
      const opening = loaded
      opening.then(
        (window) => {
          if (!isWanted || window.isDestroyed()) return
          window.setBounds(placeBelowPointer(deps.textZoom()))
          window.show()
          window.focus()
        },
        (error: unknown) => {
          if (loaded === opening) loaded = undefined
          if (isWanted) note(error)
        },
      )
    },
    hide() {
      isWanted = false
      made?.hide()
    },
    isShown: () => made?.isVisible() === true && made.isFocused(),
    isHidden: () => !isQuitting && made?.isVisible() === false,
    has: (contents) => made !== undefined && made.webContents === contents,
    send(channel, payload) {
      made?.webContents.send(channel, payload)
    },
    close() {
      isWanted = false
      made?.destroy()
    },
  }
}

/** Returns true where the page is the quick entry's, and runs. */
function isWhole(contents: WebContents): boolean {
  return !contents.isCrashed() && isAt(contents, quickUrl)
}

function isAt(contents: WebContents, url: string): boolean {
  return contents.getURL().split(/[?#]/)[0] === url
}

/** The upper middle of the screen that has the pointer. */
function placeBelowPointer(textZoom: number) {
  const area = screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
  const width = Math.min(Math.round(size.width * Math.max(1, textZoom)), area.width)
  const height = Math.min(Math.round(size.height * Math.max(1, textZoom)), area.height)
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) * 0.3),
    width,
    height,
  }
}
