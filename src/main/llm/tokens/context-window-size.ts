import type { Entry } from '../../../shared/model/conversation/entry'
import type { TokenCount, TokenParts } from '../../../shared/model/run/sent'
import type { RunSettings } from '../../settings/config/run-settings'
import type { Endpoint } from '../../settings/endpoint/endpoint'
import { readContextWindow } from '../../store/context-window'
import { readAgents } from '../../store/prompt-texts'
import type { Store } from '../../store/store'
import type { ToolDefinition } from '../../tools/base/tool'
import { noHooks } from '../../tools/hooks/hooks'
import type { BuiltInDeps } from '../../tools/index'
import { toChatMessages } from '../prompt/messages'
import { offeredTools, promptPartsOf } from '../prompt/offered-tools'
import { asFallback } from '../prompt/own-tools'
import { buildPrompt } from '../prompt/system-prompt'
import type { Tokenizers } from './counter'
import { keptImageCount } from './estimate'
import { estimateParts, measureParts, totalTokens } from './request-size'

/** Everything that measuring a context window needs. */
export interface WindowSizeDeps extends Pick<BuiltInDeps, 'disk'> {
  readonly store: Pick<Store, 'home' | 'readNotes'>
  readonly runSettings: (context: string) => Promise<RunSettings>
  readonly tokenizers: Tokenizers
  /** Tools of trusted plugins, as far as they are known without asking one. */
  readonly knownTools?: (() => readonly ToolDefinition[]) | undefined
  /** The model's context window, where the settings do not say. Makes no request. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
}

/** The size of a context's next request, in tokens. */
export interface MeasuredContextWindow extends TokenParts {
  readonly countedBy: TokenCount
  readonly total: number
  /** The total, or chibi's estimate where that is larger: what automatic compaction goes by. */
  readonly guarded: number
  readonly limit: number | undefined
  readonly warnPercent: number
  /** Undefined where no room is made by itself. */
  readonly compactPercent: number | undefined
}

/**
 * Measures the next request of a context as it would be built now, without a new message and without the texts of
 * plugins: no hook is called, no plugin started. Reads the window and counts the entries that were not counted
 * before. Needs no lock, writes nothing.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function measureContextWindow(
  context: string,
  endpoint: Endpoint,
  deps: WindowSizeDeps,
): Promise<MeasuredContextWindow> {
  const { disk, store, tokenizers } = deps
  const { home } = store
  // A run is sent what can be read, and says what cannot.
  const window = await readContextWindow(disk, home, context, () => undefined)
  const settings = await deps.runSettings(context)
  const place = { disk, home, context, note: () => undefined }
  const offered: readonly ToolDefinition[] = offeredTools(
    place,
    settings,
    deps.knownTools?.() ?? [],
  )
  const tools = offered.map((tool) =>
    tool.name === settings.fallbackTool ? asFallback(tool) : tool,
  )
  const parts = promptPartsOf(await store.readNotes(context), settings, {
    // What cannot be read a run leaves out as well.
    agents: await readAgents(disk, home).catch(() => undefined),
    username: endpoint.username.value,
    hasTools: tools.length > 0,
  })
  const prompt = await buildPrompt(parts, noHooks, context, new AbortController().signal)
  const request = { messages: toChatMessages(window, prompt), tools, images: imagesOf(window) }
  const counter = tokenizers.counterFor(endpoint.model.value)
  const counted = await measureParts(request, counter)
  const total = totalTokens(counted)
  return {
    ...counted,
    countedBy: counter.countedBy,
    total,
    // Counted by the estimate it is the same, and of a long window not gone through twice.
    guarded:
      counter.countedBy.by === 'estimate'
        ? total
        : Math.max(total, totalTokens(estimateParts(request))),
    limit: settings.contextWindowLimit || (await deps.contextLength?.(endpoint)),
    warnPercent: settings.warnThresholdPercent,
    compactPercent: settings.autoCompact ? settings.autoCompactThreshold : undefined,
  }
}

function imagesOf(window: readonly Entry[]): number {
  return window.reduce((sum, entry) => sum + keptImageCount(entry), 0)
}
