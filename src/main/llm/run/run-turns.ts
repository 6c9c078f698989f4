import { AppError } from '../../../shared/model/basics/errors'
import type { RunEvent } from '../../../shared/model/run/run'
import type { Tool } from '../../tools/base/tool'
import type { AutomaticCompaction } from '../compaction/automatic'
import type { Prompt } from '../prompt/messages'
import { asFallback } from '../prompt/own-tools'
import {
  type CallStreaks,
  callStreaks,
  fuelOf,
  idleCost,
  roundCost,
  usualFuel,
} from '../steps/fuel'
import { appendedEvent, endedEvent } from '../steps/run-entries'
import { outOfFuelFailure, repeatedToolFailure, storageFailure } from '../steps/run-failures'
import type { FallbackTool, Steering } from '../steps/run-hooks'
import { type UserMessageDeps, writeUserMessage } from '../steps/user-message'
import type { CallToolDeps } from './call-tool'
import {
  finishTurn,
  type ModelTurn,
  newModelTurn,
  requestAnswer,
  type TurnDeps,
  writeReply,
} from './model-turn'
import type { RunInput } from './run-input'
import { runCalls } from './tool-round'

type RunTurnDeps = TurnDeps &
  CallToolDeps &
  UserMessageDeps & { readonly compaction?: AutomaticCompaction | undefined }

/** The state of a run from request to request. */
interface RunProgressState extends Steering {
  readonly streaks: CallStreaks
  /** Answers without a word, one after the other. */
  idle: number
  /** Tools that should have ended a turn and failed, one after the other. */
  failed: number
  rounds: number
  /** The last answer of words alone, and how often it came in a row. */
  lastText: { readonly text: string; readonly times: number }
  /** The prompt and tools of this turn's requests; undefined where a turn begins. */
  shared: TurnContext | undefined
  /** The message that the turn begins with. */
  message: string
}

/** The prompt and tools of a turn: from a message to the answer that ends it or hands it on. */
interface TurnContext {
  readonly prompt: Prompt
  readonly tools: readonly Tool[]
}

/** The next action after an answer. `settle` ends the run with it. */
type NextAction =
  | { readonly type: 'ask' | 'over' | 'settle' }
  | {
      readonly type: 'round'
      readonly by: string
      readonly prompt: string
      readonly failed?: boolean
    }

// With unlimited fuel, a model that repeats itself, or answers nothing, would be asked for ever.
const mostIdle = 3
const mostAlike = 3
const mostFailed = 3

/**
 * Asks the model until its turn ends: with the results of its calls, with text, or without fuel. The user message is
 * durable already.
 *
 * @param message what the turn begins with, for plugins
 */
export async function* runTurns(
  input: RunInput,
  deps: RunTurnDeps,
  message: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const fallback = input.fallback ?? 'call_user'
  const progress: RunProgressState = {
    fuel: fuelOf(input.fuel ?? usualFuel),
    fallback,
    isFirstTurn: true,
    failed: 0,
    streaks: callStreaks(),
    idle: 0,
    rounds: 0,
    lastText: { text: '', times: 0 },
    shared: undefined,
    message,
  }
  let seq = 0
  for (;;) {
    const turn = newModelTurn(deps.newId(), input.model)
    try {
      progress.shared ??= await beginTurn(input, deps, progress, signal)
      progress.shared = yield* ensureRoom(progress.shared, input, deps, signal)
      const { tools, prompt } = progress.shared
      const { model, parameters, server, protocol } = input
      const turnInput = { model, parameters, prompt, tools, server, protocol }
      yield* requestAnswer(turnInput, deps, turn, progress.fuel, () => seq++, signal)
      const next = yield* handleReply(turn, progress, { ...deps, tools }, input, signal)
      if (next.type === 'ask') continue
      if (next.type === 'over') return yield endedEvent('complete')
      if (next.type === 'round') {
        const words = { text: reengaged(next, progress), from: deps.writer.context }
        const metadata = { continued_by: next.by }
        const { row, prompt: text } = await writeUserMessage({ ...words, metadata }, deps, signal)
        yield appendedEvent(row)
        Object.assign(progress, { message: text, shared: undefined, fallback })
        continue
      }
    } catch (error) {
      if (!(error instanceof AppError)) {
        // A mistake of ours must not cost the text that came; where it cannot be written, the partial file has it.
        await writeReply(turn, deps, 'failed').catch(() => undefined)
        throw error
      }
      turn.failure = storageFailure(error, turn.attempts)
    }
    const isAnswer = turn.failure === undefined && turn.reply.finish !== undefined && !turn.isKept
    const events = finishTurn(turn, deps)
    for await (const event of events) {
      if (event.type === 'ended' && event.outcome === 'complete' && isAnswer)
        await deps.hooks.postMessage(progress.message, turn.reply.content, signal)
      yield event
    }
    return
  }
}

async function beginTurn(
  input: RunInput,
  deps: RunTurnDeps,
  progress: RunProgressState,
  signal: AbortSignal,
): Promise<TurnContext> {
  const prompt = 'build' in input.prompt ? await input.prompt.build(signal) : input.prompt
  const offered = deps.tools.map((tool) =>
    tool.name === progress.fallback ? asFallback(tool) : tool,
  )
  const tools = await deps.hooks.preApiTools(offered, progress.fuel, signal)
  await deps.hooks.preAgenticLoop(progress.message, progress, signal)
  progress.isFirstTurn = false
  return { prompt, tools }
}

/** Makes room in the window before a request, where it has to be made. */
async function* ensureRoom(
  { prompt, tools }: TurnContext,
  { model, parameters, protocol }: RunInput,
  { writer, provider, clock, logRequest, compaction }: RunTurnDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, TurnContext, void> {
  if (compaction === undefined) return { prompt, tools }
  const caller = { provider, clock, model, parameters, protocol, logRequest }
  return { tools, prompt: yield* compaction.before({ writer, caller, prompt, tools }, signal) }
}

/** chibi's words before a prompt that the model gave itself. */
function reengaged(
  { by, prompt }: { readonly by: string; readonly prompt: string },
  { fuel }: RunProgressState,
): string {
  const left = fuel.total === undefined ? '' : ` (fuel: ${fuel.left}/${fuel.total})`
  return `[reengaged${left} via ${by}. call_user(<message>) to end turn.]\n${prompt}`
}

/** Acts on a whole answer, and returns the next action. */
async function* handleReply(
  turn: ModelTurn,
  progress: RunProgressState,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { reply } = turn
  if (deps.tools.length === 0 || turn.failure !== undefined || reply.finish === undefined)
    return { type: 'settle' }
  if (reply.calls.length > 0) return yield* handleCalls(turn, progress, deps, input, signal)
  if (signal.aborted) return { type: 'settle' }
  const says = reply.content.trim() !== '' || reply.media.length > 0
  if (says) return yield* handleText(turn, progress, deps, signal)
  progress.fuel.burn(input.idleCost ?? idleCost)
  if (progress.fuel.isGone || ++progress.idle >= mostIdle) return { type: 'settle' }
  const thoughts = await writeReply(turn, deps, 'failed')
  if (thoughts !== undefined) yield appendedEvent(thoughts)
  return { type: 'ask' }
}

async function* handleCalls(
  turn: ModelTurn,
  progress: RunProgressState,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { reply } = turn
  const { fuel } = progress
  progress.idle = 0
  progress.rounds++
  const streaks = progress.streaks.count(reply.calls)
  const after = yield* runCalls(turn, streaks, deps, signal)
  if (signal.aborted) return { type: 'settle' }
  await deps.hooks.postToolBatch(reply.calls, progress, signal)
  if (signal.aborted) return { type: 'settle' }
  if (after.type === 'over') {
    const words = after.words.trim() === '' ? reply.content : after.words
    if (words.trim() !== '') await deps.hooks.postMessage(progress.message, words, signal)
    return { type: 'over' }
  }
  const isAgain = streaks.some((streak) => streak > 1)
  fuel.burn(isAgain ? (input.idleCost ?? idleCost) : roundCost)
  progress.failed = after.type === 'round' && after.failed ? progress.failed + 1 : 0
  if (after.type === 'round' && progress.failed >= mostFailed) {
    turn.failure = repeatedToolFailure(after.by, turn.attempts)
    return { type: 'settle' }
  }
  if (!fuel.isGone) return after
  turn.failure = outOfFuelFailure(reply.model, progress.rounds, streaks, turn.attempts)
  return { type: 'settle' }
}

/** Ends the turn after an answer of text alone, unless the fallback tool lets the model continue. */
async function* handleText(
  turn: ModelTurn,
  progress: RunProgressState,
  deps: RunTurnDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { content, model } = turn.reply
  const canEnd = deps.tools.some(({ name }) => name === ('call_user' satisfies FallbackTool))
  if (progress.fallback === 'call_user' || !canEnd) return { type: 'settle' }
  progress.idle = 0
  progress.lastText = {
    text: content,
    times: progress.lastText.text === content ? progress.lastText.times + 1 : 1,
  }
  if (progress.lastText.times >= mostAlike) return { type: 'settle' }
  const answer = await writeReply(turn, deps, undefined)
  if (answer !== undefined) yield appendedEvent(answer)
  await deps.hooks.postMessage(progress.message, content, signal)
  if (signal.aborted) return { type: 'settle' }
  progress.fuel.burn(roundCost)
  if (!progress.fuel.isGone) return { type: 'round', by: progress.fallback, prompt: '' }
  turn.failure = outOfFuelFailure(model, progress.rounds, [], turn.attempts)
  return { type: 'settle' }
}
