import os from 'node:os'
import path from 'node:path'
import { app, dialog, Menu } from 'electron'
import { linkScheme } from '../shared/model/conversation-link'
import { guardContents, guardNetwork } from './app/guard'
import { claimHome } from './app/instance'
import { argumentsOfApp, handedFiles, namedFiles, packFiles } from './app/opened/named-files'
import { openedFiles } from './app/opened/opened-files'
import { openedLinks } from './app/opened/opened-links'
import { registerScheme } from './app/scheme'
import { startOptions } from './app/start-options'
import { watchUserInput } from './app/user-input'
import { isAppWindow, openWindows } from './app/windows'
import { firstHome } from './compose/choose-home'
import { userFiles } from './compose/user-files'
import type { Composed } from './composition'
import { shownPath } from './disk/interface/shown-path'
import { nodeDisk } from './disk/node/node-disk'

// The start: a home is claimed and its window begun with little code. Chromium waits until this file and what it imports have
// run, so that everything else is loaded behind it, while the window's process comes up.

registerScheme()
guardNetwork(app)
guardContents(app)
// Instead of Electron's own, until ours is there.
Menu.setApplicationMenu(null)
const options = startOptions(process.argv.slice(1), process.env, process.cwd())
const userFolder = app.getPath('userData')
// Set before the app is ready, which does not wait for us: nothing of a profile may lie among our own files.
app.setPath('sessionData', path.join(userFolder, 'shell'))
const user = userFiles(nodeDisk, userFolder)
const builtFolder = path.join(__dirname, '..')
/** Links that come before there is a window wait for its page. */
const links = openedLinks()
links.receive(process.argv.slice(1))
const ownArguments = argumentsOfApp(
  process.argv,
  app.isPackaged ? undefined : app.getAppPath(),
  process.cwd(),
)
const named = namedFiles(ownArguments, process.cwd())
/** Files that a person opened Skein with wait for it, too. */
const files = openedFiles()
// An installer for Linux or macOS says that the links are ours; on Windows the program has to.
if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme)

let composed: Composed | undefined
watchUserInput(app, isAppWindow, () => composed?.acted())
/** Resolves when calls are served: until then the page waits. */
let served: (everything: Composed) => void = () => {}
const whenServed = new Promise<Composed>((resolve) => {
  served = resolve
})

async function everything(): Promise<Composed> {
  const { compose } = await import('./composition')
  composed ??= compose({ options, userFolder, user, links, files, comeForward, builtFolder })
  return composed
}

const windows = openWindows({
  userFolder,
  builtFolder,
  whenServed,
  media: {
    recording: async (key, name) => (await whenServed).media.recording(key, name),
    image: async (key, name) => (await whenServed).media.image(key, name),
    realPath: nodeDisk.realPath,
  },
  placeOf: (id) => user.windowPlace(id),
  keepPlace: (id, where) => void user.keepWindowPlace(id, where),
  allClosed: () => composed?.allClosed(),
})

// Heard from the start: a second Skein leaves its link to this one as soon as this one has the home.
let isShown = false
function comeForward(): void {
  if (isShown && composed !== undefined) windows.focus(composed.home())
}
app.on('activate', comeForward)
app.on('second-instance', (_event, argv, _folder, data) => {
  files.receive(handedFiles(data))
  if (links.receive(argv)) comeForward()
})
// macOS gives files as events, too.
app.on('open-file', (event, file) => {
  event.preventDefault()
  files.receive([file])
  comeForward()
})
// macOS gives links as events, the first one before the app is ready.
app.on('open-url', (event, url) => {
  event.preventDefault()
  if (links.receive([url])) comeForward()
})
app.on('window-all-closed', () => {
  if (process.platform !== 'darwin') app.quit()
})

async function main(): Promise<void> {
  const first = options.sample
    ? { home: await (await everything()).sampleHome(), chosen: true }
    : await firstHome(nodeDisk, os.homedir(), options.home, await user.rememberedHome())
  if (!claimHome(app, userFolder, first.home, packFiles(process.argv, named))) {
    process.stderr.write(
      `skein: ${shownPath(first.home)} is open in another Skein; it is in front now.\n`,
    )
    return app.quit()
  }
  files.receive(named)
  await app.whenReady()
  await windows.show(first.home)
  const all = await everything()
  await all.open(first, windows)
  served(all)
  isShown = true
}

main().catch((error: unknown) => {
  process.stderr.write(
    `skein: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  dialog.showErrorBox('Skein cannot start', error instanceof Error ? error.message : String(error))
  app.exit(1)
})
