import type { RunEvent } from '../../shared/model/run'
import { readArguments } from './call-arguments'
import { type CallResult, callTool, type ToolCall, type ToolDeps } from './call-tool'
import { eventQueue } from './event-queue'
import { haltOn } from './halt'
import { factsOf } from './reply'
import { appended, seconds } from './run-entries'
import { callEntry, type NamedCall, resultEntry } from './tool-entries'
import { keepReply, type Turn, type TurnDeps } from './turn'

interface RoundCall extends ToolCall, NamedCall {
  readonly endsTurn: boolean
}

/**
 * Writes what the model said beside its calls, then the calls, runs them, and writes their results; each is durable
 * when it is told. Tools that read or take notes run side by side; one that writes waits for those before it, and those
 * after it wait for it.
 *
 * First all calls and then all results, both in the model's order, with nothing between: so chibi 0.9 has it, and so
 * providers want it. Calls that end the turn come after them, each as a pair of its own.
 *
 * When the signal aborts, what has not ended gets a result that says so. When an entry cannot be written, the calls that
 * are stored get one as far as the disk allows; where it does not, the next run does it.
 *
 * @returns whether a call ended the turn
 * @throws AppError
 */
export async function* runCalls(
  turn: Turn,
  streaks: readonly number[],
  deps: TurnDeps & ToolDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, boolean, void> {
  const calls = nameCalls(turn, streaks, deps)
  const ordinary = calls.filter((call) => !call.endsTurn)
  const last = calls.filter((call) => call.endsTurn)
  yield* keepWords(turn, deps)
  yield* runBatch(turn, ordinary, deps, signal)
  for (const call of last) yield* runBatch(turn, [call], deps, signal)
  return last.length > 0
}

/** Gives every call an id that no other call of the window has: providers refuse a conversation with two of them. */
function nameCalls(turn: Turn, streaks: readonly number[], deps: TurnDeps & ToolDeps): RoundCall[] {
  const taken = new Set(turn.callIds)
  return turn.reply.calls.map(({ id: told, name, arguments: text }, index) => {
    // OpenAI takes at most 40 characters.
    const id =
      told === undefined || taken.has(told) ? `call_${deps.newId().replaceAll('-', '')}` : told
    taken.add(id)
    const tool = deps.tools.find((one) => one.name === name)
    const endsTurn = tool?.ends === 'turn' && readArguments(text).type === 'valid'
    const streak = streaks[index] ?? 1
    return { id, name: name || 'unnamed', arguments: text, streak, isFlow: endsTurn, endsTurn }
  })
}

/** chibi keeps only the calls; the words before them are a message of their own here. */
async function* keepWords(turn: Turn, deps: TurnDeps): AsyncGenerator<RunEvent, void, void> {
  if (turn.reply.content.trim() === '') {
    await turn.partial?.discard().catch(() => undefined)
    turn.partial = undefined
    return
  }
  const words = await keepReply(turn, deps, undefined)
  if (words !== undefined) yield appended(words)
}

async function* runBatch(
  turn: Turn,
  calls: readonly RoundCall[],
  deps: TurnDeps & ToolDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { writer, clock, newId } = deps
  const facts = () => ({ id: newId(), context: writer.context, timestamp: seconds(clock) })
  const open = new Set<RoundCall>()
  const halt = haltOn([signal])
  try {
    for (const call of calls) {
      const entry = callEntry(call, { ...facts(), ...firstOf(turn) })
      const row = await writer.append(entry)
      turn.isKept = true
      open.add(call)
      yield appended(row)
    }
    const events = eventQueue<RunEvent>()
    const results = startAll(calls, deps, events.tell, halt.signal)
    for (const [index, call] of calls.entries()) {
      const ended = results[index]
      if (ended === undefined) continue // There is one for each.
      yield* events.until(ended)
      const { text, metadata } = await ended
      const row = await writer.append(resultEntry(call, text, { ...facts(), metadata }))
      open.delete(call)
      yield appended(row)
    }
  } catch (error) {
    // A result is worth a try where a call could be written a moment ago; the first that fails is the last.
    const give = async () => {
      for (const call of open) await writer.append(resultEntry(call, unkept, facts()))
    }
    await give().catch(() => undefined)
    throw error
  } finally {
    halt.release()
  }
}

const unkept = 'Error: no result could be written. The call may have been carried out.'

/** The id that was told for the answer, and what is known of it, for its first entry: that may be a call. */
function firstOf({ isKept, reply }: Turn) {
  return isKept ? {} : { id: reply.id, metadata: factsOf(reply) }
}

/** Begins the calls in their order. The promises never reject. */
function startAll(
  calls: readonly RoundCall[],
  deps: ToolDeps,
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
): readonly Promise<CallResult>[] {
  let before: Promise<unknown> = Promise.resolve()
  let beside: Promise<unknown>[] = []
  return calls.map((call) => {
    const event = (phase: 'asking' | 'running' | 'ended') =>
      tell({ type: 'tool', callId: call.id, name: call.name, phase })
    const start = async (after: Promise<unknown>) => {
      await after
      // What rejects here is a mistake of ours, or of who asked a person: the model hears of it, and no call is left open.
      const result = await callTool(call, deps, event, signal).catch((error: unknown) => ({
        text: `Error: "${call.name}" failed: ${error instanceof Error ? error.message : error}`,
      }))
      event('ended')
      return result
    }
    if (deps.tools.find(({ name }) => name === call.name)?.effect !== 'writes') {
      const ended = start(before)
      beside.push(ended)
      return ended
    }
    const ended = start(Promise.all([before, ...beside]))
    before = ended
    beside = []
    return ended
  })
}
