import { AppError } from '../../../shared/model/basics/errors'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { CompactionProgress, RunEvent } from '../../../shared/model/run/run'
import type { RunSettings } from '../../settings/config/run-settings'
import type { NewWindow } from '../../store/context-window'
import type { TranscriptWriter } from '../../store/store'
import type { ToolDefinition } from '../../tools/base/tool'
import type { Hooks } from '../../tools/hooks/hooks'
import { type Prompt, toChatMessages } from '../prompt/messages'
import type { Tokenizers } from '../tokens/counter'
import { keptImageCount } from '../tokens/estimate'
import { estimateParts, measureParts, totalTokens } from '../tokens/request-size'
import type { ModelCaller } from './ask-model'
import { runCompaction } from './compact'
import { defaultCompactionPrompts } from './compaction-prompts'
import { unitsOf } from './units'

/** Everything that automatic compaction needs of its run. */
export interface AutomaticDeps {
  readonly settings: Pick<
    RunSettings,
    | 'contextWindowLimit'
    | 'warnThresholdPercent'
    | 'autoCompact'
    | 'autoCompactThreshold'
    | 'rollingCompactDropPercentage'
  >
  /** The model's window in tokens, where its provider says; asked when the settings do not. */
  readonly contextLength?: (() => Promise<number | undefined>) | undefined
  /** The model's own tokenizer, where it has one that is known: the larger of its count and the estimate is gone by. */
  readonly tokenizers?: Tokenizers | undefined
  readonly hooks: Hooks
  /** The home's own prompts. */
  readonly texts: () => Promise<Partial<Record<keyof typeof defaultCompactionPrompts, string>>>
  readonly begin: (writer: TranscriptWriter, window: NewWindow) => Promise<Entry>
}

/** The parts of the next request of a run. */
export interface NextRequest {
  readonly writer: TranscriptWriter
  readonly caller: ModelCaller
  readonly prompt: Prompt
  readonly tools: readonly ToolDefinition[]
}

/** The compaction that keeps the requests of one run within the model's context window. */
export interface AutomaticCompaction {
  /**
   * Checks a request before it goes out: compacts where that is needed and allowed, else warns where it is near. A
   * failed compaction is reported, and the request keeps the window as it is; it is not tried again in this run.
   *
   * @returns the prompt of the request: with the new summary, where there is one
   * @throws AppError `lock-lost`, and where the window cannot be read
   */
  before(request: NextRequest, signal: AbortSignal): AsyncGenerator<RunEvent, Prompt, void>
}

/** Share of the threshold that is filled again at most: the next compaction must not come with the next message. */
const filledAgain = 0.7

/**
 * Returns the automatic compaction of one run. It warns once, and does not try again after a compaction that failed
 * or made too little room.
 *
 * @param deps as they are when the run begins
 */
export function automaticCompaction(deps: AutomaticDeps): AutomaticCompaction {
  const { settings, hooks } = deps
  let limit: number | undefined
  let isWarned = false
  let hasFailed = false

  async function* makeRoom(
    request: NextRequest,
    size: Size,
    allowed: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, Prompt | undefined, void> {
    const { writer, caller, prompt } = request
    const { limit } = size
    const tell = (
      phase: CompactionProgress['phase'],
      tokens: number,
      words?: string,
    ): RunEvent => ({
      type: 'compaction',
      phase,
      tokens,
      limit,
      ...(words === undefined || words === '' ? {} : { words }),
    })
    const texts = await deps.texts().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unreadable') return error
      throw error
    })
    if (texts instanceof AppError) {
      hasFailed = true
      yield tell('kept', size.tokens, texts.message)
      return undefined
    }
    const steps = runCompaction(
      {
        mode: 'rolling',
        isAutomatic: true,
        dropPercent: settings.rollingCompactDropPercentage,
        limit,
        // An eighth of the window is the summary's.
        mostKept: Math.max(
          0,
          Math.floor((allowed * filledAgain - size.around - limit / 8) / size.scale),
        ),
        summary: prompt.summary,
      },
      {
        writer,
        hooks,
        caller,
        begin: (window) => deps.begin(writer, window),
        texts: { ...defaultCompactionPrompts, ...texts },
      },
      signal,
    )
    let step = await steps.next()
    for (; !step.done; step = await steps.next()) yield tell(step.value.phase, size.tokens)
    const end = step.value
    switch (end.type) {
      case 'stopped':
        return undefined
      case 'nothing':
        hasFailed = true
        yield tell('kept', size.tokens, 'There are too few messages to summarize.')
        return undefined
      case 'failed':
        hasFailed = true
        yield tell('kept', size.tokens, end.words)
        return undefined
      case 'compacted': {
        yield { type: 'appended', row: { type: 'entry', entry: end.anchor } }
        const next = { ...prompt, summary: end.summary }
        const { tokens } = await sizeOf({ ...request, prompt: next }, limit, deps)
        // Prompt and tools alone fill it: another try would help no more.
        hasFailed = tokens >= allowed
        yield tell('done', tokens, end.notes.join(' '))
        return next
      }
    }
  }

  return {
    async *before(request, signal) {
      limit ??= settings.contextWindowLimit || (await deps.contextLength?.()) || 0
      if (limit === 0 || signal.aborted) return request.prompt
      const size = await sizeOf(request, limit, deps)
      const { tokens } = size
      const allowed = (limit * settings.autoCompactThreshold) / 100
      if (settings.autoCompact && !hasFailed && tokens >= allowed)
        return (yield* makeRoom(request, size, allowed, signal)) ?? request.prompt
      if (!isWarned && tokens >= (limit * settings.warnThresholdPercent) / 100) {
        isWarned = true
        yield { type: 'compaction', phase: 'near', tokens, limit }
      }
      return request.prompt
    },
  }
}

interface Size {
  readonly tokens: number
  /** The tokens of those that are not the conversation's. */
  readonly around: number
  readonly limit: number
  /** Tokens for each that was estimated. */
  readonly scale: number
}

/** A token has a byte at least, and the estimate is a quarter of the bytes: no count is more times larger. */
const mostScale = 4

/** Estimates as chibi does; counts as well where that could come near a threshold. */
async function sizeOf(
  { writer, caller, prompt, tools }: NextRequest,
  limit: number,
  { settings, tokenizers }: Pick<AutomaticDeps, 'settings' | 'tokenizers'>,
): Promise<Size> {
  const window = await writer.window('notice')
  const images = window.reduce((sum, entry) => sum + keptImageCount(entry), 0)
  const request = { messages: toChatMessages(window, prompt), tools, images }
  const estimate = totalTokens(estimateParts(request))
  const threshold = Math.min(settings.warnThresholdPercent, settings.autoCompactThreshold)
  const counter = tokenizers?.counterFor(caller.model)
  const isNear = estimate * mostScale >= (limit * threshold) / 100
  const counted =
    isNear && counter?.countedBy.by === 'tokenizer'
      ? totalTokens(await measureParts(request, counter))
      : 0
  const tokens = Math.max(estimate, counted)
  const scale = estimate === 0 ? 1 : tokens / estimate
  const history = unitsOf(window).reduce((sum, unit) => sum + unit.tokens, 0) * scale
  return { tokens, around: Math.max(0, tokens - history), limit, scale }
}
