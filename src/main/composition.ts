import os from 'node:os'
import path from 'node:path'
import { app, globalShortcut, ipcMain, nativeTheme, shell } from 'electron'
import type { AppStatus, HomeChoice } from '../shared/ipc/app/app'
import type { LibraryKey } from '../shared/model/conversation/conversation'
import { formatConversationLink } from '../shared/model/conversation-link'
import { makeKeyTable } from '../shared/model/keys/key-table'
import { keyPlatformOf } from '../shared/model/keys/keystroke'
import type { Preferences } from '../shared/model/settings/settings'
import {
  askByDialog,
  askForExport,
  askForExportFolder,
  askForHome,
  askForSnapshot,
  askForSnapshotFolder,
  askForSource,
  askWhereToSave,
} from './app/dialogs'
import { endInOrder } from './app/end-in-order'
import { isOurPage, isQuickPage } from './app/guard'
import { claimHome, homeId } from './app/instance'
import { setMenu } from './app/menu'
import type { OpenedFiles } from './app/opened/opened-files'
import type { OpenedLinks } from './app/opened/opened-links'
import { openPrinter } from './app/printing'
import { openQuickWindow } from './app/quick-window'
import { systemCipher } from './app/secrets'
import type { StartOptions } from './app/start-options'
import { openGlobalKey } from './app/system/global-key'
import { showNotification } from './app/system/notifications'
import { startUtility } from './app/utility-process'
import { isAppWindow, isBehind, sendToWindows, type Windows } from './app/windows'
import { readAppParts } from './compose/app-parts'
import { openBackgroundNotices } from './compose/background-notices'
import { openCheckups } from './compose/checkups'
import type { FirstHome } from './compose/choose-home'
import { openWorkToEnd } from './compose/ending-work'
import { openHomeMoves } from './compose/home-moves'
import { closeHomeState, type HomeStateDeps, openHomeState } from './compose/home-state'
import { pageMedia } from './compose/page-media'
import { quickDraftFile } from './compose/quick-draft'
import { openQuickEntry } from './compose/quick-entry'
import { quickView } from './compose/quick-view'
import { conversationsAt, fileToReveal } from './compose/reveal-place'
import { openSnapshots } from './compose/snapshots'
import { openSources } from './compose/sources/sources'
import { givenRoots, rootsFrom } from './compose/sources/window-roots'
import { openSystemNotices } from './compose/system-notices'
import { openUpdates } from './compose/updates'
import type { UserFiles } from './compose/user-files'
import { appDisk } from './disk/app-disk'
import { shownPath } from './disk/interface/shown-path'
import { nodeDisk } from './disk/node/node-disk'
import { quickHandlers } from './ipc/handlers/conversations/quick'
import { homeEvents } from './ipc/home-events'
import { type CallHost, serve } from './ipc/serve'
import { serveCalls } from './ipc/serve-calls'
import { windowEvents } from './ipc/window-events'
import { makeSampleLibrary } from './library/sample'
import { threadSnapshots } from './library/snapshots'
import { openPdfTexts } from './pdf/pdf-texts'
import { deleteBackupQuestion } from './permission/backup-question'
import { importQuestion } from './permission/import-question'
import { createLinkOpener } from './permission/links'
import { openPermissions } from './permission/permissions'
import { askForSettings } from './permission/settings-questions'
import { practiceOnDemand } from './practice/launch'
import { historyDisk } from './readers/history-disk'
import { readers } from './readers/index'
import { readKeptPatterns } from './settings/stored/kept-patterns'
import { createFileVault } from './settings/stored/key-vault'
import { openSettingsFile } from './settings/stored/settings-file'
import { defaultCacheFolder } from './settings/user-folders'
import { threadDatabases } from './sqlite/thread'

/** Everything that was opened at the start, before this. */
export interface Started {
  readonly options: StartOptions
  /** The folder of the user's files of Skein. */
  readonly userFolder: string
  readonly user: UserFiles
  readonly links: OpenedLinks
  readonly files: OpenedFiles
  /** Brings the window to the front. */
  readonly comeForward: () => void
  /** The folder that this program was built into; `main` lies in it. */
  readonly builtFolder: string
}

/** Everything that is behind the window. */
export interface Composed {
  /** A person has just acted. */
  readonly acted: () => void
  /** Recordings and images that the page may ask for. */
  readonly media: ReturnType<typeof pageMedia>
  /** Makes the sample library where there is none; resolves to its folder. */
  readonly sampleHome: () => Promise<string>
  /** Opens the home, and serves every call of the contract. Call it once. */
  readonly open: (first: FirstHome, windows: Windows) => Promise<void>
  /** The home that the window shows. */
  readonly home: () => string
  /** Nobody looks at a conversation any more. */
  readonly allClosed: () => void
}

/** Builds and connects everything that is behind the window. */
export function compose(started: Started): Composed {
  const { options, userFolder, user, links, files, builtFolder } = started
  const built = (name: string) => path.join(builtFolder, 'main', name)
  const disk = historyDisk(appDisk, threadDatabases(built('sqlite.worker.cjs')))
  const tell = windowEvents(sendToWindows)
  const resources = app.isPackaged
    ? process.resourcesPath
    : path.join(app.getAppPath(), 'resources')
  const updates = openUpdates({
    disk: nodeDisk,
    resources,
    version: app.getVersion(),
    platform: process.platform,
  })
  const notices = openBackgroundNotices(Date.now, (now) => tell.background.changed([...now]))
  function note(words: string): void {
    process.stderr.write(`skein: ${words}\n`)
    notices.add(words)
  }
  const noteFailure = (error: unknown) => note(String(error))

  links.hear(() => tell.app.linkCame({}))
  files.hear(() => tell.sources.filesCame({}))

  /** Where a person decides what the page cannot. */
  const permissions = openPermissions(askByDialog)
  const allow = askForSettings(permissions)
  const openLink = createLinkOpener(permissions, (url) => shell.openExternal(url))

  // What is the same whatever home is open.
  const practice = practiceOnDemand(built('practice.worker.cjs'))
  const settingsOfUser = openSettingsFile(disk, userFolder)
  const sources = openSources({
    environment: process.env,
    disk,
    readers,
    settings: settingsOfUser,
    given: givenRoots(options.roots, process.cwd(), note),
    ask: (kind) => permissions.pick(() => askForSource(kind)),
    imports: { folder: path.join(userFolder, 'imports'), plain: nodeDisk, userFolder },
    askForExport: () => permissions.pick(askForExport),
    allowImport: (files) => permissions.require(importQuestion(files), 'Nothing was imported.'),
    backups: path.join(userFolder, 'backups'),
    allowDelete: (root, size) =>
      permissions.require(deleteBackupQuestion(root, size), 'The backup was not deleted.'),
    opened: {
      isWaiting: () => files.isWaiting,
      take: files.take,
      async conversationsAt(file) {
        const { home, session } = places.now()
        if (session === undefined) return []
        return conversationsAt(disk, home, session.contexts, session.histories, file)
      },
      show: showConversation,
    },
    note,
    changed: tell.sources.changed,
  })

  /** Exports that are written when the program ends. */
  const ending = openWorkToEnd()

  /** Shows a conversation in the app window, which comes to the front, and is opened where it is closed. */
  function showConversation(key: LibraryKey): void {
    links.receive([formatConversationLink({ key }) ?? ''])
    started.comeForward()
  }

  const events = homeEvents(tell)
  const systemNotices = openSystemNotices({
    isBehind,
    isWanted: async () => (await settingsOfUser.read()).stored.preferences.notifies,
    titleOf: async (key) => (await places.home().library.find(key))?.title,
    show: ({ title, body, key }) => showNotification(title, body, () => showConversation(key)),
    now: Date.now,
  })

  // The home that is open, and the way to another one.
  const placeDeps: HomeStateDeps = {
    disk,
    userFolder,
    cacheFolder: options.cache ?? defaultCacheFolder(process.env),
    environment: process.env,
    vault: createFileVault({ disk, file: path.join(userFolder, 'keys'), cipher: systemCipher }),
    settingsFile: settingsOfUser,
    practice: () => practice.url(),
    permissions,
    sources,
    rootsFrom: (sample) => rootsFrom(options, sample),
    pluginsChanged: () => tell.plugins.changed(),
    events: {
      ...events,
      runChanged(progress) {
        events.runChanged(progress)
        systemNotices.runChanged(progress)
      },
      approvalAsked(approval) {
        events.approvalAsked(approval)
        systemNotices.approvalAsked(approval)
      },
    },
    print: openPrinter(),
    workers: {
      families: built('families.worker.cjs'),
      statistics: built('statistics.worker.cjs'),
      search: built('search.worker.cjs'),
      count: built('count.worker.cjs'),
      tokens: built('tokens.worker.cjs'),
      comparison: built('comparison.worker.cjs'),
      find: built('find.worker.cjs'),
      landmarks: built('landmark.worker.cjs'),
    },
    note,
  }
  const platform = keyPlatformOf(process.platform)
  const places = openHomeMoves({
    disk,
    app: { version: app.getVersion(), platform },
    open: (home, isChosen, sample) => openHomeState(placeDeps, home, isChosen, sample),
    homeOf: chosenHome,
    claim: (home) => claimHome(app, userFolder, home),
    remember: (home) => user.rememberHome(home),
  })

  const snapshots = openSnapshots({
    disk: nodeDisk,
    home: () => places.now().home,
    userFolder,
    roots: () => places.home().histories.roots,
    acts: threadSnapshots(built('snapshot.worker.cjs')),
    askForFolder: (act) => permissions.pick(() => askForSnapshotFolder(act)),
    askForSnapshot: () => permissions.pick(askForSnapshot),
  })

  const checkups = openCheckups({
    disk,
    plainDisk: nodeDisk,
    home: () => places.now().home,
    settings: () => places.now().settings,
    userFolder,
    cacheFolder: placeDeps.cacheFolder,
    roots: () => places.home().histories.roots,
    now: Date.now,
    askForFolder: () => permissions.pick(() => askForSnapshotFolder('take')),
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
    const { home } = places.now()
    shell.showItemInFolder(await fileToReveal(home, () => places.home().histories, key, file))
  }

  /** Moves to another home, and shows it in a window of its own. */
  function moveTo(windows: Windows, choice: HomeChoice): Promise<AppStatus> {
    return places.move(choice, async (status, home, isAnother) => {
      // Before anybody can rename a conversation there.
      await quick.settle()
      if (isAnother) await windows.replace(home)
      else tell.app.statusChanged(status)
      quick.moved()
    })
  }

  let textZoom = 1
  const tellQuick = windowEvents((channel, payload) => quickWindow.send(channel, payload)).quick
  const quickWindow = openQuickWindow({
    builtFolder,
    realPath: nodeDisk.realPath,
    textZoom: () => textZoom,
    closing: () => tellQuick.closing({}),
    note: noteFailure,
  })
  const quick = openQuickEntry({
    window: quickWindow,
    place() {
      const { home, session, settings } = places.now()
      const open = places.isMoving() ? undefined : session
      return { id: homeId(home), home: open, view: () => quickView(settings, open) }
    },
    draftOf: (id) => quickDraftFile(nodeDisk, path.join(userFolder, 'homes', id), note),
    open: showConversation,
    shown: tellQuick.shown,
    note: noteFailure,
  })
  const quickKey = openGlobalKey(globalShortcut, process.env, quick.toggle)

  let shownKeys: string | undefined
  /** Sets the menu, and the key of the quick entry, where keys have changed. */
  function showKeys(preferences: ShownKeys): void {
    const { keys, quickKey: wanted } = preferences
    const now = textOfKeys(preferences)
    if (now === shownKeys) return
    shownKeys = now
    setMenu(app, tell.app.command, makeKeyTable(keys, platform))
    tell.app.quickKeyChanged(quickKey.set(wanted))
  }

  function serveWindows(windows: Windows): void {
    const report: CallHost['report'] = (where, error) =>
      note(`${where}: ${error instanceof Error ? error.stack : error}`)
    // Who sends decides what may be called: a page may change its address.
    serve('quick', quickHandlers(quick), {
      ipcMain,
      isTrusted: (event) => quickWindow.has(event.sender) && isQuickPage(event),
      report,
    })
    const host: CallHost = {
      ipcMain,
      isTrusted: (event) => isAppWindow(event.sender) && isOurPage(event),
      report,
    }
    serveCalls(host, {
      shell: {
        status: places.status,
        takeLink: links.take,
        quickKey: quickKey.retry,
        parts: () => readAppParts(nodeDisk, builtFolder, process.versions, updates),
        checkForUpdates: updates.check,
        openHome: (choice) => moveTo(windows, choice),
        openLink,
        revealFile,
      },
      home: places.home,
      settings: () => places.now().settings,
      models: () => places.now().models,
      plugins: () => places.now().plugins,
      sources,
      snapshots,
      checkups,
      notices,
      permissions,
      allow,
      dialogs: {
        file: (name, kind) => permissions.pick(() => askWhereToSave(name, kind)),
        folder: () => permissions.pick(askForExportFolder),
        shown: shownPath,
      },
      ending,
      readPdf,
      keptPatterns: () => readKeptPatterns(settingsOfUser),
      trash: (folder) => shell.trashItem(folder),
      settingsRead: ({ preferences }) => textOfKeys(preferences) !== shownKeys,
      settingsChanged(view) {
        textZoom = view.preferences.textZoom
        nativeTheme.themeSource = view.preferences.theme
        showKeys(view.preferences)
        tell.settings.changed(view)
      },
      tell,
    })
  }

  /** Every run's entry is on the disk and every lock is given back; what is half written of a snapshot or a zip is cleared away. */
  async function endAll(): Promise<void> {
    sources.close()
    const stopped = Promise.all([snapshots.stop(), checkups.stop(), ending.end()])
    await closeHomeState(places.now()).catch(noteFailure)
    await stopped
    await practice.close()
  }

  const readPdf = openPdfTexts({
    start: () => startUtility(built('pdf.worker.cjs')),
    characterMaps: built('character-maps'),
  })

  let isOpen = false
  return {
    acted: permissions.acted,
    media: pageMedia(disk, places.home),
    sampleHome,
    async open(first, windows) {
      const place = await places.begin(first.home, first.chosen, options.sample)
      isOpen = true
      const { preferences } = await place.settings.view()
      textZoom = preferences.textZoom
      nativeTheme.themeSource = preferences.theme
      // Before anybody can rename a conversation.
      await quick.settle()
      serveWindows(windows)
      showKeys(preferences)
      links.hearQuick(quick.show)
      endInOrder(app, endAll, noteFailure)
    },
    home: () => places.now().home,
    allClosed() {
      if (isOpen) places.now().session?.unfollow()
      // Nobody would see what comes of it, and a page that is printed has a window, which would keep the program open.
      ending.stop()
      // Hidden, it would keep the program open.
      quickWindow.close()
    },
  }
}

type ShownKeys = Pick<Preferences, 'keys' | 'quickKey'>

function textOfKeys({ keys, quickKey }: ShownKeys): string {
  return JSON.stringify([keys, quickKey])
}
