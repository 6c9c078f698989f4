// The least that Electron shows: what the start of the app is measured beside.
const { app, BrowserWindow } = require('electron')
const path = require('node:path')

app.on('window-all-closed', () => app.quit())
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, webPreferences: { sandbox: true } })
  return window.loadFile(path.join(__dirname, 'index.html'))
})
