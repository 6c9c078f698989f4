import type { GivenTextFile } from '../../../shared/model/attachments/text-files'
import type { GivenImage } from '../../../shared/model/conversation/images'
import { scrubber } from '../../settings/base/scrub'
import type { RunSettings } from '../../settings/config/run-settings'
import { type Endpoint, endpointKeys, type RunOptions } from '../../settings/endpoint/endpoint'
import { compactWindow } from '../../store/context-window'
import { readCompactionTexts } from '../../store/prompt-texts'
import type { Store } from '../../store/store'
import { keepFile, keepImages } from '../../store/texts/attachments'
import type { Tool } from '../../tools/base/tool'
import { type Hooks, noHooks } from '../../tools/hooks/hooks'
import type { Lifecycle } from '../../tools/hooks/lifecycle'
import type { BuiltInDeps } from '../../tools/index'
import { wireParameters } from '../chat/parameters'
import { automaticCompaction } from '../compaction/automatic'
import { promptText } from '../prompt/messages'
import { offeredTools, promptPartsOf } from '../prompt/offered-tools'
import { buildPrompt } from '../prompt/system-prompt'
import { serverNameOf } from '../provider/server-name'
import { keptImageReader } from '../request/images'
import { openRunFiles } from '../steps/run-files'
import { runHooks } from '../steps/run-hooks'
import type { Tokenizers } from '../tokens/counter'
import type { RunDeps, RunInput } from './run-input'

/** Everything that runs in the contexts of a home are prepared from. */
export interface PreparationDeps extends Pick<BuiltInDeps, 'disk' | 'ownFolders'> {
  readonly store: Pick<Store, 'home' | 'readNotes' | 'openWriter'>
  /** Reads what holds in a context at the moment of asking. */
  readonly runSettings: (context: string, run?: RunOptions) => Promise<RunSettings>
  /** The hooks of a run; none where it is absent. */
  readonly hooks?: Hooks | undefined
  /** Calls the hooks of a context switch. */
  readonly lifecycle?: Pick<Lifecycle, 'enter'> | undefined
  /** Resolves to the tools of trusted plugins. */
  readonly moreTools?:
    | ((context: string, signal?: AbortSignal) => Promise<readonly Tool[]>)
    | undefined
  /** Resolves to true where the requests of a context are logged in its requests.jsonl. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  /**
   * The window of an endpoint's model in tokens, where that is known; asked where the settings do not say. Never
   * rejects.
   */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
  /** The tokenizers of models; tokens are estimated where it is absent. */
  readonly tokenizers?: Tokenizers | undefined
  /** Notes a failure that stops no run. */
  readonly note?: ((words: string) => void) | undefined
  /** Unix milliseconds; the system's clock where it is absent. */
  readonly now?: (() => number) | undefined
}

/** The run that is wanted. The context's writer is open. */
export interface PreparationRequest {
  readonly context: string
  /** Without it the model is asked again from the present window. */
  readonly text?: string | undefined
  /** Images of the message. */
  readonly images?: readonly GivenImage[] | undefined
  /** Text files of the message. */
  readonly files?: readonly GivenTextFile[] | undefined
  readonly endpoint: Endpoint
  /** Options of this run, which come before all files. */
  readonly run?: RunOptions | undefined
  /** Logs this run's requests, or not, whatever the settings say. */
  readonly logRequests?: boolean | undefined
  /** Ends the hooks before the run early. */
  readonly signal?: AbortSignal | undefined
}

/** A run without the parts that only its caller has: the writer, the provider, the clock, ids, and consent. */
export interface PreparedRun {
  readonly input: RunInput
  readonly deps: Omit<RunDeps, 'writer' | 'provider' | 'clock' | 'newId' | 'consent' | 'toolLimits'>
}

/** Preparation of runs, for the app window and the command line alike. */
export interface Preparation {
  /**
   * Gathers settings, tools, prompt, inbox and plugins of a run. Before that it calls the hooks of a context switch.
   *
   *     const { input, deps } = await preparation.prepare({ context, text, endpoint })
   *     for await (const event of run(input, { ...deps, writer, provider, clock, newId, consent }, signal))
   *
   * @throws AppError `unreadable`
   */
  prepare(request: PreparationRequest): Promise<PreparedRun>
  /**
   * Runs `pre_message` on a user message, for a context that is created with it.
   *
   * @throws AppError `unreadable`
   */
  hear(context: string, text: string, signal: AbortSignal): Promise<string>
}

/** Returns the preparation of runs in a home. Reads nothing yet. */
export function openPreparation(deps: PreparationDeps): Preparation {
  const { store, disk, hooks = noHooks, note = () => undefined, now = Date.now } = deps
  const { ownFolders } = deps
  const { home } = store

  function toolsOf(context: string, settings: RunSettings, more: readonly Tool[]): readonly Tool[] {
    const createContext = async (name: string) =>
      (await store.openWriter(name, { create: true })).close()
    const place = { disk, home, context, hooks, now, note, ownFolders, createContext }
    return offeredTools(place, settings, more)
  }

  /** Calls the hooks of a context switch; resolves to the plugins' tools. */
  async function begin(context: string, halt: AbortSignal | undefined): Promise<readonly Tool[]> {
    await deps.lifecycle?.enter(context, halt)
    return (await deps.moreTools?.(context, halt)) ?? []
  }

  return {
    async hear(context, text, signal) {
      await begin(context, signal)
      return runHooks(hooks, context).preMessage(text, '', signal)
    },
    async prepare({
      context,
      text,
      images,
      files: texts,
      endpoint,
      run,
      logRequests,
      signal: halt,
    }) {
      const settings = await deps.runSettings(context, run)
      const more = await begin(context, halt)
      const tools = toolsOf(context, settings, more)
      const files = openRunFiles({ disk, home, context, now, note })
      const { systemPrompt: prompt = '', summary } = await store.readNotes(context)
      const username = endpoint.username.value
      const logs = logRequests ?? (await deps.logsRequests?.(context)) ?? false
      const scrub = scrubber(...endpointKeys(endpoint))
      return {
        input: {
          text,
          images,
          files: texts,
          model: endpoint.model.value,
          username,
          prompt: {
            changed: () => files.changedPrompt(prompt),
            recorded: () => files.keepPrompt(prompt),
            async build(signal) {
              const parts = promptPartsOf(await store.readNotes(context), settings, {
                agents: await files.agents(),
                username,
                hasTools: tools.length > 0,
              })
              const built = await buildPrompt(parts, hooks, context, signal)
              await files.keepPrompt(prompt, promptText(built))
              return built
            },
          },
          fuel: settings.fuel,
          idleCost: settings.fuelEmptyResponseCost,
          fallback: settings.fallbackTool,
          parameters: wireParameters(settings, endpoint.baseUrl.value),
          server: serverNameOf(endpoint.baseUrl.value),
          protocol: endpoint.protocol,
        },
        deps: {
          tools,
          hooks,
          inbox: files.inbox,
          outputs: files.outputs(settings.toolOutputCacheThreshold, settings.toolCachePreviewChars),
          readImage: keptImageReader({ disk, home, context }, files.readImage, note),
          keepImages: (given) => keepImages({ disk, home, context }, given),
          keepFile: (bytes, ending) => keepFile({ disk, home, context }, bytes, ending),
          logRequest: logs ? files.requestLog(scrub) : undefined,
          scrub,
          compaction: automaticCompaction({
            settings,
            contextLength: async () => deps.contextLength?.(endpoint),
            tokenizers: deps.tokenizers,
            hooks,
            texts: () => readCompactionTexts(disk, home),
            begin: (writer, window) => compactWindow({ disk, home, writer, now }, window),
          }),
          summary,
        },
      }
    },
  }
}
