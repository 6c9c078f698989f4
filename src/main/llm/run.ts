import type { EntryDraft, EntryId } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { Interruption, RunEvent, RunFailure } from '../../shared/model/run'
import type { AppendedEntry, PartialAnswer, TranscriptWriter } from '../store/writer'
import type { Clock } from './clock'
import { type Prompt, toChatMessages } from './messages'
import type { ProviderStream } from './provider'
import { emptyReply, hear, isEmpty, type Reply, replyEntry } from './reply'
import { requestWithRetry } from './retry'
import { failureEntry, saidNothing, storageFailure } from './run-failures'

/** What a run begins with. */
export interface RunInput {
  /** The person's words; without them the model is asked again from the window as it stands. */
  readonly text?: string | undefined
  readonly model: string
  readonly username: string
  readonly prompt: Prompt
}

export interface RunDeps {
  /** Open for the whole run; whoever opened it closes it afterwards. */
  readonly writer: TranscriptWriter
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly newId: () => EntryId
}

/**
 * One turn: writes the person's message, asks the model, tells its answer as it comes and writes that.
 *
 * Entries are durable before they are told: the message before the request begins, the answer before `ended`.
 * Whatever way it ends, the text that came becomes an entry (marked `interrupted` unless it is whole), and a
 * failure becomes a `run_error` entry after it. A stop before any text leaves the message alone. Where an entry
 * cannot be written (full disk, lost lock), the partial file stays, and `ended` alone tells the failure.
 *
 * Take every event; stop by the signal. Leaving the loop early ends the request and leaves the partial file.
 *
 * @throws AppError when the person's message could not be written: then nothing was told or asked
 */
export async function* run(
  input: RunInput,
  deps: RunDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { writer } = deps
  if (input.text !== undefined) {
    const facts = {
      username: input.username,
      context: writer.context,
      timestamp: seconds(deps.clock),
    }
    yield appended(await writer.append(messageEntry(input.text, { ...facts, id: deps.newId() })))
  }

  const halt = haltOn([signal, writer.lost])
  const turn: Turn = {
    reply: emptyReply(deps.newId(), input.model),
    partial: undefined,
    attempts: 0,
    failure: undefined,
  }
  try {
    yield* ask(input, deps, turn, halt.signal)
  } catch (error) {
    if (!(error instanceof AppError)) {
      // A mistake of ours must not cost the text that came; where it cannot be written, the partial file has it.
      await keepReply(turn, deps, 'failed').catch(() => undefined)
      throw error
    }
    turn.failure = storageFailure(error, turn.attempts)
  } finally {
    halt.release()
  }
  yield* settle(turn, deps)
}

/** What a run knows of itself while it goes on. */
interface Turn {
  reply: Reply
  partial: PartialAnswer | undefined
  attempts: number
  failure: RunFailure | undefined
}

async function* ask(
  input: RunInput,
  deps: RunDeps,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { writer, provider, clock } = deps
  const messages = toChatMessages(await writer.window(), input.prompt)
  let seq = 0
  for await (const event of requestWithRetry(
    provider,
    { model: input.model, messages },
    clock,
    signal,
  ))
    switch (event.type) {
      case 'requesting':
        turn.attempts = event.attempt
        yield {
          type: 'requested',
          model: input.model,
          attempt: event.attempt,
          answerId: turn.reply.id,
        }
        break
      case 'retrying':
        yield event
        break
      case 'failed':
        turn.failure = event.failure
        break
      default: {
        const { reply, added } = hear(turn.reply, event)
        turn.reply = reply
        if (added === '' || (event.type !== 'content' && event.type !== 'reasoning')) break
        if (event.type === 'content') {
          turn.partial ??= await writer.startPartial(
            replyEntry({ ...reply, content: '' }, writer.context, seconds(clock), 'crashed'),
          )
          turn.partial.update(reply.content)
        }
        yield { type: 'delta', seq: seq++, kind: event.type, text: added }
      }
    }
}

/** Brings a turn to its end on the disk, and tells it. */
async function* settle(turn: Turn, deps: RunDeps): AsyncGenerator<RunEvent, void, void> {
  const { writer, newId, clock } = deps
  const outcome = outcomeOf(turn, writer)
  try {
    const answer = await keepReply(turn, deps, outcome === 'complete' ? undefined : outcome)
    if (answer !== undefined) yield appended(answer)
    if (turn.failure !== undefined) {
      const entry = failureEntry(turn.failure, newId(), writer.context, seconds(clock))
      yield appended(await writer.append(entry))
    }
    yield ended(outcome, turn.failure)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield ended('failed', unwritten(storageFailure(error, turn.attempts), turn.failure))
  }
}

/** Decides how a turn ended; sets its failure where nothing but the end itself shows one. */
function outcomeOf(turn: Turn, writer: TranscriptWriter): 'complete' | 'stopped' | 'failed' {
  if (turn.failure === undefined && turn.reply.finish !== undefined) {
    if (turn.reply.content.trim() !== '') return 'complete'
    turn.failure = saidNothing(turn.reply, turn.attempts)
  }
  if (turn.failure === undefined && writer.lost.aborted)
    turn.failure = storageFailure(
      new AppError('lock-lost', `Another program took over "${writer.context}".`),
      turn.attempts,
    )
  return turn.failure === undefined ? 'stopped' : 'failed'
}

/** Makes an entry of what came, if anything did; then the partial file has done its work. */
async function keepReply(
  turn: Turn,
  { writer, clock }: RunDeps,
  interrupted: Interruption | undefined,
): Promise<AppendedEntry | undefined> {
  const { reply, partial } = turn
  const kept = isEmpty(reply)
    ? undefined
    : await writer.append(replyEntry(reply, writer.context, seconds(clock), interrupted))
  // A partial that stays is no harm: the next open finds its id in the transcript and drops it.
  await partial?.discard().catch(() => undefined)
  return kept
}

/** The failure to tell when it cannot stand in the transcript: the disk's, and what was to be written. */
function unwritten(storage: RunFailure, before: RunFailure | undefined): RunFailure {
  if (before === undefined || before.kind === 'storage') return storage
  return { ...storage, message: `${storage.message} Before that: ${before.message}` }
}

function appended({ entry }: AppendedEntry): RunEvent {
  return { type: 'appended', row: { type: 'entry', entry } }
}

function ended(
  outcome: 'complete' | 'stopped' | 'failed',
  failure: RunFailure | undefined,
): RunEvent {
  return { type: 'ended', outcome, ...(failure === undefined ? {} : { failure }) }
}

/** A person's words as the entry they become. */
export function messageEntry(
  text: string,
  facts: {
    readonly id: EntryId
    readonly username: string
    readonly context: string
    readonly timestamp: number
  },
): EntryDraft {
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: facts.username,
    to: facts.context,
    content: text,
    entry_type: 'message',
    role: 'user',
  }
}

function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** A signal that aborts with the first of several. (AbortSignal.any is missing in the older runtime.) */
function haltOn(signals: readonly AbortSignal[]): {
  readonly signal: AbortSignal
  release(): void
} {
  const controller = new AbortController()
  const halt = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) halt()
    signal.addEventListener('abort', halt)
  }
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', halt)
      halt() // What is still asked when the loop was left is asked for nobody.
    },
  }
}
