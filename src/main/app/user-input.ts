import type { EventEmitter } from 'node:events'
import type { App, WebContents } from 'electron'

/**
 * Events by which a person begins to do something: a key, a button or a finger goes down; letting go, moving and
 * scrolling begin nothing.
 */
const begun: ReadonlySet<unknown> = new Set(['rawKeyDown', 'keyDown', 'mouseDown', 'touchStart'])

/**
 * Notices when a person clicks or presses a key in an app window: as the system hands it to the page, before the page has
 * it. Events that a page makes up never come by here.
 *
 * @param counts whether the contents are an app window's, asked at each event
 */
export function watchUserInput(
  app: Pick<App, 'on'>,
  counts: (contents: WebContents) => boolean,
  acted: () => void,
): void {
  app.on('web-contents-created', (_event, contents) => {
    // The older runtime has the event too, and no type for it.
    const events: Pick<EventEmitter, 'on'> = contents
    events.on('input-event', (_sent: unknown, input: { readonly type?: unknown }) => {
      if (begun.has(input.type) && counts(contents)) acted()
    })
  })
}
