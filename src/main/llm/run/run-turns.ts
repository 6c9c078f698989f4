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

/** What a run keeps from request to request. */
interface RunProgressState extends Steering {
  readonly streaks: CallStreaks
  /** Answers without a word, one after the other. */
  idle: number
  /** Tools that should have ended a turn and failed, one after the other. */
  failed: number
  rounds: number
  /** The last answer of words alone, and how often it came in a row. */
  said: { readonly text: string; readonly times: number }
  /** What the requests of this turn have in common; undefined where a turn begins. */
  shared: TurnContext | undefined
  /** What the turn begins with. */
  message: string
}

/** What holds for a turn: from a message to the answer that ends it or hands it on. */
interface TurnContext {
  readonly prompt: Prompt
  readonly tools: readonly Tool[]
}

/** What comes after an answer. `settle` ends the run with it as it stands. */
type NextAction =
  | { readonly type: 'ask' | 'over' | 'settle' }
  | {
      readonly type: 'round'
      readonly by: string
      readonly prompt: string
      readonly failed?: boolean
    }

// With fuel for ever, a model that says nothing, or the same, would be asked for ever.
const mostIdle = 3
const mostAlike = 3
const mostFailed = 3

/**
 * Asks the model until its turn ends: with the results of its calls, with words, or without fuel. The person's message is
 * on the disk.
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
  const going: RunProgressState = {
    fuel: fuelOf(input.fuel ?? usualFuel),
    fallback,
    isFirstTurn: true,
    failed: 0,
    streaks: callStreaks(),
    idle: 0,
    rounds: 0,
    said: { text: '', times: 0 },
    shared: undefined,
    message,
  }
  let seq = 0
  for (;;) {
    const turn = newModelTurn(deps.newId(), input.model)
    try {
      going.shared ??= await beginTurn(input, deps, going, signal)
      going.shared = yield* ensureRoom(going.shared, input, deps, signal)
      const { tools, prompt } = going.shared
      const { model, parameters, server, protocol } = input
      const turnInput = { model, parameters, prompt, tools, server, protocol }
      yield* requestAnswer(turnInput, deps, turn, going.fuel, () => seq++, signal)
      const next = yield* handleReply(turn, going, { ...deps, tools }, input, signal)
      if (next.type === 'ask') continue
      if (next.type === 'over') return yield endedEvent('complete')
      if (next.type === 'round') {
        const words = { text: reengaged(next, going), from: deps.writer.context }
        const metadata = { continued_by: next.by }
        const { row, prompt: text } = await writeUserMessage({ ...words, metadata }, deps, signal)
        yield appendedEvent(row)
        Object.assign(going, { message: text, shared: undefined, fallback })
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
        await deps.hooks.postMessage(going.message, turn.reply.content, signal)
      yield event
    }
    return
  }
}

async function beginTurn(
  input: RunInput,
  deps: RunTurnDeps,
  going: RunProgressState,
  signal: AbortSignal,
): Promise<TurnContext> {
  const prompt = 'build' in input.prompt ? await input.prompt.build(signal) : input.prompt
  const told = deps.tools.map((tool) => (tool.name === going.fallback ? asFallback(tool) : tool))
  const tools = await deps.hooks.preApiTools(told, going.fuel, signal)
  await deps.hooks.preAgenticLoop(going.message, going, signal)
  going.isFirstTurn = false
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
  const condenser = { provider, clock, model, parameters, protocol, logRequest }
  return { tools, prompt: yield* compaction.before({ writer, condenser, prompt, tools }, signal) }
}

/** chibi's words before a prompt that the model gave itself. */
function reengaged(
  { by, prompt }: { readonly by: string; readonly prompt: string },
  { fuel }: RunProgressState,
): string {
  const left = fuel.total === undefined ? '' : ` (fuel: ${fuel.left}/${fuel.total})`
  return `[reengaged${left} via ${by}. call_user(<message>) to end turn.]\n${prompt}`
}

/** Does what a whole answer asks for, and tells how it goes on. */
async function* handleReply(
  turn: ModelTurn,
  going: RunProgressState,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { reply } = turn
  if (deps.tools.length === 0 || turn.failure !== undefined || reply.finish === undefined)
    return { type: 'settle' }
  if (reply.calls.length > 0) return yield* handleCalls(turn, going, deps, input, signal)
  if (signal.aborted) return { type: 'settle' }
  const says = reply.content.trim() !== '' || reply.media.length > 0
  if (says) return yield* handleText(turn, going, deps, signal)
  going.fuel.burn(input.idleCost ?? idleCost)
  if (going.fuel.isGone || ++going.idle >= mostIdle) return { type: 'settle' }
  const thoughts = await writeReply(turn, deps, 'failed')
  if (thoughts !== undefined) yield appendedEvent(thoughts)
  return { type: 'ask' }
}

async function* handleCalls(
  turn: ModelTurn,
  going: RunProgressState,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { reply } = turn
  const { fuel } = going
  going.idle = 0
  going.rounds++
  const streaks = going.streaks.count(reply.calls)
  const after = yield* runCalls(turn, streaks, deps, signal)
  if (signal.aborted) return { type: 'settle' }
  await deps.hooks.postToolBatch(reply.calls, going, signal)
  if (signal.aborted) return { type: 'settle' }
  if (after.type === 'over') {
    const words = after.words.trim() === '' ? reply.content : after.words
    if (words.trim() !== '') await deps.hooks.postMessage(going.message, words, signal)
    return { type: 'over' }
  }
  const isAgain = streaks.some((streak) => streak > 1)
  fuel.burn(isAgain ? (input.idleCost ?? idleCost) : roundCost)
  going.failed = after.type === 'round' && after.failed ? going.failed + 1 : 0
  if (after.type === 'round' && going.failed >= mostFailed) {
    turn.failure = repeatedToolFailure(after.by, turn.attempts)
    return { type: 'settle' }
  }
  if (!fuel.isGone) return after
  turn.failure = outOfFuelFailure(reply.model, going.rounds, streaks, turn.attempts)
  return { type: 'settle' }
}

/** Words alone end the turn, unless the fallback tool lets the model go on after them. */
async function* handleText(
  turn: ModelTurn,
  going: RunProgressState,
  deps: RunTurnDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, NextAction, void> {
  const { content, model } = turn.reply
  const canEnd = deps.tools.some(({ name }) => name === ('call_user' satisfies FallbackTool))
  if (going.fallback === 'call_user' || !canEnd) return { type: 'settle' }
  going.idle = 0
  going.said = { text: content, times: going.said.text === content ? going.said.times + 1 : 1 }
  if (going.said.times >= mostAlike) return { type: 'settle' }
  const answer = await writeReply(turn, deps, undefined)
  if (answer !== undefined) yield appendedEvent(answer)
  await deps.hooks.postMessage(going.message, content, signal)
  if (signal.aborted) return { type: 'settle' }
  going.fuel.burn(roundCost)
  if (!going.fuel.isGone) return { type: 'round', by: going.fallback, prompt: '' }
  turn.failure = outOfFuelFailure(model, going.rounds, [], turn.attempts)
  return { type: 'settle' }
}
