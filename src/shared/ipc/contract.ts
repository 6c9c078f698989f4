import type { z } from 'zod'
import { app } from './app'
import { background } from './background'
import { branches } from './branches'
import { compaction } from './compaction'
import { completion } from './completion'
import { contexts } from './contexts'
import { exports } from './exports'
import { library } from './library'
import { lost } from './lost'
import { models } from './models'
import { plugins } from './plugins'
import type { Client, Domain } from './primitives'
import { search } from './search'
import { sent } from './sent'
import { settings } from './settings'
import { sources } from './sources'
import { tags } from './tags'
import { titles } from './titles'
import { transcript } from './transcript'
import { channelOf } from './transport'
import { upkeep } from './upkeep'
import { windowSize } from './window-size'

export { channelOf, type Envelope, type Transport } from './transport'

/** Everything that crosses between main and the renderer. */
export const contract = {
  app,
  library,
  transcript,
  windowSize,
  completion,
  compaction,
  contexts,
  upkeep,
  background,
  branches,
  search,
  sent,
  exports,
  settings,
  sources,
  lost,
  models,
  plugins,
  titles,
  tags,
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
