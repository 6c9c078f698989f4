import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { requireWhole } from '../../../shared/model/conversation/reading'
import {
  answerFollower,
  type ConversationUsage,
  type CostedAnswer,
  sumUsage,
} from '../../../shared/model/run/usage'
import type { ProvidersView } from '../../../shared/model/settings/model-info'
import type { Home } from '../../home/home'
import type { ModelCatalog } from '../../settings/model-catalog'
import type { SettingsApproval } from '../../settings/settings'
import type { CurrentHome } from '../current/current-home'

/**
 * Serves the calls of `modelsContract`. Every window gets an event of a change, whichever made it.
 *
 * @param desk the model catalog of the home that is open, or would be
 * @param allow asks a person, outside of the page
 * @param changedSettings is called after every choice
 */
export function modelsHandlers(
  desk: () => ModelCatalog,
  home: CurrentHome<'transcripts'>,
  allow: SettingsApproval,
  tell: Emitters<Contract['models']>,
  changedSettings: () => Promise<unknown>,
): Handlers<Contract['models']> {
  let adding = new AbortController()

  /** Every window hears of a change, whichever made it. */
  async function told(changed: Promise<void>): Promise<ProvidersView> {
    await changed
    const view = await desk().providers.view()
    tell.changed(view)
    await changedSettings() // A key may be what was missing.
    return view
  }

  return {
    providers: () => desk().providers.view(),
    addProvider: ({ name, baseUrl }) => told(desk().providers.add(name, baseUrl, allow)),
    renameProvider: ({ id, name }) => told(desk().providers.rename(id, name)),
    removeProvider: ({ id }) => told(desk().providers.remove(id)),
    setProviderKey: ({ id, key, allowWeak }) =>
      told(desk().providers.setKey(id, key, allowWeak, allow)),
    setProviderProtocol: ({ id, protocol }) => told(desk().providers.setProtocol(id, protocol)),
    forgetConcessions: ({ id }) => told(desk().providers.forgetConcessions(id)),
    setProviderTimeouts: ({ id, timeouts }) =>
      told(desk().providers.setTimeouts(id, timeouts ?? undefined)),
    list: ({ baseUrl, freshness }) => desk().list(baseUrl, freshness),
    async choose({ key, baseUrl, model }) {
      const view = await desk().choose({ baseUrl, model }, key)
      tell.changed(await desk().providers.view())
      await changedSettings()
      return view
    },
    async prices({ models }) {
      const found = await desk().prices(models)
      return [...found].map(([model, priced]) => ({ model, ...priced }))
    },
    async usage({ key }) {
      adding.abort()
      adding = new AbortController()
      const { signal } = adding
      try {
        return await usageIn(home(), desk(), key, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'Another conversation is added up.')
      }
    },
  }
}

async function usageIn(
  { transcripts }: Pick<Home, 'transcripts'>,
  desk: ModelCatalog,
  key: LibraryKey,
  signal: AbortSignal,
): Promise<ConversationUsage> {
  const follow = answerFollower()
  const answers: CostedAnswer[] = []
  for await (const row of requireWhole((await transcripts.whole(key, signal)).rows)) {
    signal.throwIfAborted()
    const answer = row.type === 'entry' ? follow(row.entry) : undefined
    if (answer !== undefined) answers.push(answer)
  }
  const untold = answers.filter(({ usage }) => usage !== undefined && usage.cost === undefined)
  const models = untold.flatMap(({ model }) => (model === undefined ? [] : [model]))
  return sumUsage(answers, await desk.prices([...new Set(models)]))
}
