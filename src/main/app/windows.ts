import path from 'node:path'
import { BrowserWindow, nativeTheme, type Session, session, type WebContents } from 'electron'
import { guardSession } from './guard'
import { homeId } from './instance'
import { type PageMedia, serveFolder } from './scheme'
import { backgroundOf, openWindow, type WindowPlace } from './window'

/** Everything that the app window needs. */
export interface WindowsDeps {
  /** The folder of Skein's own files. */
  readonly userFolder: string
  /** The built program: `preload` and `renderer` lie in it. */
  readonly builtFolder: string
  /** The recordings and images that the page may ask for. */
  readonly media: PageMedia
  /** The page waits for it: then every call is served. */
  readonly whenServed: Promise<unknown>
  readonly placeOf: (id: string) => Promise<WindowPlace | undefined>
  readonly keepPlace: (id: string, place: WindowPlace) => void
  /** Called when the last one was closed. */
  readonly allClosed: () => void
}

/** The app window: one at a time, with a profile of the home that it shows. */
export interface Windows {
  show(home: string): Promise<void>
  /**
   * Replaces the window: each home has a profile of its own (drafts, sizes of panes), and a window keeps its profile
   * for life.
   */
  replace(home: string): Promise<void>
  /** Brings it to the front; opens it where there is none. */
  focus(home: string): void
}

/** Sends an event to every window. */
export function sendToWindows(channel: string, payload: unknown): void {
  for (const window of appWindows()) window.webContents.send(channel, payload)
}

/** Lists the open app windows: a page that is printed and the quick entry have sessions in memory alone. */
export function appWindows(): readonly BrowserWindow[] {
  return BrowserWindow.getAllWindows().filter(({ webContents }) =>
    webContents.session.isPersistent(),
  )
}

/** Returns true for the contents of an open app window, whatever address they show. */
export function isAppWindow(contents: WebContents): boolean {
  return appWindows().some(({ webContents }) => webContents === contents)
}

/** Returns the app window that has the focus. */
export function focusedAppWindow(): BrowserWindow | undefined {
  const focused = BrowserWindow.getFocusedWindow()
  return appWindows().find((window) => window === focused)
}

/** Returns true where another program's window is in front, or the quick entry. */
export function isBehind(): boolean {
  return focusedAppWindow() === undefined
}

/** Returns the app window of this process, which is not open yet. */
export function openWindows(deps: WindowsDeps): Windows {
  const { userFolder, builtFolder } = deps
  const prepared = new Map<Session, Promise<void>>()

  /** The profile of a home: two Skeins on two homes must not share one. */
  async function profileOf(id: string): Promise<Session> {
    const profile = session.fromPath(path.join(userFolder, 'homes', id, 'profile'))
    const ready = prepared.get(profile) ?? prepare(profile)
    prepared.set(profile, ready)
    await ready
    return profile
  }

  function prepare(profile: Session): Promise<void> {
    serveFolder(profile, path.join(builtFolder, 'renderer'), deps.media, deps.whenServed)
    return guardSession(profile)
  }

  async function show(home: string): Promise<void> {
    const id = homeId(home)
    const window = openWindow({
      preload: path.join(builtFolder, 'preload/index.cjs'),
      session: await profileOf(id),
      place: await deps.placeOf(id),
      dark: nativeTheme.shouldUseDarkColors,
      placed: (where) => deps.keepPlace(id, where),
    })
    const repaint = () => window.setBackgroundColor(backgroundOf(nativeTheme.shouldUseDarkColors))
    nativeTheme.on('updated', repaint)
    window.on('closed', () => {
      nativeTheme.off('updated', repaint)
      if (appWindows().length === 0) deps.allClosed()
    })
  }

  return {
    show,
    async replace(home) {
      const before = appWindows()
      await show(home)
      for (const window of before) window.close()
    },
    focus(home) {
      const [window] = appWindows()
      if (window === undefined) return void show(home)
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
  }
}
