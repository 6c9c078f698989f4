import { type BranchSummary, type LeftBranch, summarizeBranch } from '../llm/compaction'
import { type ProviderStream, streamOf } from '../llm/provider/openai'
import { openPreparation, type Preparation, type PreparationDeps } from '../llm/run/prepare'
import { openSentReader, type SentReader } from '../llm/sent/sent-reader'
import { systemClock } from '../llm/timing/clock'
import { draftTokens, measureContextWindow, openTokenizers } from '../llm/tokens'
import type { Endpoint, RunOptions } from '../settings/endpoint/endpoint'
import { openAdjustmentMemory } from '../settings/stored/request-adjustments'
import type { Store } from '../store/store'
import { noHooks } from '../tools/hooks/hooks'
import type { Lifecycle } from '../tools/hooks/lifecycle'
import type { Home } from './home'
import type { HomeSetup } from './home-setup'
import { tokensWith } from './workers'

/** Models of a home: how they are asked, with what, and how much that is. */
export interface HomeModels extends Pick<Home, 'sizeOfRequest' | 'sizeOfDraft'> {
  endpoint(context: string, run?: RunOptions): Promise<Endpoint>
  provider(endpoint: Endpoint): ProviderStream
  /** Everything that runs are prepared from, for a run that changes a part of it. */
  readonly prepared: PreparationDeps
  readonly preparation: Preparation
  /** Has a model summarize a branch that is left; see `summarizeBranch`. */
  summarize(left: LeftBranch, signal: AbortSignal): Promise<BranchSummary>
  /** Requests as models were sent them. */
  readonly sent: SentReader
  /** Ends the thread that counts tokens. */
  close(): Promise<void>
}

/** Opens the models of a home. Nothing is asked yet. */
export function openHomeModels(setup: HomeSetup, store: Store, lifecycle: Lifecycle): HomeModels {
  const { disk, home, settings, userFolder, cacheFolder, note } = setup
  const { hooks = noHooks, moreTools, contextLength, logsRequests } = setup
  const concessions = openAdjustmentMemory(disk, cacheFolder)
  const tokens = tokensWith(setup.workers)
  const tokenizers = openTokenizers(tokens.ask, note)
  const endpoint = (context?: string, run?: RunOptions) => settings.endpoint(context, run)
  const runSettings = (context?: string, run?: RunOptions) => settings.runSettings(context, run)
  const prepared: PreparationDeps = {
    lifecycle,
    disk,
    ownFolders: [userFolder, cacheFolder],
    store,
    runSettings,
    hooks,
    moreTools,
    logsRequests,
    contextLength,
    tokenizers,
    note,
  }
  const provider = (of: Endpoint) => streamOf(of, concessions)
  return {
    endpoint,
    provider,
    prepared,
    preparation: openPreparation(prepared),
    summarize: (left, signal) =>
      summarizeBranch(
        left,
        {
          disk,
          store,
          endpoint,
          runSettings,
          provider,
          clock: systemClock,
          contextLength,
          logsRequests,
          note,
        },
        signal,
      ),
    sent: openSentReader({
      disk,
      home,
      runSettings: (context) => runSettings(context),
      endpoint: (context) => endpoint(context),
      moreTools,
      tokenizers,
      mostCharacters: setup.mostSentCharacters,
    }),
    sizeOfRequest: async (context) =>
      measureContextWindow(context, await endpoint(context), {
        disk,
        store,
        runSettings: (name) => runSettings(name),
        tokenizers,
        knownTools: setup.knownTools,
        contextLength,
      }),
    async sizeOfDraft(context, text, images) {
      const { model } = await endpoint(context)
      return draftTokens(text, images, tokenizers.counterFor(model.value))
    },
    close: () => tokens.close(),
  }
}
