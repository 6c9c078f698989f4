import { randomUUID } from 'node:crypto'
import { AppError } from '../../../shared/model/basics/errors'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { CompactionMode } from '../../../shared/model/run/run'
import { anySignal } from '../../async/any-signal'
import { scrubber } from '../../settings/base/scrub'
import type { RunSettings } from '../../settings/config/run-settings'
import { type Endpoint, endpointKeys, type RunOptions } from '../../settings/endpoint/endpoint'
import { type CompactScope, compactWindow } from '../../store/context-window'
import { readCompactionTexts } from '../../store/prompt-texts'
import type { Store } from '../../store/store'
import type { Hooks } from '../../tools/hooks/hooks'
import { wireParameters } from '../chat/parameters'
import type { ProviderStream } from '../chat/provider'
import type { Prompt } from '../prompt/messages'
import { seconds } from '../steps/run-entries'
import { openRunFiles } from '../steps/run-files'
import { closeUnfinishedCalls } from '../steps/tool-entries'
import type { Clock } from '../timing/clock'
import { estimatePromptTokens } from '../tokens/estimate'
import type { ModelCaller } from './ask-model'
import { type CompactionResult, runCompaction } from './compact'
import { defaultCompactionPrompts } from './compaction-prompts'
import type { CompactionStep } from './plan-compaction'

/** Everything that a manual compaction needs of its home. */
export interface ManualDeps {
  readonly disk: CompactScope['disk']
  readonly store: Pick<Store, 'home' | 'openWriter' | 'readNotes'>
  readonly endpoint: (context: string, run?: RunOptions) => Promise<Endpoint>
  readonly runSettings: (context: string, run?: RunOptions) => Promise<RunSettings>
  readonly provider: (endpoint: Endpoint) => ProviderStream
  readonly clock: Clock
  readonly hooks: Hooks
  /** The context window of an endpoint's model, where the settings do not say. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
  /** Resolves to true where the requests of a context are logged. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  readonly note: (words: string) => void
}

/** The part of it by which a model is asked. */
export type CallerDeps = Pick<
  ManualDeps,
  'disk' | 'provider' | 'clock' | 'logsRequests' | 'note'
> & { readonly store: Pick<Store, 'home'> }

/** The context and the mode of a manual compaction. */
export interface ManualCompaction {
  readonly context: string
  readonly mode: CompactionMode
  /** Options that come before all files. */
  readonly run?: RunOptions | undefined
}

/**
 * Compacts a context's window at a person's request. It holds the context's lock meanwhile; aborted before the new
 * window is written, it leaves the old one.
 *
 * @throws AppError `not-found`, `locked`, `no-model`, `no-key`, `lock-lost`, `disk-full`, `unreadable`
 */
export async function* compactContext(
  { context, mode, run }: ManualCompaction,
  deps: ManualDeps,
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, CompactionResult, void> {
  const { disk, store, hooks, clock } = deps
  const { home } = store
  const settings = await deps.runSettings(context, run)
  // Before the lock is taken: without a model nothing can be done.
  const endpoint = mode === 'drop' ? undefined : await deps.endpoint(context, run)
  if (endpoint?.notReady !== undefined)
    throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
  const known = endpoint && (await deps.contextLength?.(endpoint))
  const writer = await store.openWriter(context, { create: false, waitMs: 0, signal })
  const halt = anySignal([signal, writer.lost])
  try {
    const facts = () => ({ id: randomUUID() as EntryId, context, timestamp: seconds(clock) })
    await closeUnfinishedCalls(writer, facts)
    const { summary, systemPrompt } = await store.readNotes(context)
    const limit = settings.contextWindowLimit || known || 0
    return yield* runCompaction(
      {
        mode,
        isAutomatic: false,
        dropPercent: settings.rollingCompactDropPercentage,
        limit,
        mostKept: limit === 0 ? undefined : mostKeptIn(limit, { system: systemPrompt }),
        summary,
      },
      {
        writer,
        hooks,
        caller: endpoint && (await callerOf(endpoint, settings, context, deps)),
        begin: (window) => compactWindow({ disk, home, writer, now: clock.now }, window),
        texts: { ...defaultCompactionPrompts, ...(await readCompactionTexts(disk, home)) },
      },
      halt.signal,
    )
  } finally {
    halt.release()
    await writer.close()
  }
}

/** Returns the tokens that the kept part may take, so that prompt and summary, an eighth of the window, fit too. */
function mostKeptIn(limit: number, prompt: Prompt): number {
  return Math.max(0, Math.floor(limit - limit / 8 - estimatePromptTokens(prompt, [])))
}

/**
 * Returns the model of a context, or that of the home where none is given, as one that summarizes, with the log of requests
 * where the context has one.
 */
export async function callerOf(
  endpoint: Endpoint,
  settings: RunSettings,
  context: string | undefined,
  deps: CallerDeps,
): Promise<ModelCaller> {
  return {
    provider: deps.provider(endpoint),
    clock: deps.clock,
    model: endpoint.model.value,
    parameters: wireParameters(settings, endpoint.baseUrl.value),
    protocol: endpoint.protocol,
    logRequest: context === undefined ? undefined : await requestLogOf(endpoint, context, deps),
  }
}

async function requestLogOf(
  endpoint: Endpoint,
  context: string,
  { disk, store, clock, note, logsRequests }: CallerDeps,
): Promise<ModelCaller['logRequest']> {
  if (!(await logsRequests?.(context))) return undefined
  const files = openRunFiles({ disk, home: store.home, context, now: clock.now, note })
  return files.requestLog(scrubber(...endpointKeys(endpoint)))
}
