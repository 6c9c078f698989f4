import { AppError } from '../../../shared/model/basics/errors'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { CompactionMode } from '../../../shared/model/run/run'
import type { NewWindow } from '../../store/context-window'
import type { TranscriptWriter } from '../../store/store'
import type { Hooks } from '../../tools/hooks/hooks'
import type { Usage } from '../chat/provider'
import { tokensOfText } from '../tokens/estimate'
import { addUsage, askModel, type ModelCaller } from './ask-model'
import {
  bindUnits,
  oldestUnits,
  type PartedWindow,
  partByChoice,
  partUnits,
  withBound,
} from './choice'
import { choiceRequest, parseChoice, summaryRequest } from './compaction-prompts'
import { type Unit, unitsOf } from './units'

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

/** The compaction that is wanted: its mode, how much is to go, and the limits that hold. */
export interface CompactionRequest {
  /**
   * `full`: all of the window becomes a summary. `rolling`: a share goes, which the model chooses, else the oldest,
   * and the summary takes it in. `drop`: all of it goes, and no model is asked.
   */
  readonly mode: CompactionMode
  readonly isAutomatic: boolean
  /** With `rolling`: how many of the messages go, in percent. */
  readonly dropPercent: number
  /** The model's window, in tokens; 0 where it is not known. */
  readonly limit: number
  /** With `rolling`: what stays must fit into so many tokens, if that can be. */
  readonly mostKept?: number | undefined
  /** The text of summary.md. */
  readonly summary?: string | undefined
}

/** A step of a compaction that has begun. */
export interface CompactionStep {
  readonly phase: 'choosing' | 'summarizing'
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
  /** There is too little in the window. */
  | { readonly type: 'nothing'; readonly messages: number }
  /** The window stays as it was. */
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** chibi's guards: fewer messages are not worth it. */
const fewest: Readonly<Record<CompactionMode, number>> = { full: 3, rolling: 5, drop: 3 }
/** Most tokens of a summary, where the window is not known. */
const mostSummaryTokens = 16_000
/** Most tokens to summarize at once, where the window is not known. */
const mostSentTokens = 100_000

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

  const plan = yield* planCompaction(wish, units, deps, signal)
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
    tokensOfUnits(units) + tokensOfText(wish.summary ?? ''),
    tokensOfUnits(parts.kept) + tokensOfText(replacesSummary ? summary : (wish.summary ?? '')),
  ]
  const archived = countOf(parts.dropped)
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
    kept: countOf(parts.kept),
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

interface Plan {
  readonly type: 'planned'
  readonly parts: PartedWindow
  readonly summary: string
  readonly replacesSummary: boolean
  readonly chosenBy?: 'model' | 'age'
  readonly model?: string
  readonly usage?: Usage | undefined
  readonly notes: readonly string[]
}

type Planned = Plan | Exclude<CompactionResult, { type: 'compacted' }>

async function* planCompaction(
  wish: CompactionRequest,
  units: readonly Unit[],
  deps: CompactionDeps,
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, Planned, void> {
  const notes: string[] = []
  if (wish.mode === 'drop') {
    const count = countOf(units)
    const summary = `${count} messages were archived without a summary.`
    const parts = { dropped: units, kept: [] }
    return { type: 'planned', parts, summary, replacesSummary: false, notes }
  }
  const { caller } = deps
  if (caller === undefined) return { type: 'failed', words: 'No model is available.' }
  const choice =
    wish.mode === 'full'
      ? { parts: allButUnanswered(units), chosenBy: undefined, usage: undefined }
      : yield* chooseUnits(wish, units, caller, notes, signal)
  if (signal.aborted) return { type: 'stopped' }
  const { parts } = choice
  if (parts.dropped.length === 0) return { type: 'nothing', messages: countOf(units) }

  yield { phase: 'summarizing' }
  const text = summaryRequest(parts.dropped, wish.summary, bytesToSend(wish))
  const answer = await askModel(deps.texts.compaction, text, caller, signal)
  if (answer.type === 'failed')
    return { type: 'failed', words: `No summary was written. ${answer.words}` }
  if (answer.type === 'stopped') return answer
  if (answer.isCut) notes.push('The provider cut the summary at its limit.')
  const summary = limitSummary(answer.text, wish)
  if (summary !== answer.text) notes.push('The summary was too long and was shortened.')
  const replacedTokens = tokensOfUnits(parts.dropped) + tokensOfText(wish.summary ?? '')
  if (tokensOfText(summary) >= replacedTokens)
    notes.push('The summary is longer than the messages it replaces.')
  return {
    type: 'planned',
    parts,
    summary,
    replacesSummary: true,
    ...(choice.chosenBy === undefined ? {} : { chosenBy: choice.chosenBy }),
    model: answer.model,
    usage: addUsage(choice.usage, answer.usage),
    notes,
  }
}

/** Chooses the units to drop by the model; by age where it names none. */
async function* chooseUnits(
  wish: CompactionRequest,
  units: readonly Unit[],
  caller: ModelCaller,
  notes: string[],
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, Choice, void> {
  const messages = Math.max(1, Math.round((countOf(units) * wish.dropPercent) / 100))
  const room = { messages, tokens: wish.mostKept }
  yield { phase: 'choosing' }
  const count = Math.max(1, Math.round((units.length * wish.dropPercent) / 100))
  const question = choiceRequest(units, count, bytesToSend(wish))
  const answer = await askModel(
    'You help to make room in a conversation.',
    question,
    caller,
    signal,
  )
  const places = answer.type === 'answered' ? parseChoice(answer.text, units.length) : undefined
  const usage = answer.type === 'answered' ? answer.usage : undefined
  if (places !== undefined) {
    const parts = partByChoice(units, places, room)
    const { length } = parts.dropped
    // An automatic compaction has only to make room; a person wanted a share.
    if (!wish.isAutomatic && length > 0) {
      const isFew = length < count && places.size < count
      const named = countWithNoun(places.size, 'message')
      if (isFew) notes.push(`The model chose ${named} instead of ${count}.`)
      if (length > partByChoice(units, places, { tokens: undefined }).dropped.length)
        notes.push(
          'The messages that the model chose free too little space; the oldest go as well.',
        )
    }
    if (length > 0) return { parts, chosenBy: 'model', usage }
  }
  const why = answer.type === 'failed' ? answer.words : 'The model chose no messages.'
  notes.push(`The oldest messages go instead. ${why}`)
  return { parts: partByChoice(units, oldestUnits(units, room), room), chosenBy: 'age', usage }
}

interface Choice {
  readonly parts: PartedWindow
  readonly chosenBy: 'model' | 'age' | undefined
  readonly usage: Usage | undefined
}

/** Drops all but a user message at the end that has no answer yet: it may be asked again. */
function allButUnanswered(units: readonly Unit[]): PartedWindow {
  const last = units.length - 1
  const isWaiting = units[last]?.isAsked === true
  const stays = withBound(isWaiting ? [last] : [], bindUnits(units))
  return partUnits(units, new Set([...units.keys()].filter((at) => !stays.has(at))))
}

/** Cuts a summary to an eighth of the window. */
function limitSummary(summary: string, { limit }: CompactionRequest): string {
  const most = (limit > 0 ? Math.max(50, Math.floor(limit / 8)) : mostSummaryTokens) * 4
  const bytes = Buffer.from(summary)
  if (bytes.length <= most) return summary
  // A character that was cut through is left out.
  return `${bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}…`
}

function bytesToSend({ limit }: CompactionRequest): number {
  // Half of the window: the answer and the prompt need room, and what is no English takes more tokens.
  return limit > 0 ? Math.max(400, limit * 2) : mostSentTokens * 4
}

function countOf(units: readonly Unit[]): number {
  return units.reduce((sum, { messages }) => sum + messages.length, 0)
}

function tokensOfUnits(units: readonly Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0)
}
