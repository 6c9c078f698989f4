// Is loaded into Electron before the app: says on stdout when the first window shows what is looked for, then ends the app unless it stays.
const { app } = require('electron')

const selector = JSON.stringify(process.env.SKEIN_BENCH_SELECTOR)
/** Resolves to the time of the frame after the one in which it is there. */
const whenDrawn = `new Promise((resolve) => {
  const step = () =>
    requestAnimationFrame(
      document.querySelector(${selector}) === null ? step : () => resolve(Date.now()),
    )
  step()
})`

app.once('browser-window-created', (_event, window) => {
  let visibleAtMs = 0
  window.once('show', () => {
    visibleAtMs = Date.now()
  })
  window.webContents.once('dom-ready', async () => {
    const drawnAtMs = await window.webContents.mainFrame.executeJavaScript(whenDrawn)
    if (!window.isVisible()) await new Promise((resolve) => window.once('show', resolve))
    process.stdout.write(`\nshown at ${Math.max(drawnAtMs, visibleAtMs)}\n`, () => {
      if (process.env.SKEIN_BENCH_STAYS === undefined) app.quit()
    })
  })
})
