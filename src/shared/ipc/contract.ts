import type { z } from 'zod'
import { appContract } from './app'
import { backgroundContract } from './background'
import { branchesContract } from './branches'
import { compactionContract } from './compaction'
import { completionContract } from './completion'
import { contextsContract } from './contexts'
import { exportsContract } from './exports'
import { libraryContract } from './library'
import { lostContract } from './lost'
import { modelsContract } from './models'
import { pluginsContract } from './plugins'
import type { Client, Domain } from './primitives'
import { searchContract } from './search'
import { sentContract } from './sent'
import { settingsContract } from './settings'
import { sourcesContract } from './sources'
import { tagsContract } from './tags'
import { titlesContract } from './titles'
import { transcriptContract } from './transcript'
import { channelOf } from './transport'
import { upkeepContract } from './upkeep'
import { windowSizeContract } from './window-size'

export { channelOf, type Envelope, type Transport } from './transport'

/** Everything that crosses between main and the renderer. */
export const contract = {
  app: appContract,
  library: libraryContract,
  transcript: transcriptContract,
  windowSize: windowSizeContract,
  completion: completionContract,
  compaction: compactionContract,
  contexts: contextsContract,
  upkeep: upkeepContract,
  background: backgroundContract,
  branches: branchesContract,
  search: searchContract,
  sent: sentContract,
  exports: exportsContract,
  settings: settingsContract,
  sources: sourcesContract,
  lost: lostContract,
  models: modelsContract,
  plugins: pluginsContract,
  titles: titlesContract,
  tags: tagsContract,
} as const satisfies Record<string, Domain>
export type Contract = typeof contract

/** The typed client of the whole contract. */
export type Api = { readonly [D in keyof Contract]: Client<Contract[D]> }

/** Every channel of one kind. */
export function channels(kind: 'call' | 'event'): readonly string[] {
  return Object.entries(contract).flatMap(([domain, members]) =>
    Object.entries(members as Record<string, { kind: string; args?: z.ZodType }>)
      .filter(([, member]) => member.kind === kind)
      .map(([name]) => channelOf(domain, name)),
  )
}
