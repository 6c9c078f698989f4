import { AppError } from '../../../shared/model/basics/errors'
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

export interface CompactionDeps {
  readonly writer: TranscriptWriter
  readonly hooks: Hooks
  /** Nobody is asked without it: then only `drop` can be done. */
  readonly condenser?: ModelCaller | undefined
  /** Writes the new window; the old one stands when it throws. */
  readonly begin: (window: NewWindow) => Promise<Entry>
  readonly texts: { readonly compaction: string; readonly continuation: string }
}

export interface CompactionRequest {
  /**
   * `full`: all of the window becomes a summary. `rolling`: a share goes, which the model chooses, else the oldest, and the
   * summary takes it in. `drop`: all of it goes, and no model is asked.
   */
  readonly mode: CompactionMode
  readonly isAutomatic: boolean
  /** With `rolling`: how many of the messages go, in percent. */
  readonly dropPercent: number
  /** The model's window, in tokens; 0 where it is not known. */
  readonly limit: number
  /** With `rolling`: what stays must fit into so many tokens, if that can be. */
  readonly mostKept?: number | undefined
  /** What summary.md says. */
  readonly summary?: string | undefined
}

/** What is told on the way. */
export interface CompactionStep {
  readonly phase: 'choosing' | 'summarizing'
}

export type CompactionResult =
  | {
      readonly type: 'compacted'
      readonly anchor: Entry
      /** What the model is told from now on. */
      readonly summary: string | undefined
      /** Messages that are not in the window any more, and those that are. */
      readonly archived: number
      readonly kept: number
      readonly tokensBefore: number
      readonly tokensAfter: number
      /** What was done otherwise than was wanted, a sentence each. */
      readonly notes: readonly string[]
    }
  /** There is too little in the window. */
  | { readonly type: 'nothing'; readonly messages: number }
  /** The window stays as it was. */
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** chibi's guards: fewer messages are not worth it. */
const fewest: Readonly<Record<CompactionMode, number>> = { full: 3, rolling: 5, drop: 3 }
/** Of a summary, where the window is not known. */
const mostSummaryTokens = 16_000
/** Of what is sent to be condensed, where the window is not known. */
const mostSentTokens = 100_000

/**
 * Makes room in a window: asks the model where the mode wants it, then begins the new window, which is the only thing that
 * is written. Plugins are heard before and after. A window of which a part cannot be read stays as it is: what stands there
 * would be in no summary.
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
  const told = {
    context_name: writer.context,
    message_count: messages.length,
    summary: wish.summary ?? '',
    ...(wish.mode === 'rolling'
      ? { non_system_count: messages.filter(({ role }) => role !== 'system').length }
      : {}),
  }
  const isRolling = wish.mode === 'rolling'
  await deps.hooks.call(isRolling ? 'pre_rolling_compact' : 'pre_compact', told, signal)
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
      words: 'Another program changed the window meanwhile. It stays as that left it.',
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
  const after = isRolling ? { ...told, messages_archived: archived } : told
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

/** The window, or why it stays as it is. */
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

/** What was written behind a window since it was read; undefined where it is another one now. */
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
  const { condenser } = deps
  if (condenser === undefined) return { type: 'failed', words: 'No model can be asked.' }
  const choice =
    wish.mode === 'full'
      ? { parts: allButUnanswered(units), chosenBy: undefined, usage: undefined }
      : yield* chooseUnits(wish, units, condenser, notes, signal)
  if (signal.aborted) return { type: 'stopped' }
  const { parts } = choice
  if (parts.dropped.length === 0) return { type: 'nothing', messages: countOf(units) }

  yield { phase: 'summarizing' }
  const text = summaryRequest(parts.dropped, wish.summary, bytesToSend(wish))
  const said = await askModel(deps.texts.compaction, text, condenser, signal)
  if (said.type === 'failed') return { type: 'failed', words: `No summary came. ${said.words}` }
  if (said.type === 'stopped') return said
  if (said.isCut) notes.push('The provider cut the summary at its limit.')
  const summary = limitSummary(said.text, wish)
  if (summary !== said.text) notes.push('The summary was too long, and was cut.')
  const stoodFor = tokensOfUnits(parts.dropped) + tokensOfText(wish.summary ?? '')
  if (tokensOfText(summary) >= stoodFor)
    notes.push('The summary is longer than what it stands for.')
  return {
    type: 'planned',
    parts,
    summary,
    replacesSummary: true,
    ...(choice.chosenBy === undefined ? {} : { chosenBy: choice.chosenBy }),
    model: said.model,
    usage: addUsage(choice.usage, said.usage),
    notes,
  }
}

/** What goes by the model's choice; by age where it makes none. */
async function* chooseUnits(
  wish: CompactionRequest,
  units: readonly Unit[],
  condenser: ModelCaller,
  notes: string[],
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, Choice, void> {
  const messages = Math.max(1, Math.round((countOf(units) * wish.dropPercent) / 100))
  const room = { messages, tokens: wish.mostKept }
  yield { phase: 'choosing' }
  const count = Math.max(1, Math.round((units.length * wish.dropPercent) / 100))
  const question = choiceRequest(units, count, bytesToSend(wish))
  const said = await askModel(
    'You help to make room in a conversation.',
    question,
    condenser,
    signal,
  )
  const places = said.type === 'said' ? parseChoice(said.text, units.length) : undefined
  const usage = said.type === 'said' ? said.usage : undefined
  if (places !== undefined) {
    const parts = partByChoice(units, places, room)
    const { length } = parts.dropped
    // Where room is made by itself it is enough, whoever chose; a person wanted a share.
    if (!wish.isAutomatic && length > 0) {
      const isFew = length < count && places.size < count
      const named = places.size === 1 ? '1 message' : `${places.size} messages`
      if (isFew) notes.push(`The model chose ${named}; ${count} were wanted.`)
      if (length > partByChoice(units, places, { tokens: undefined }).dropped.length)
        notes.push('What the model chose makes too little room: the oldest messages go as well.')
    }
    if (length > 0) return { parts, chosenBy: 'model', usage }
  }
  const why = said.type === 'failed' ? said.words : 'The model named no messages.'
  notes.push(`The oldest messages go. ${why}`)
  return { parts: partByChoice(units, oldestUnits(units, room), room), chosenBy: 'age', usage }
}

interface Choice {
  readonly parts: PartedWindow
  readonly chosenBy: 'model' | 'age' | undefined
  readonly usage: Usage | undefined
}

/** Words that nobody has answered yet stay: the model may be asked for that again. */
function allButUnanswered(units: readonly Unit[]): PartedWindow {
  const last = units.length - 1
  const isWaiting = units[last]?.isAsked === true
  const stays = withBound(isWaiting ? [last] : [], bindUnits(units))
  return partUnits(units, new Set([...units.keys()].filter((at) => !stays.has(at))))
}

/** A summary as long as the window bears it. */
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
