import { countWithNoun } from '../../../shared/model/basics/plural'
import type { CompactionMode } from '../../../shared/model/run/run'
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
import { countMessages, sumTokens, type Unit } from './units'

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

/** Most tokens of a summary, where the window is not known. */
const mostSummaryTokens = 16_000
/** Most tokens to summarize at once, where the window is not known. */
const mostSentTokens = 100_000

/** The reason why a window stays as it is. */
export type NotCompacted =
  /** There is too little in the window. */
  | { readonly type: 'nothing'; readonly messages: number }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** The parts of the new window and its summary; nothing is written yet. */
export interface CompactionPlan {
  readonly type: 'planned'
  readonly parts: PartedWindow
  readonly summary: string
  /** False where `summary` only says what happened, and the former summary stays. */
  readonly replacesSummary: boolean
  readonly chosenBy?: 'model' | 'age'
  readonly model?: string
  readonly usage?: Usage | undefined
  /** The differences from what was wanted, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Chooses the units that go, and has the model summarize them: one request, with `rolling` two, with `drop` none.
 *
 * @param caller without it only `drop` is possible
 * @param prompt asks for the summary
 */
export async function* planCompaction(
  wish: CompactionRequest,
  units: readonly Unit[],
  caller: ModelCaller | undefined,
  prompt: string,
  signal: AbortSignal,
): AsyncGenerator<CompactionStep, CompactionPlan | NotCompacted, void> {
  const notes: string[] = []
  if (wish.mode === 'drop') {
    const count = countMessages(units)
    const summary = `${count} messages were archived without a summary.`
    const parts = { dropped: units, kept: [] }
    return { type: 'planned', parts, summary, replacesSummary: false, notes }
  }
  if (caller === undefined) return { type: 'failed', words: 'No model is available.' }
  const choice =
    wish.mode === 'full'
      ? { parts: allButUnanswered(units), chosenBy: undefined, usage: undefined }
      : yield* chooseUnits(wish, units, caller, notes, signal)
  if (signal.aborted) return { type: 'stopped' }
  const { parts } = choice
  if (parts.dropped.length === 0) return { type: 'nothing', messages: countMessages(units) }

  yield { phase: 'summarizing' }
  const text = summaryRequest(parts.dropped, wish.summary, bytesToSend(wish))
  const answer = await askModel(prompt, text, caller, signal)
  if (answer.type === 'failed')
    return { type: 'failed', words: `No summary was written. ${answer.words}` }
  if (answer.type === 'stopped') return answer
  if (answer.isCut) notes.push('The provider cut the summary at its limit.')
  const summary = limitSummary(answer.text, wish)
  if (summary !== answer.text) notes.push('The summary was too long and was shortened.')
  const replacedTokens = sumTokens(parts.dropped) + tokensOfText(wish.summary ?? '')
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
  const messages = Math.max(1, Math.round((countMessages(units) * wish.dropPercent) / 100))
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
export function limitSummary(summary: string, { limit }: Pick<CompactionRequest, 'limit'>): string {
  const most = (limit > 0 ? Math.max(50, Math.floor(limit / 8)) : mostSummaryTokens) * 4
  const bytes = Buffer.from(summary)
  if (bytes.length <= most) return summary
  // A character that was cut through is left out.
  return `${bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}…`
}

/** Returns the bytes of messages that one request may have. */
export function bytesToSend({ limit }: Pick<CompactionRequest, 'limit'>): number {
  // Half of the window: the answer and the prompt need room, and what is no English takes more tokens.
  return limit > 0 ? Math.max(400, limit * 2) : mostSentTokens * 4
}
