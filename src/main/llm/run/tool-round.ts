import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { RunEvent } from '../../../shared/model/run/run'
import { anySignal } from '../../async/any-signal'
import type { Tool } from '../../tools/base/tool'
import { returnedCallMetadata } from '../request/returned-fields'
import { readArguments } from '../steps/call-arguments'
import { runCallHooks } from '../steps/call-hooks'
import { replyMetadata } from '../steps/reply'
import { appendedEvent, seconds } from '../steps/run-entries'
import { hookArguments } from '../steps/run-hooks'
import {
  type CallEntryFacts,
  callEntry,
  type NamedCall,
  resultEntry,
  unfinishedCalls,
} from '../steps/tool-entries'
import { type CallResult, type CallToolDeps, callTool, type ToolCall } from './call-tool'
import { eventQueue } from './event-queue'
import { type ModelTurn, type TurnDeps, writeReply } from './model-turn'

interface RoundCall extends ToolCall, NamedCall {
  readonly ends: Tool['ends']
  readonly extra?: JsonObject | undefined
}

/** The next step of a run after a round of calls. */
export type AfterCalls =
  /** The model is asked again, with the results. */
  | { readonly type: 'ask' }
  /** The turn is over, perhaps with a last message of the model. */
  | { readonly type: 'over'; readonly words: string }
  /** The model continues with a turn that begins with this prompt, by a tool of this name. */
  | {
      readonly type: 'round'
      readonly by: string
      readonly prompt: string
      /** The tool failed, and the prompt says why. */
      readonly failed: boolean
    }

/**
 * Writes the model's text before its calls, then the calls, makes them, and writes their results; each is durable
 * before its event. Tools that read or write notes run in parallel; one that writes, or must run alone, waits for
 * those before it, and those after it wait for it.
 *
 * First come all calls and then all results, both in the model's order, with nothing between: chibi 0.9 writes them
 * so, and providers require it. Calls that end the turn, or hand it on, come after them, each as a pair of its own;
 * the last of those decides, as in chibi. One that a plugin blocks counts as an ordinary call.
 *
 * When the signal aborts, calls that have not ended get a result that says so. When an entry cannot be written, the
 * stored calls get a result as far as the disk allows; where it does not, the next run writes it.
 *
 * @throws AppError
 */
export async function* runCalls(
  turn: ModelTurn,
  streaks: readonly number[],
  deps: TurnDeps & CallToolDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, AfterCalls, void> {
  const calls = await nameCalls(turn, streaks, deps, signal)
  yield* writeTextBeforeCalls(turn, deps)
  const ordinary = calls.filter((call) => call.ends === undefined)
  yield* runBatch(turn, ordinary, deps, signal)
  let after: AfterCalls = { type: 'ask' }
  for (const call of calls) {
    if (call.ends === undefined) continue
    const [result] = yield* runBatch(turn, [call], deps, signal)
    const { message } = hookArguments(call)
    after =
      // One that failed has not handed the word to anybody: the model hears why.
      call.ends === 'turn' && result?.failed !== true
        ? { type: 'over', words: typeof message === 'string' ? message : '' }
        : {
            type: 'round',
            by: call.name,
            prompt: result?.text ?? '',
            failed: result?.failed === true,
          }
  }
  return after
}

/** Gives every call an id that no other call of the window has: providers refuse a conversation with two of them. */
async function nameCalls(
  turn: ModelTurn,
  streaks: readonly number[],
  deps: TurnDeps & CallToolDeps,
  signal: AbortSignal,
): Promise<readonly RoundCall[]> {
  const taken = new Set(turn.callIds)
  const named = turn.reply.calls.map(({ id: givenId, name, arguments: text, extra }, index) => {
    // OpenAI takes at most 40 characters.
    const id =
      givenId === undefined || taken.has(givenId)
        ? `call_${deps.newId().replaceAll('-', '')}`
        : givenId
    taken.add(id)
    return { id, name: name || 'unnamed', arguments: text, extra, streak: streaks[index] ?? 1 }
  })
  const calls: RoundCall[] = []
  for (const call of named) {
    const ends = deps.tools.find(({ name }) => name === call.name)?.ends
    const args = readArguments(call.arguments)
    if (ends === undefined || args.type !== 'valid') {
      calls.push({ ...call, ends: undefined, isFlow: false })
      continue
    }
    // How it is stored depends on whether it may be made.
    const gate = await runCallHooks(deps.toolHooks, call.name, args.value, signal)
    const isFlow = gate.type === 'open'
    calls.push({ ...call, gate, isFlow, ends: isFlow ? ends : undefined })
  }
  return calls
}

/** Writes the text before the calls as a message of its own; chibi keeps only the calls. */
async function* writeTextBeforeCalls(
  turn: ModelTurn,
  deps: TurnDeps,
): AsyncGenerator<RunEvent, void, void> {
  if (turn.reply.content.trim() === '' && turn.reply.media.length === 0) {
    await turn.partial?.discard().catch(() => undefined)
    turn.partial = undefined
    return
  }
  const words = await writeReply(turn, deps, undefined)
  if (words !== undefined) yield appendedEvent(words)
}

async function* runBatch(
  turn: ModelTurn,
  calls: readonly RoundCall[],
  deps: TurnDeps & CallToolDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, readonly CallResult[], void> {
  const { writer, clock, newId } = deps
  const given: CallResult[] = []
  const facts = () => ({ id: newId(), context: writer.context, timestamp: seconds(clock) })
  const halt = anySignal([signal])
  try {
    for (const call of calls) {
      const first = firstOf(turn)
      const returnedCall = returnedCallMetadata(call.extra, turn.reply.server)
      const metadata =
        returnedCall || first.metadata ? { ...first.metadata, ...returnedCall } : undefined
      const entry = callEntry(call, { ...facts(), ...first, metadata })
      const row = await writer.append(entry)
      turn.isKept = true
      yield appendedEvent(row)
    }
    const events = eventQueue<RunEvent>()
    const results = startAll(calls, deps, events.tell, halt.signal)
    for (const [index, call] of calls.entries()) {
      const ended = results[index]
      if (ended === undefined) continue // There is one for each.
      yield* events.until(ended)
      const result = await ended
      const { text, metadata } = result
      given.push(result)
      const row = await writer.append(resultEntry(call, text, { ...facts(), metadata }))
      yield appendedEvent(row)
    }
  } catch (error) {
    await giveResults(calls, deps).catch(() => undefined)
    throw error
  } finally {
    halt.release()
  }
  // Only now: a plugin that is slow must not keep a result from the disk.
  for (const [index, call] of calls.entries())
    await notifyToolResult(call, given[index], deps, signal)
  return given
}

/** Calls the hook `post_tool` with the arguments that ran and the output. Never rejects. */
export async function notifyToolResult(
  call: Pick<ToolCall, 'name' | 'arguments'>,
  result: CallResult | undefined,
  { toolHooks: hooks }: Pick<CallToolDeps, 'toolHooks'>,
  signal: AbortSignal,
): Promise<void> {
  if (result === undefined || signal.aborted || !hooks.hears('post_tool')) return
  const { text, output = text, metadata, args = hookArguments(call) } = result
  const cached = metadata?.cached !== undefined
  const data = { tool_name: call.name, arguments: args, result: output, cached }
  await hooks.call('post_tool', data, signal)
}

/**
 * Writes results for the stored calls of a batch: worth a try where a call could be written a moment ago;
 * the first failure ends it. It reads which calls are stored: a write whose sync failed may be there all the same.
 */
async function giveResults(
  calls: readonly RoundCall[],
  { writer, clock, newId }: TurnDeps,
): Promise<void> {
  for (const call of unfinishedCalls(await writer.window('notice'))) {
    if (!calls.some(({ id }) => id === call.id)) continue
    const facts = { id: newId(), context: writer.context, timestamp: seconds(clock) }
    await writer.append(resultEntry(call, unkept, facts))
  }
}

const unkept = 'Error: no result could be written. The call may have been carried out.'

/** Returns the id and the metadata that the answer's first entry gets, which may be a call. */
function firstOf({ isKept, reply }: ModelTurn): Partial<Pick<CallEntryFacts, 'id' | 'metadata'>> {
  return isKept ? {} : { id: reply.id, metadata: replyMetadata(reply) }
}

/** Begins the calls in their order. The promises never reject. */
function startAll(
  calls: readonly RoundCall[],
  deps: CallToolDeps,
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
): readonly Promise<CallResult>[] {
  let before: Promise<unknown> = Promise.resolve()
  let parallel: Promise<unknown>[] = []
  return calls.map((call) => {
    const event = (phase: 'asking' | 'running' | 'ended') =>
      tell({ type: 'tool', callId: call.id, name: call.name, phase })
    const start = async (after: Promise<unknown>) => {
      await after
      // A rejection here is a programming error, or the consent's: the model gets it as a result, and no call is left
      // open.
      const result = await callTool(call, deps, event, signal).catch((error: unknown) => ({
        text: `Error: "${call.name}" failed: ${error instanceof Error ? error.message : error}`,
        failed: true,
      }))
      event('ended')
      return result
    }
    const tool = deps.tools.find(({ name }) => name === call.name)
    if (tool?.effect !== 'writes' && tool?.alone !== true) {
      const ended = start(before)
      parallel.push(ended)
      return ended
    }
    const ended = start(Promise.all([before, ...parallel]))
    before = ended
    parallel = []
    return ended
  })
}
