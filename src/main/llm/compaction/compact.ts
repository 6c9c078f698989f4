import { AppError } from '../../../shared/model/basics/errors'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { CompactionMode } from '../../../shared/model/run/run'
import type { NewWindow } from '../../store/context-window'
import type { TranscriptWriter } from '../../store/store'
import type { Hooks } from '../../tools/hooks/hooks'
import { tokensOfText } from '../tokens/estimate'
import type { ModelCaller } from './ask-model'
import {
  type CompactionRequest,
  type CompactionStep,
  type NotCompacted,
  planCompaction,
} from './plan-compaction'
import { countMessages, sumTokens, unitsOf } from './units'

/** Everything that a compaction works with. */
export interface CompactionDeps {
  readonly writer: TranscriptWriter
  readonly hooks: Hooks
  /** Without it only `drop` is possible. */
  readonly caller?: ModelCaller | undefined
  /** Writes the new window; the old one stays when it throws. */
  readonly begin: (window: NewWindow) => Promise<Entry>
  readonly texts: { readonly compaction: string; readonly continuation: string }
}

/** The outcome of a compaction. */
export type CompactionResult =
  | {
      readonly type: 'compacted'
      readonly anchor: Entry
      /** The summary that the model gets from now on. */
      readonly summary: string | undefined
      /** Messages that are not in the window any more, and those that are. */
      readonly archived: number
      readonly kept: number
      readonly tokensBefore: number
      readonly tokensAfter: number
      /** The differences from what was wanted, a sentence each. */
      readonly notes: readonly string[]
    }
  | NotCompacted

/** chibi's guards: fewer messages are not worth it. */
const fewest: Readonly<Record<CompactionMode, number>> = { full: 3, rolling: 5, drop: 3 }

/**
 * Compacts a context window: asks the model where the mode needs it, then begins the new window, which is the only
 * thing that it writes. Hooks are called before and after. A window with an unreadable part stays as it is, since no
 * summary would have that part.
 *
 * @throws AppError `lock-lost`
 */
export async function* runCompaction(
  wish: CompactionRequest,
  deps: CompactionDeps,
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, CompactionResult, void> {
  const { writer } = deps
  const read = await readCompactableWindow(writer)
  if (!isWindow(read)) return read
  const window = read
  const units = unitsOf(window)
  const messages = units.flatMap((unit) => unit.messages)
  if (messages.length < fewest[wish.mode]) return { type: 'nothing', messages: messages.length }
  const hookData = {
    context_name: writer.context,
    message_count: messages.length,
    summary: wish.summary ?? '',
    ...(wish.mode === 'rolling'
      ? { non_system_count: messages.filter(({ role }) => role !== 'system').length }
      : {}),
  }
  const isRolling = wish.mode === 'rolling'
  await deps.hooks.call(isRolling ? 'pre_rolling_compact' : 'pre_compact', hookData, signal)
  if (signal.aborted) return { type: 'stopped' }

  const plan = yield* planCompaction(wish, units, deps.caller, deps.texts.compaction, signal)
  if (plan.type !== 'planned') return plan
  if (signal.aborted) return { type: 'stopped' }
  const now = await readCompactableWindow(writer)
  if (!isWindow(now)) return now
  const late = entriesSince(window, now)
  if (late === undefined)
    return {
      type: 'failed',
      words:
        'Another program changed the context window at the same time. Its change is kept; nothing was summarized.',
    }
  const { summary, replacesSummary } = plan
  const parts = { ...plan.parts, kept: [...plan.parts.kept, ...unitsOf(late)] }
  const [tokensBefore, tokensAfter] = [
    sumTokens(units) + tokensOfText(wish.summary ?? ''),
    sumTokens(parts.kept) + tokensOfText(replacesSummary ? summary : (wish.summary ?? '')),
  ]
  const archived = countMessages(parts.dropped)
  let anchor: Entry
  try {
    anchor = await deps.begin({
      summary,
      replacesSummary,
      kept: parts.kept.flatMap(({ entries }) => entries.map(({ id }) => id)),
      metadata: {
        compaction: {
          mode: wish.mode,
          automatic: wish.isAutomatic,
          archived,
          tokens_before: tokensBefore,
          tokens_after: tokensAfter,
          ...(plan.chosenBy === undefined ? {} : { chosen_by: plan.chosenBy }),
          ...(wish.mode === 'full' ? { continuation: deps.texts.continuation } : {}),
        },
        ...(plan.model === undefined ? {} : { model: plan.model }),
        ...(plan.usage === undefined ? {} : { usage: plan.usage }),
      },
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'lock-lost') throw error
    return { type: 'failed', words: error.message }
  }
  const after = isRolling ? { ...hookData, messages_archived: archived } : hookData
  await deps.hooks.call(isRolling ? 'post_rolling_compact' : 'post_compact', after, signal)
  return {
    type: 'compacted',
    anchor,
    summary: replacesSummary ? summary : wish.summary,
    archived,
    kept: countMessages(parts.kept),
    tokensBefore,
    tokensAfter,
    notes: plan.notes,
  }
}

/** Reads the window; resolves to the reason where a part is unreadable. */
async function readCompactableWindow(
  writer: TranscriptWriter,
): Promise<readonly Entry[] | Extract<CompactionResult, { type: 'failed' }>> {
  try {
    return await writer.window('refuse')
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unreadable') throw error
    return { type: 'failed', words: error.message }
  }
}

function isWindow<T>(read: readonly Entry[] | T): read is readonly Entry[] {
  return Array.isArray(read)
}

/** Returns the entries behind a window since it was read; undefined where it is another one now. */
function entriesSince(
  before: readonly Entry[],
  now: readonly Entry[],
): readonly Entry[] | undefined {
  const isSame = before.length <= now.length && before.every(({ id }, n) => id === now[n]?.id)
  return isSame ? now.slice(before.length) : undefined
}
