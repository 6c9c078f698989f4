import { randomUUID } from 'node:crypto'
import type { Disk } from '../../main/disk/interface/disk'
import { streamOf } from '../../main/llm/provider/openai'
import { openPreparation } from '../../main/llm/run/prepare'
import { run } from '../../main/llm/run/run'
import type { AskConsent } from '../../main/llm/steps/consent'
import { systemClock } from '../../main/llm/timing/clock'
import { openLocalCounter, openTokenizers } from '../../main/llm/tokens'
import type { Endpoint, RunOptions } from '../../main/settings/endpoint/endpoint'
import type { Settings } from '../../main/settings/settings'
import type { AdjustmentMemory } from '../../main/settings/stored/request-adjustments'
import { defaultCacheFolder, skeinFolder } from '../../main/settings/user-folders'
import type { Store } from '../../main/store/store'
import type { Tool } from '../../main/tools/base/tool'
import { builtInNames } from '../../main/tools/index'
import { AppError } from '../../shared/model/basics/errors'
import { EntryId } from '../../shared/model/conversation/entry'
import type { RunEvent } from '../../shared/model/run/run'
import { UsageError } from '../command/arguments'
import type { Visit } from '../homes/visit'
import type { AskRequest } from './ask-input'

export interface AskRunDeps {
  readonly disk: Disk
  readonly store: Store
  readonly settings: Settings
  /** The window of an endpoint's model, as far as it is known. Asks nobody, never rejects. */
  readonly contextLength: (endpoint: Endpoint) => Promise<number | undefined>
  readonly concessions: AdjustmentMemory
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly visit: Visit
  readonly consent: AskConsent
  /** Tells what went wrong beside the run: a plugin that failed, a file that could not be read. */
  readonly note: (words: string) => void
  /** Takes down each request in the context's requests.jsonl. */
  readonly logsRequests: boolean
}

/** Gives what a run asks for above all files. @param practiceUrl asks the practice model there */
export function runOptions(request: AskRequest, practiceUrl: string | undefined): RunOptions {
  const { values, model, username, baseUrl } = request
  return {
    values,
    username,
    ...(practiceUrl === undefined
      ? { model, baseUrl }
      : { baseUrl: practiceUrl, model: 'practice' }),
  }
}

/**
 * Says what of the configuration is not understood, and looks whether a run can be asked for.
 *
 * @throws UsageError for a value that is none; AppError where nothing can be asked
 */
export async function checkAsk(
  context: string,
  options: RunOptions,
  { settings, note }: Pick<AskRunDeps, 'settings' | 'note'>,
): Promise<Endpoint> {
  for (const words of await faultsOf(settings, context)) note(words)
  const endpoint = await readyEndpoint(settings, context, options)
  await settings.runSettings(context, options).catch(mistaken)
  return endpoint
}

async function readyEndpoint(
  settings: Settings,
  context: string,
  options: RunOptions,
): Promise<Endpoint> {
  const endpoint = await settings.endpoint(context, options)
  if (endpoint.notReady !== undefined)
    throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
  return endpoint
}

/**
 * Runs once in a context with everything that a run in the window has: settings, tools, trusted plugins and their hooks,
 * inbox, notes.
 *
 * @throws UsageError for a value that is none; AppError where nothing can be asked, or the context is in use: then
 * nothing was written
 */
export async function askRun(
  request: AskRequest,
  prompt: string,
  options: RunOptions,
  deps: AskRunDeps,
  tell: (event: RunEvent) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { store, settings, disk, note } = deps
  const { context } = request
  const endpoint = await readyEndpoint(settings, context, options)
  const create = (await store.findContext(context)) === undefined
  const writer = await store.openWriter(context, { create, signal })
  const ownNames = builtInNames(disk, store.home)
  const { plugins, lifecycle } = deps.visit
  let offered: readonly Tool[] = []
  const preparation = openPreparation({
    disk,
    ownFolders: [skeinFolder(deps.environment), defaultCacheFolder(deps.environment)],
    store: withPrompt(store, request.systemPrompt),
    runSettings: (name, one) => settings.runSettings(name, one),
    hooks: plugins.hooks,
    lifecycle,
    async moreTools(_, halt) {
      offered = await plugins.tools(halt)
      return offered
    },
    logsRequests: async () => deps.logsRequests,
    contextLength: deps.contextLength,
    tokenizers: openTokenizers(openLocalCounter(), note),
    note,
  })
  try {
    const { images } = request
    const wanted = { context, text: prompt, images, endpoint, run: options, signal }
    const prepared = await preparation.prepare(wanted)
    const known = new Set([...ownNames, ...offered.map(({ name }) => name)])
    for (const words of unknownTools(request, known)) note(words)
    const events = run(
      prepared.input,
      {
        ...prepared.deps,
        writer,
        provider: streamOf(endpoint, deps.concessions),
        clock: systemClock,
        newId: () => EntryId.parse(randomUUID()),
        consent: deps.consent,
      },
      signal,
    )
    for await (const event of events) await tell(event)
  } finally {
    await writer.close()
  }
}

/** A value that a person gave is theirs to mend. */
function mistaken(error: unknown): never {
  if (error instanceof AppError && error.code === 'bad-argument')
    throw new UsageError(error.message)
  throw error
}

/** A line for each value of the configuration that is not understood: its place, and what is wrong. */
async function faultsOf(settings: Settings, context: string): Promise<readonly string[]> {
  const { faults } = await settings.view(context)
  const words = faults.map(({ file, line, message }) => {
    const place = line === undefined ? file : `${file}:${line}`
    return `skein: ${place}: ${message.replace(/\s+/g, ' ')}`
  })
  return [...new Set(words)]
}

/** A line for each name in the request that no tool has. */
function unknownTools(
  { allow, values }: AskRequest,
  known: ReadonlySet<string>,
): readonly string[] {
  const named: readonly (readonly [key: string, names: unknown])[] = [
    ['allow', allow],
    ['tools.include', values['tools.include']],
    ['tools.exclude', values['tools.exclude']],
  ]
  return named.flatMap(([key, names]) =>
    [...new Set(Array.isArray(names) ? names.map(String) : [])]
      .filter((name) => !known.has(name))
      .map((name) => `${key}: there is no tool "${name}".`),
  )
}

/** The store's own texts, but with another system prompt. */
function withPrompt(
  { home, readNotes, openWriter }: Store,
  systemPrompt: string | undefined,
): Pick<Store, 'home' | 'readNotes' | 'openWriter'> {
  if (systemPrompt === undefined) return { home, readNotes, openWriter }
  return {
    home,
    openWriter,
    readNotes: async (name) => ({ ...(await readNotes(name)), systemPrompt }),
  }
}
