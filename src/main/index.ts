import os from 'node:os'
import path from 'node:path'
import { app, dialog, ipcMain, nativeTheme, shell } from 'electron'
import type { HomeChoice } from '../shared/ipc/app/app'
import { AppError } from '../shared/model/basics/errors'
import {
  askByDialog,
  askForExportFolder,
  askForHome,
  askForSource,
  askWhereToSave,
} from './app/dialogs'
import { guardContents, guardNetwork, isOurPage } from './app/guard'
import { claimHome } from './app/instance'
import { setMenu } from './app/menu'
import { registerScheme } from './app/scheme'
import { systemCipher } from './app/secrets'
import { startOptions } from './app/start-options'
import { watchUserInput } from './app/user-input'
import { openWindows } from './app/windows'
import { openBackgroundNotices } from './compose/background-notices'
import { firstHome } from './compose/choose-home'
import type { HomeSession } from './compose/home'
import { openHomeMoves } from './compose/home-moves'
import { closeHomeState, type HomeStateDeps, openHomeState } from './compose/home-state'
import { pageMedia } from './compose/page-media'
import { fileToReveal } from './compose/reveal-place'
import { saveExport, saveNewExport } from './compose/save-export'
import { openSources } from './compose/sources/sources'
import { givenRoots, rootsFrom } from './compose/sources/window-roots'
import { userFiles } from './compose/user-files'
import { appDisk as disk } from './disk/app-disk'
import { shownPath } from './disk/interface/shown-path'
import { appHandlers } from './ipc/handlers/app'
import { backgroundHandlers } from './ipc/handlers/background'
import { branchesHandlers } from './ipc/handlers/branches'
import { compactionDomain } from './ipc/handlers/compaction'
import { completionHandlers } from './ipc/handlers/completion'
import { contextsDomain } from './ipc/handlers/contexts'
import { exportHandlers } from './ipc/handlers/exports'
import { libraryHandlers } from './ipc/handlers/library'
import { lostHandlers } from './ipc/handlers/lost'
import { modelsHandlers } from './ipc/handlers/models'
import { pluginsHandlers } from './ipc/handlers/plugins'
import { searchHandlers } from './ipc/handlers/search'
import { sentHandlers } from './ipc/handlers/sent'
import { settingsHandlers } from './ipc/handlers/settings'
import { sourcesHandlers } from './ipc/handlers/sources'
import { tagsHandlers } from './ipc/handlers/tags'
import { titlesDomain } from './ipc/handlers/titles'
import { transcriptDomain } from './ipc/handlers/transcript'
import { upkeepHandlers } from './ipc/handlers/upkeep'
import { windowSizeHandlers } from './ipc/handlers/window-size'
import { type CallHost, emitters, serve } from './ipc/serve'
import { makeSampleLibrary } from './library/sample'
import { defaultCacheFolder } from './library/sources/roots'
import { createLinkOpener } from './permission/links'
import { openPermissions } from './permission/permissions'
import { askForSettings } from './permission/settings-questions'
import { practiceOnDemand } from './practice/launch'
import { readers } from './readers/index'
import { createFileVault } from './settings/stored/key-vault'
import { openSettingsFile } from './settings/stored/settings-file'

registerScheme()
guardNetwork(app)
guardContents(app)
const options = startOptions(process.argv.slice(1), process.env, process.cwd())
const userFolder = app.getPath('userData')
// Set before the app is ready, which does not wait for us: nothing of a profile may lie beside our own files.
app.setPath('sessionData', path.join(userFolder, 'shell'))
const user = userFiles(disk, userFolder)
const built = (name: string) => path.join(__dirname, name)
const resources = app.isPackaged ? process.resourcesPath : path.join(app.getAppPath(), 'resources')

/** Where a person decides what the page cannot. */
const permissions = openPermissions(askByDialog)
watchUserInput(app, permissions.acted)
const allow = askForSettings(permissions)
const openLink = createLinkOpener(permissions, (url) => shell.openExternal(url))

const windows = openWindows({
  userFolder,
  builtFolder: path.join(__dirname, '..'),
  media: pageMedia(disk, () => opened()),
  placeOf: (id) => user.windowPlace(id),
  keepPlace: (id, where) => void user.keepWindowPlace(id, where),
  allClosed() {
    transcripts.close()
    contexts.close()
  },
})
const { send } = windows
const tell = {
  app: emitters('app', send),
  library: emitters('library', send),
  transcript: emitters('transcript', send),
  completion: emitters('completion', send),
  compaction: emitters('compaction', send),
  contexts: emitters('contexts', send),
  background: emitters('background', send),
  branches: emitters('branches', send),
  search: emitters('search', send),
  exports: emitters('exports', send),
  settings: emitters('settings', send),
  models: emitters('models', send),
  plugins: emitters('plugins', send),
  sources: emitters('sources', send),
}
const notices = openBackgroundNotices(Date.now, () => tell.background.changed([...notices.list()]))
function note(words: string): void {
  process.stderr.write(`skein: ${words}\n`)
  notices.add(words)
}
const practice = practiceOnDemand(built('practice.worker.cjs'))
const vault = createFileVault({ disk, file: path.join(userFolder, 'keys'), cipher: systemCipher })

/** Skein's own settings, for all who change them. */
const settingsOfUser = openSettingsFile(disk, userFolder)

const sources = openSources({
  environment: process.env,
  disk,
  readers,
  settings: settingsOfUser,
  given: givenRoots(options.roots, process.cwd(), note),
  reopen: (roots) => places.now().session?.reopen(roots),
  ask: (kind) => permissions.pick(() => askForSource(kind)),
  changed: tell.sources.changed,
})

const transcripts = transcriptDomain(
  () => opened(),
  tell.transcript,
  (key) => opened().entered(key),
)
const contexts = contextsDomain(() => opened(), tell.contexts, {
  trash: (folder) => shell.trashItem(folder),
  hooks: () => async (point, data) =>
    void (await places.now().plugins?.hooks.call(point, { ...data })),
})

const titles = titlesDomain(() => opened())

const compactions = compactionDomain(() => opened(), tell.compaction, {
  compact: (wish, signal) => opened().compact(wish, signal),
  poke: transcripts.poke,
})

function opened(): HomeSession {
  const { session } = places.now()
  if (session === undefined) throw new AppError('not-found', 'No home is open.')
  return session
}

const placeDeps: HomeStateDeps = {
  disk,
  userFolder,
  cacheFolder: options.cache ?? defaultCacheFolder(process.env),
  environment: process.env,
  vault,
  settingsFile: settingsOfUser,
  practice: () => practice.url(),
  permissions,
  sources,
  rootsFrom: (sample) => rootsFrom(options, sample),
  pluginsChanged: () => tell.plugins.changed(),
  library: tell.library,
  completion: tell.completion,
  branches: tell.branches,
  search: tell.search,
  familiesWorker: built('families.worker.cjs'),
  searchWorker: built('search.worker.cjs'),
  countWorker: built('count.worker.cjs'),
  tokensWorker: built('tokens.worker.cjs'),
  poke: transcripts.poke,
  note,
}

const places = openHomeMoves({
  disk,
  app: {
    version: app.getVersion(),
    platform:
      process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
  },
  open: (home, isChosen, sample) => openHomeState(placeDeps, home, isChosen, sample),
  homeOf: chosenHome,
  claim: (home) => claimHome(app, userFolder, home),
  async leave() {
    transcripts.close()
    contexts.close()
    await compactions.close()
    await titles.close()
  },
  remember: (home) => user.rememberHome(home),
  async arrived(status, home, isAnother) {
    if (isAnother) await windows.replace(home)
    else tell.app.statusChanged(status)
  },
})

async function chosenHome(choice: HomeChoice): Promise<string | undefined> {
  if (choice.type === 'default') return options.home ?? path.join(os.homedir(), '.chibi')
  if (choice.type === 'sample') return sampleHome()
  return permissions.pick(askForHome)
}

async function sampleHome(): Promise<string> {
  const home = path.join(userFolder, 'sample-library')
  await makeSampleLibrary(disk, path.join(resources, 'sample'), home)
  return home
}

async function revealFile(key: string, file: string): Promise<void> {
  shell.showItemInFolder(await fileToReveal(places.now().home, () => opened().histories, key, file))
}

function serveCalls(): void {
  const host: CallHost = {
    ipcMain,
    isTrusted: isOurPage,
    report: (where, error) => note(`${where}: ${error instanceof Error ? error.stack : error}`),
  }
  const shellOfApp = {
    status: places.status,
    openHome: places.move,
    openLink,
    revealFile,
  }
  serve('app', appHandlers(shellOfApp), host)
  serve('library', libraryHandlers(opened), host)
  serve('transcript', transcripts.handlers, host)
  serve(
    'completion',
    completionHandlers(opened, () => opened().consents),
    host,
  )
  serve('compaction', compactions.handlers, host)
  serve('windowSize', windowSizeHandlers(opened), host)
  serve(
    'sent',
    sentHandlers(() => opened().sent),
    host,
  )
  serve('contexts', contexts.handlers, host)
  serve('upkeep', upkeepHandlers(opened), host)
  serve('background', backgroundHandlers(notices), host)
  serve('titles', titles.handlers, host)
  serve('tags', tagsHandlers(opened), host)
  serve('branches', branchesHandlers(opened), host)
  serve('search', searchHandlers(opened, tell.search), host)
  serve(
    'exports',
    exportHandlers(
      opened,
      {
        ask: (name, { label, extension }) =>
          permissions.pick(() => askWhereToSave(name, label, extension)),
        write: (file, pieces, kept) => saveExport(disk, file, pieces, kept),
        shown: shownPath,
        askFolder: () => permissions.pick(askForExportFolder),
        isTaken: async (file) => (await disk.stat(file)) !== undefined,
        writeNew: (file, pieces, kept) => saveNewExport(disk, file, pieces, kept),
      },
      tell.exports,
    ),
    host,
  )
  serve(
    'settings',
    settingsHandlers(() => places.now().settings, allow, {
      changed(view) {
        nativeTheme.themeSource = view.preferences.theme
        tell.settings.changed(view)
      },
    }),
    host,
  )
  serve(
    'models',
    modelsHandlers(
      () => places.now().models,
      opened,
      allow,
      tell.models,
      async () => tell.settings.changed(await places.now().settings.view()),
    ),
    host,
  )
  serve(
    'plugins',
    pluginsHandlers(() => places.now().plugins, permissions),
    host,
  )
  serve('sources', sourcesHandlers(sources), host)
  serve('lost', lostHandlers(opened), host)
}

/** Ends only when every run's entry is on the disk and every lock is given back. */
function endInOrder(): void {
  let ended = false
  app.on('before-quit', (event) => {
    if (ended) return
    event.preventDefault()
    sources.close()
    void compactions
      .close()
      .then(() => titles.close())
      .then(() => closeHomeState(places.now()))
      .catch((error: unknown) => note(String(error)))
      .then(() => practice.close())
      .then(() => {
        ended = true
        app.quit()
      })
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
}

async function main(): Promise<void> {
  const first = options.sample
    ? { home: await sampleHome(), chosen: true }
    : await firstHome(disk, os.homedir(), options.home, await user.rememberedHome())
  if (!claimHome(app, userFolder, first.home)) {
    note(`${shownPath(first.home)} is open in another Skein; it is in front now.`)
    return app.quit()
  }
  await app.whenReady()
  const place = await places.begin(first.home, first.chosen, options.sample)
  nativeTheme.themeSource = (await place.settings.view()).preferences.theme
  serveCalls()
  setMenu(app, tell.app.command)
  endInOrder()
  const focus = () => windows.focus(places.now().home)
  app.on('second-instance', focus)
  app.on('activate', focus)
  await windows.show(place.home)
}

main().catch((error: unknown) => {
  note(error instanceof Error ? (error.stack ?? error.message) : String(error))
  dialog.showErrorBox('Skein cannot start', error instanceof Error ? error.message : String(error))
  app.exit(1)
})
