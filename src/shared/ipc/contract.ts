import { appContract } from './app/app'
import { backgroundContract } from './app/background'
import { checkupContract } from './app/checkup'
import { pluginsContract } from './app/plugins'
import { quickContract } from './app/quick'
import { settingsContract } from './app/settings'
import { snapshotsContract } from './app/snapshots'
import { branchesContract } from './conversations/branches'
import { comparisonsContract } from './conversations/comparisons'
import { contextsContract } from './conversations/contexts'
import { continuingContract } from './conversations/continuing'
import { exportsContract } from './conversations/exports'
import { findingContract } from './conversations/finding'
import { labelsContract } from './conversations/labels'
import { landmarksContract } from './conversations/landmarks'
import { libraryContract } from './conversations/library'
import { lostContract } from './conversations/lost'
import { mentionsContract } from './conversations/mentions'
import { searchContract } from './conversations/search'
import { sourcesContract } from './conversations/sources'
import { statisticsContract } from './conversations/statistics'
import { tagsContract } from './conversations/tags'
import { titlesContract } from './conversations/titles'
import { transcriptContract } from './conversations/transcript'
import { upkeepContract } from './conversations/upkeep'
import { compactionContract } from './runs/compaction'
import { completionContract } from './runs/completion'
import { modelsContract } from './runs/models'
import { sentContract } from './runs/sent'
import { windowSizeContract } from './runs/window-size'
import type { Client, Domain } from './wire/primitives'

export { channelOf, type Envelope, type Transport } from './wire/transport'

/** Calls and events between main and the renderer, by domain. */
export const contract = {
  app: appContract,
  quick: quickContract,
  library: libraryContract,
  transcript: transcriptContract,
  windowSize: windowSizeContract,
  completion: completionContract,
  compaction: compactionContract,
  contexts: contextsContract,
  upkeep: upkeepContract,
  background: backgroundContract,
  branches: branchesContract,
  comparisons: comparisonsContract,
  search: searchContract,
  finding: findingContract,
  landmarks: landmarksContract,
  mentions: mentionsContract,
  sent: sentContract,
  exports: exportsContract,
  continuing: continuingContract,
  settings: settingsContract,
  sources: sourcesContract,
  snapshots: snapshotsContract,
  checkup: checkupContract,
  lost: lostContract,
  statistics: statisticsContract,
  models: modelsContract,
  plugins: pluginsContract,
  titles: titlesContract,
  tags: tagsContract,
  labels: labelsContract,
} as const satisfies Record<string, Domain>
/** Type of `contract`. */
export type Contract = typeof contract

/** The typed client of the whole contract. */
export type Api = { readonly [D in keyof Contract]: Client<Contract[D]> }
