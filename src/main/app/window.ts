import { BrowserWindow, type Session, screen, type WebPreferences } from 'electron'
import { pageUrl } from './scheme'

/** The position and size of an app window, in screen pixels. */
export interface WindowPlace {
  readonly x?: number | undefined
  readonly y?: number | undefined
  readonly width: number
  readonly height: number
  readonly maximized: boolean
}

const firstPlace: WindowPlace = { width: 1440, height: 900, maximized: false }

/** Opens the app window: sandboxed, isolated, without Node, and unable to navigate to any other page. */
export function openWindow(options: {
  readonly preload: string
  readonly session: Session
  readonly place: WindowPlace | undefined
  readonly dark: boolean
  readonly placed: (place: WindowPlace) => void
}): BrowserWindow {
  const place = onScreen(options.place ?? firstPlace)
  const window = new BrowserWindow({
    ...place,
    minWidth: 480,
    minHeight: 360,
    title: 'Skein',
    show: false,
    // The first frame has the page's own colour: no white flash in the dark.
    backgroundColor: backgroundOf(options.dark),
    webPreferences: lockedPreferences(options.preload, options.session),
  })
  window.once('ready-to-show', () => {
    // Which shows it as well.
    if (place.maximized) window.maximize()
    window.show()
  })
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const)
    window.on(event as 'resize', () => options.placed(placeOf(window)))
  void window.loadURL(pageUrl)
  return window
}

/** Returns the locks of every window that shows a page of ours: sandboxed, isolated, without Node. */
export function lockedPreferences(preload: string, session: Session): WebPreferences {
  return {
    preload,
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
    navigateOnDragDrop: false,
  }
}

/** Returns the colour of an app window before its page has drawn, as the page's own. */
export function backgroundOf(dark: boolean): string {
  return dark ? '#1a1b1f' : '#fefefe'
}

function placeOf(window: BrowserWindow): WindowPlace {
  return { ...window.getNormalBounds(), maximized: window.isMaximized() }
}

/** Returns a place on a display that is still there: a window on an unplugged one would never be seen. */
function onScreen(place: WindowPlace) {
  const area = screen.getPrimaryDisplay().workArea
  const { x, y } = place
  const width = Math.min(place.width, Math.max(area.width, 480))
  const height = Math.min(place.height, Math.max(area.height, 360))
  const seen =
    x !== undefined &&
    y !== undefined &&
    screen.getAllDisplays().some(({ workArea: w }) => {
      return x + 80 < w.x + w.width && x + width > w.x + 80 && y >= w.y && y + 40 < w.y + w.height
    })
  return seen
    ? { x, y, width, height, maximized: place.maximized }
    : { width, height, maximized: place.maximized }
}
