import type { EntryId } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { RunEvent } from '../../shared/model/run'
import type { TranscriptWriter } from '../store/writer'
import type { Tool } from '../tools/tool'
import { type ToolDeps, type ToolLimits, usualToolLimits } from './call-tool'
import type { Clock } from './clock'
import type { AskConsent } from './consent'
import {
  type CallStreaks,
  callStreaks,
  type Fuel,
  fuelOf,
  idleCost,
  roundCost,
  usualFuel,
} from './fuel'
import { haltOn } from './halt'
import type { Prompt } from './messages'
import type { ProviderStream } from './provider'
import { appended, ended, messageEntry, seconds } from './run-entries'
import { outOfFuel, storageFailure } from './run-failures'
import { lostResult, resultEntry, unfinishedCalls } from './tool-entries'
import { runCalls } from './tool-round'
import { ask, keepReply, newTurn, settle, type Turn, type TurnDeps } from './turn'

/** What a run begins with. */
export interface RunInput {
  /** The person's words; without them the model is asked again from the window as it stands. */
  readonly text?: string | undefined
  readonly model: string
  readonly username: string
  readonly prompt: Prompt
  /**
   * How far the model may go on by itself: a round of calls costs 1, one that repeats a call of the round before 15, as
   * does an answer without a word. Absent: 30, chibi's own number. 0: without a limit.
   */
  readonly fuel?: number | undefined
}

export interface RunDeps {
  /** Open for the whole run; whoever opened it closes it afterwards. */
  readonly writer: TranscriptWriter
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly newId: () => EntryId
  /** What the model may call; without it nothing is offered, and calls are not made. */
  readonly tools?: readonly Tool[] | undefined
  /** Asked before a tool that writes; without it such a tool does not run. */
  readonly consent?: AskConsent | undefined
  readonly toolLimits?: Partial<ToolLimits> | undefined
}

/**
 * Writes the person's message, asks the model, tells its answer as it comes and writes that; while the answer has calls,
 * runs them and asks again with their results.
 *
 * Entries are durable before they are told: the message before the request begins, calls before their tools run, the
 * answer before `ended`. Whatever way it ends, the text that came becomes an entry (marked `interrupted` unless it is
 * whole), every call that is stored has a result, and a failure becomes a `run_error` entry after them. A stop before any
 * text leaves the message alone. Where an entry cannot be written (full disk, lost lock), the partial file stays, and
 * `ended` alone tells the failure. Calls that a killed run left without a result get one before the message.
 *
 * Take every event; stop by the signal. Leaving the loop early ends request and tools and leaves the partial file.
 *
 * @throws AppError when the person's message could not be written: then nothing was told or asked
 */
export async function* run(
  input: RunInput,
  deps: RunDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  yield* open(input, deps)
  const halt = haltOn([signal, deps.writer.lost])
  try {
    yield* goOn(input, deps, halt.signal)
  } finally {
    halt.release()
  }
}

/** Everything is on the disk before the first of it is told: whoever takes one event knows that the message is safe. */
async function* open(input: RunInput, deps: RunDeps): AsyncGenerator<RunEvent, void, void> {
  const { writer, newId, clock } = deps
  const facts = () => ({ id: newId(), context: writer.context, timestamp: seconds(clock) })
  const rows: RunEvent[] = []
  const left = deps.tools === undefined ? [] : unfinishedCalls(await writer.window())
  for (const call of left)
    rows.push(appended(await writer.append(resultEntry(call, lostResult, facts()))))
  if (input.text !== undefined) {
    const message = messageEntry(input.text, { ...facts(), username: input.username })
    rows.push(appended(await writer.append(message)))
  }
  yield* rows
}

/** What a run keeps from turn to turn. */
interface Going {
  readonly fuel: Fuel
  readonly streaks: CallStreaks
  /** Answers without a word, one after the other. */
  idle: number
  rounds: number
}

// With fuel for ever, a model that says nothing would be asked for ever.
const mostIdle = 3

async function* goOn(
  input: RunInput,
  deps: RunDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const tools = deps.tools ?? []
  const turnDeps = {
    ...deps,
    tools,
    consent: deps.consent,
    limits: { ...usualToolLimits, ...deps.toolLimits },
  }
  const going: Going = {
    fuel: fuelOf(input.fuel ?? usualFuel),
    streaks: callStreaks(),
    idle: 0,
    rounds: 0,
  }
  let seq = 0
  for (;;) {
    const turn = newTurn(deps.newId(), input.model)
    try {
      yield* ask({ ...input, tools }, deps, turn, () => seq++, signal)
      const next = yield* act(turn, going, turnDeps, signal)
      if (next === 'ask') continue
      if (next === 'over') return yield ended('complete')
    } catch (error) {
      if (!(error instanceof AppError)) {
        // A mistake of ours must not cost the text that came; where it cannot be written, the partial file has it.
        await keepReply(turn, deps, 'failed').catch(() => undefined)
        throw error
      }
      turn.failure = storageFailure(error, turn.attempts)
    }
    return yield* settle(turn, deps)
  }
}

/** Does what a whole answer asks for, and tells how it goes on: `settle` ends the run with the turn as it stands. */
async function* act(
  turn: Turn,
  going: Going,
  deps: TurnDeps & ToolDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, 'ask' | 'over' | 'settle', void> {
  const { reply } = turn
  const { fuel } = going
  if (deps.tools.length === 0 || turn.failure !== undefined || reply.finish === undefined)
    return 'settle'
  if (reply.calls.length > 0) {
    going.idle = 0
    going.rounds++
    const streaks = going.streaks.count(reply.calls)
    const isOver = yield* runCalls(turn, streaks, deps, signal)
    if (signal.aborted) return 'settle'
    if (isOver) return 'over'
    fuel.burn(streaks.some((streak) => streak > 1) ? idleCost : roundCost)
    if (!fuel.isGone) return 'ask'
    turn.failure = outOfFuel(reply.model, going.rounds, streaks, turn.attempts)
    return 'settle'
  }
  if (reply.content.trim() !== '' || signal.aborted) return 'settle'
  fuel.burn(idleCost)
  if (fuel.isGone || ++going.idle >= mostIdle) return 'settle'
  const thoughts = await keepReply(turn, deps, 'failed')
  if (thoughts !== undefined) yield appended(thoughts)
  return 'ask'
}
