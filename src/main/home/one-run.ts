import { randomUUID } from 'node:crypto'
import type { GivenTextFile } from '../../shared/model/attachments/text-files'
import { AppError } from '../../shared/model/basics/errors'
import { EntryId } from '../../shared/model/conversation/entry'
import type { GivenImage } from '../../shared/model/conversation/images'
import type { RunEvent } from '../../shared/model/run/run'
import type { ProviderStream } from '../llm/provider/openai'
import { openPreparation, type PreparationDeps } from '../llm/run/prepare'
import { run } from '../llm/run/run'
import type { AskConsent } from '../llm/steps/consent'
import { systemClock } from '../llm/timing/clock'
import type { Endpoint, RunOptions } from '../settings/endpoint/endpoint'
import type { Store } from '../store/store'
import type { Tool } from '../tools/base/tool'
import { builtInNames } from '../tools/index'

/** A run that its caller follows from the first event to the last. */
export interface OneRun {
  /** Made where it is not there. */
  readonly context: string
  readonly text: string
  readonly images?: readonly GivenImage[] | undefined
  readonly files?: readonly GivenTextFile[] | undefined
  /** Settings of this run, above all files. */
  readonly run: RunOptions
  /** In place of the context's own, and the home's. */
  readonly systemPrompt?: string | undefined
  /** Logs this run's requests in the context's requests.jsonl. */
  readonly logsRequests: boolean
  /** Asks a person before a tool that writes. */
  readonly consent: AskConsent
  /** Hears before the first event the names of all tools that there are, offered or not. */
  readonly known?: ((tools: ReadonlySet<string>) => void) | undefined
}

interface OneRunDeps {
  readonly preparation: PreparationDeps
  readonly store: Store
  readonly endpoint: (context: string, run: RunOptions) => Promise<Endpoint>
  readonly provider: (endpoint: Endpoint) => ProviderStream
}

/**
 * Runs once in a context with everything that a run in the window has: settings, tools, trusted plugins and their hooks,
 * inbox, notes. Gives its events as they come; an entry's when it is on the disk.
 *
 * @throws AppError where nothing can be asked, or the context is in use: then nothing was written
 */
export async function* runOnce(
  { preparation: base, store, endpoint: endpointOf, provider }: OneRunDeps,
  {
    context,
    text,
    images,
    files,
    run: options,
    systemPrompt,
    logsRequests,
    consent,
    known,
  }: OneRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const endpoint = await endpointOf(context, options)
  if (endpoint.notReady !== undefined)
    throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
  const create = (await store.findContext(context)) === undefined
  const writer = await store.openWriter(context, { create, signal })
  let offered: readonly Tool[] = []
  const preparation = openPreparation({
    ...base,
    store: withPrompt(store, systemPrompt),
    async moreTools(name, halt) {
      offered = (await base.moreTools?.(name, halt)) ?? []
      return offered
    },
    logsRequests: async () => logsRequests,
  })
  try {
    const prepared = await preparation.prepare({
      context,
      text,
      images,
      files,
      endpoint,
      run: options,
      signal,
    })
    known?.(new Set([...builtInNames(base.disk, store.home), ...offered.map(({ name }) => name)]))
    yield* run(
      prepared.input,
      {
        ...prepared.deps,
        writer,
        provider: provider(endpoint),
        clock: systemClock,
        newId: () => EntryId.parse(randomUUID()),
        consent,
      },
      signal,
    )
  } finally {
    await writer.close()
  }
}

/** The store's own texts, but with another system prompt. */
function withPrompt(
  { home, readNotes, openWriter }: Store,
  systemPrompt: string | undefined,
): PreparationDeps['store'] {
  if (systemPrompt === undefined) return { home, readNotes, openWriter }
  return {
    home,
    openWriter,
    readNotes: async (name) => ({ ...(await readNotes(name)), systemPrompt }),
  }
}
