// Holds the app back until Playwright has connected to it: a window that opens while it connects may never be told.
// Playwright calls `__playwright_run` then; it brings a gate of its own, but only to an Electron that it finds by itself.
const { app } = require('electron')

const ready = app.whenReady()
const driven = new Promise((resolve) => {
  globalThis.__playwright_run = resolve
})
app.whenReady = () => Promise.all([ready, driven]).then(() => undefined)
