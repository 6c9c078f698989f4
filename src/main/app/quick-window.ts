import path from 'node:path'
import { BrowserWindow, nativeTheme, type Session, screen, session } from 'electron'
import { guardSession } from './guard'
import { type PageMedia, quickUrl, serveFolder } from './scheme'
import { backgroundOf, lockedPreferences } from './window'

/** The window of the quick entry: made when it is first shown, hidden in between. */
export interface QuickWindow {
  /** Shows it over what is on the screen with the pointer, and gives it the focus. */
  show(): void
  hide(): void
  isShown(): boolean
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
  readonly note: (error: unknown) => void
}

/**
 * Returns the window, which is not made yet. It has the app window's locks, and a session of its own in memory, whose page gets neither
 * recordings nor images.
 */
export function openQuickWindow({ builtFolder, realPath, note }: QuickWindowDeps): QuickWindow {
  let guarded: Promise<Session> | undefined
  let made: BrowserWindow | undefined
  /** Resolves when its page is there. */
  let loaded: Promise<BrowserWindow> | undefined
  /** It was shown, and not hidden since. */
  let isWanted = false

  async function guard(): Promise<Session> {
    const own = session.fromPartition('quick', { cache: false })
    const media: PageMedia = {
      recording: async () => ({ type: 'missing', looked: [] }),
      image: async () => undefined,
      realPath,
    }
    serveFolder(own, path.join(builtFolder, 'renderer'), media, Promise.resolve())
    await guardSession(own)
    return own
  }

  async function open(): Promise<BrowserWindow> {
    guarded ??= guard()
    const own = await guarded
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
    if (isMac) window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true })
    window.on('closed', () => {
      made = undefined
      loaded = undefined
    })
    await window.loadURL(quickUrl)
    return window
  }

  return {
    show() {
      isWanted = true
      loaded ??= open()
      loaded.then(
        (window) => {
          if (!isWanted || window.isDestroyed()) return
          window.setBounds(placeBelowPointer())
          window.show()
          window.focus()
        },
        (error: unknown) => {
          loaded = undefined
          note(error)
        },
      )
    },
    hide() {
      isWanted = false
      made?.hide()
    },
    isShown: () => made?.isVisible() === true && made.isFocused(),
    send(channel, payload) {
      made?.webContents.send(channel, payload)
    },
    close() {
      isWanted = false
      made?.destroy()
    },
  }
}

/** The upper middle of the screen that has the pointer. */
function placeBelowPointer() {
  const area = screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
  const width = Math.min(size.width, area.width)
  const height = Math.min(size.height, area.height)
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) * 0.3),
    width,
    height,
  }
}
