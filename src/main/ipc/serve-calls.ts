import type { ReadPdf } from '../../shared/model/attachments/pdf'
import type { VisibleSettings } from '../../shared/model/settings/settings'
import type { Home } from '../home/home'
import type { Permissions } from '../permission/permissions'
import type { Plugins } from '../plugins/plugins'
import type { ModelCatalog } from '../settings/model-catalog'
import type { Settings, SettingsApproval } from '../settings/settings'
import { type AppShell, appHandlers } from './handlers/app'
import { backgroundHandlers } from './handlers/background'
import { branchesHandlers } from './handlers/branches'
import { compactionHandlers } from './handlers/compaction'
import { completionHandlers } from './handlers/completion'
import { contextsHandlers } from './handlers/contexts'
import { type Checkups, checkupHandlers } from './handlers/conversations/checkup'
import { comparisonsHandlers } from './handlers/conversations/comparisons'
import { continuingHandlers } from './handlers/conversations/continuing'
import { findingHandlers } from './handlers/conversations/finding'
import { landmarksHandlers } from './handlers/conversations/landmarks'
import { mentionsHandlers } from './handlers/conversations/mentions'
import { type Snapshots, snapshotsHandlers } from './handlers/conversations/snapshots'
import { statisticsHandlers } from './handlers/conversations/statistics'
import { type EndingWork, type ExportDialogs, exportHandlers } from './handlers/exports'
import { libraryHandlers } from './handlers/library'
import { lostHandlers } from './handlers/lost'
import { modelsHandlers } from './handlers/models'
import { pluginsHandlers } from './handlers/plugins'
import { searchHandlers } from './handlers/search'
import { sentHandlers } from './handlers/sent'
import { settingsHandlers } from './handlers/settings'
import { type Sources, sourcesHandlers } from './handlers/sources'
import { labelsHandlers, tagsHandlers } from './handlers/tags-and-labels'
import { titlesHandlers } from './handlers/titles'
import { transcriptHandlers } from './handlers/transcript'
import { upkeepHandlers } from './handlers/upkeep'
import { windowSizeHandlers } from './handlers/window-size'
import { type CallHost, serve } from './serve'
import type { WindowEvents } from './window-events'

export type { Sources } from './handlers/sources'

/** Dependencies of the contract's calls. */
export interface Served {
  readonly shell: AppShell
  /** Gives the open home. @throws AppError `not-found` while none is open */
  readonly home: () => Home
  /** Gives the settings. These, and what follows, are there whether a home is open or not. */
  readonly settings: () => Settings
  readonly models: () => ModelCatalog
  readonly plugins: () => Plugins | undefined
  readonly sources: Sources
  readonly snapshots: Snapshots
  readonly checkups: Checkups
  readonly notices: Parameters<typeof backgroundHandlers>[0]
  readonly permissions: Pick<Permissions, 'require'>
  readonly allow: SettingsApproval
  readonly dialogs: ExportDialogs
  readonly ending: EndingWork
  /** Reads the text of a PDF, or says why it has none. */
  readonly readPdf: ReadPdf<AbortSignal>
  /** Own patterns of redaction that a person keeps. */
  readonly keptPatterns: () => Promise<readonly string[]>
  /** Moves a folder to the system's trash. */
  readonly trash: (folder: string) => Promise<void>
  /** Hears the settings whenever they are read, and returns whether the windows have yet to hear of them: a person may have edited their file. */
  readonly settingsRead: (view: VisibleSettings) => boolean
  /** Hears the settings after each change. */
  readonly settingsChanged: (view: VisibleSettings) => void
  readonly tell: Pick<WindowEvents, 'search' | 'exports' | 'models' | 'snapshots' | 'checkup'>
}

/** Serves every call of the contract. */
export function serveCalls(host: CallHost, served: Served): void {
  const { home, allow, tell, settings, settingsChanged } = served
  const changed = { changed: settingsChanged }
  serve('app', appHandlers(served.shell), host)
  serve('library', libraryHandlers(home), host)
  serve('transcript', transcriptHandlers(home), host)
  serve('completion', completionHandlers(home, served.readPdf, served.ending), host)
  serve('compaction', compactionHandlers(home), host)
  serve('windowSize', windowSizeHandlers(home), host)
  serve('sent', sentHandlers(home), host)
  serve('contexts', contextsHandlers(home, served.trash), host)
  serve('upkeep', upkeepHandlers(home), host)
  serve('background', backgroundHandlers(served.notices), host)
  serve('titles', titlesHandlers(home), host)
  serve('tags', tagsHandlers(home), host)
  serve('labels', labelsHandlers(home), host)
  serve('branches', branchesHandlers(home), host)
  serve('comparisons', comparisonsHandlers(home, served.dialogs), host)
  serve('search', searchHandlers(home, tell.search), host)
  serve('finding', findingHandlers(home), host)
  serve('landmarks', landmarksHandlers(home), host)
  serve('mentions', mentionsHandlers(home), host)
  serve(
    'exports',
    exportHandlers(home, served.dialogs, tell.exports, served.ending, served.keptPatterns),
    host,
  )
  serve('continuing', continuingHandlers(home, served.permissions, served.dialogs), host)
  serve('settings', settingsHandlers(settings, allow, changed, served.settingsRead), host)
  serve(
    'models',
    modelsHandlers(served.models, home, allow, tell.models, async () =>
      settingsChanged(await settings().view()),
    ),
    host,
  )
  serve('plugins', pluginsHandlers(served.plugins, served.permissions), host)
  serve('sources', sourcesHandlers(served.sources, home), host)
  serve('snapshots', snapshotsHandlers(served.snapshots, tell.snapshots), host)
  serve('checkup', checkupHandlers(served.checkups, tell.checkup), host)
  serve('lost', lostHandlers(home), host)
  serve('statistics', statisticsHandlers(home), host)
}
