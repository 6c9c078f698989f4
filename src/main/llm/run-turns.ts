import { AppError } from '../../shared/model/errors'
import type { RunEvent } from '../../shared/model/run'
import type { Tool } from '../tools/tool'
import type { ToolDeps } from './call-tool'
import type { AutomaticCompaction } from './compaction/automatic'
import { type CallStreaks, callStreaks, fuelOf, idleCost, roundCost, usualFuel } from './fuel'
import type { Prompt } from './messages'
import { appended, ended } from './run-entries'
import { keptFailing, outOfFuel, storageFailure } from './run-failures'
import type { FallbackTool, Steering } from './run-hooks'
import type { RunInput } from './run-input'
import { asFallback } from './run-tools'
import { type SayDeps, say } from './said'
import { runCalls } from './tool-round'
import { ask, keepReply, newTurn, settle, type Turn, type TurnDeps } from './turn'

type RunTurnDeps = TurnDeps &
  ToolDeps &
  SayDeps & { readonly compaction?: AutomaticCompaction | undefined }

/** What a run keeps from request to request. */
interface Going extends Steering {
  readonly streaks: CallStreaks
  /** Answers without a word, one after the other. */
  idle: number
  /** Tools that should have ended a turn and failed, one after the other. */
  failed: number
  rounds: number
  /** The last answer of words alone, and how often it came in a row. */
  said: { readonly text: string; readonly times: number }
  /** What the requests of this turn have in common; undefined where a turn begins. */
  shared: Shared | undefined
  /** What the turn begins with. */
  message: string
}

/** What holds for a turn: from a message to the answer that ends it or hands it on. */
interface Shared {
  readonly prompt: Prompt
  readonly tools: readonly Tool[]
}

/** What comes after an answer. `settle` ends the run with it as it stands. */
type Next =
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
export async function* goOn(
  input: RunInput,
  deps: RunTurnDeps,
  message: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const fallback = input.fallback ?? 'call_user'
  const going: Going = {
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
    const turn = newTurn(deps.newId(), input.model)
    try {
      going.shared ??= await beginTurn(input, deps, going, signal)
      going.shared = yield* withRoom(going.shared, input, deps, signal)
      const { tools, prompt } = going.shared
      const { model, parameters, server, protocol } = input
      const turnInput = { model, parameters, prompt, tools, server, protocol }
      yield* ask(turnInput, deps, turn, going.fuel, () => seq++, signal)
      const next = yield* act(turn, going, { ...deps, tools }, input, signal)
      if (next.type === 'ask') continue
      if (next.type === 'over') return yield ended('complete')
      if (next.type === 'round') {
        const words = { text: reengaged(next, going), from: deps.writer.context }
        const metadata = { continued_by: next.by }
        const { row, prompt: text } = await say({ ...words, metadata }, deps, signal)
        yield appended(row)
        Object.assign(going, { message: text, shared: undefined, fallback })
        continue
      }
    } catch (error) {
      if (!(error instanceof AppError)) {
        // A mistake of ours must not cost the text that came; where it cannot be written, the partial file has it.
        await keepReply(turn, deps, 'failed').catch(() => undefined)
        throw error
      }
      turn.failure = storageFailure(error, turn.attempts)
    }
    const isAnswer = turn.failure === undefined && turn.reply.finish !== undefined && !turn.isKept
    const events = settle(turn, deps)
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
  going: Going,
  signal: AbortSignal,
): Promise<Shared> {
  const prompt = 'build' in input.prompt ? await input.prompt.build(signal) : input.prompt
  const told = deps.tools.map((tool) => (tool.name === going.fallback ? asFallback(tool) : tool))
  const tools = await deps.hooks.preApiTools(told, going.fuel, signal)
  await deps.hooks.preAgenticLoop(going.message, going, signal)
  going.isFirstTurn = false
  return { prompt, tools }
}

/** Makes room in the window before a request, where it has to be made. */
async function* withRoom(
  { prompt, tools }: Shared,
  { model, parameters, protocol }: RunInput,
  { writer, provider, clock, logRequest, compaction }: RunTurnDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Shared, void> {
  if (compaction === undefined) return { prompt, tools }
  const condenser = { provider, clock, model, parameters, protocol, logRequest }
  return { tools, prompt: yield* compaction.before({ writer, condenser, prompt, tools }, signal) }
}

/** chibi's words before a prompt that the model gave itself. */
function reengaged(
  { by, prompt }: { readonly by: string; readonly prompt: string },
  { fuel }: Going,
): string {
  const left = fuel.total === undefined ? '' : ` (fuel: ${fuel.left}/${fuel.total})`
  return `[reengaged${left} via ${by}. call_user(<message>) to end turn.]\n${prompt}`
}

/** Does what a whole answer asks for, and tells how it goes on. */
async function* act(
  turn: Turn,
  going: Going,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Next, void> {
  const { reply } = turn
  if (deps.tools.length === 0 || turn.failure !== undefined || reply.finish === undefined)
    return { type: 'settle' }
  if (reply.calls.length > 0) return yield* actOnCalls(turn, going, deps, input, signal)
  if (signal.aborted) return { type: 'settle' }
  const says = reply.content.trim() !== '' || reply.media.length > 0
  if (says) return yield* actOnWords(turn, going, deps, signal)
  going.fuel.burn(input.idleCost ?? idleCost)
  if (going.fuel.isGone || ++going.idle >= mostIdle) return { type: 'settle' }
  const thoughts = await keepReply(turn, deps, 'failed')
  if (thoughts !== undefined) yield appended(thoughts)
  return { type: 'ask' }
}

async function* actOnCalls(
  turn: Turn,
  going: Going,
  deps: RunTurnDeps,
  input: RunInput,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Next, void> {
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
    turn.failure = keptFailing(after.by, turn.attempts)
    return { type: 'settle' }
  }
  if (!fuel.isGone) return after
  turn.failure = outOfFuel(reply.model, going.rounds, streaks, turn.attempts)
  return { type: 'settle' }
}

/** Words alone end the turn, unless the fallback tool lets the model go on after them. */
async function* actOnWords(
  turn: Turn,
  going: Going,
  deps: RunTurnDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Next, void> {
  const { content, model } = turn.reply
  const canEnd = deps.tools.some(({ name }) => name === ('call_user' satisfies FallbackTool))
  if (going.fallback === 'call_user' || !canEnd) return { type: 'settle' }
  going.idle = 0
  going.said = { text: content, times: going.said.text === content ? going.said.times + 1 : 1 }
  if (going.said.times >= mostAlike) return { type: 'settle' }
  const answer = await keepReply(turn, deps, undefined)
  if (answer !== undefined) yield appended(answer)
  await deps.hooks.postMessage(going.message, content, signal)
  if (signal.aborted) return { type: 'settle' }
  going.fuel.burn(roundCost)
  if (!going.fuel.isGone) return { type: 'round', by: going.fallback, prompt: '' }
  turn.failure = outOfFuel(model, going.rounds, [], turn.attempts)
  return { type: 'settle' }
}
