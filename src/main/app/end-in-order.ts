import type { App } from 'electron'

/**
 * Keeps the program open until its work has ended: the first wish to quit starts the end, later ones wait for it, and the
 * program quits when it is over, whichever way.
 *
 * @param end ends all work; called once
 * @param report hears why the end failed
 */
export function endInOrder(
  app: Pick<App, 'on' | 'quit'>,
  end: () => Promise<void>,
  report: (error: unknown) => void,
): void {
  let state: 'open' | 'ending' | 'ended' = 'open'
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void end()
      .catch(report)
      .then(() => {
        state = 'ended'
        app.quit()
      })
  })
}
