import { AppError } from '../../../shared/model/basics/errors'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Interruption, RunEvent, RunFailure } from '../../../shared/model/run/run'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { Scrub } from '../../settings/base/scrub'
import type { AppendedEntry, PartialAnswer, TranscriptWriter } from '../../store/store'
import type { ToolDefinition } from '../../tools/base/tool'
import { type WireParameters, withoutToolParameters } from '../chat/parameters'
import type { ProviderEvent, ProviderRequest, ProviderStream } from '../chat/provider'
import { type Prompt, toChatMessages } from '../prompt/messages'
import { requestWithRetry } from '../provider/retry'
import { type ReadImage, readEntryImages } from '../request/images'
import { inProtocol, type RequestBody, requestBody } from '../request/request-body'
import { requestMetadata } from '../request/request-metadata'
import { keepAnswerMedia } from '../steps/answer-media'
import type { Fuel } from '../steps/fuel'
import type { KeepFile } from '../steps/keep-file'
import {
  applyEvent,
  emptyReply,
  isCompleteReply,
  isEmpty,
  type Reply,
  replyEntry,
} from '../steps/reply'
import { appendedEvent, endedEvent, seconds } from '../steps/run-entries'
import { emptyAnswerFailure, failureEntry, storageFailure } from '../steps/run-failures'
import type { RunHooks } from '../steps/run-hooks'
import { sentBody } from '../steps/sent-body'
import type { KeepImages } from '../steps/user-message'
import type { Clock } from '../timing/clock'

/** The parts of a turn's request. */
export interface TurnInput {
  readonly model: string
  readonly prompt: Prompt
  readonly tools: readonly ToolDefinition[]
  readonly parameters?: WireParameters | undefined
  /** Host and port of the server that is asked. */
  readonly server?: string | undefined
  readonly protocol?: Protocol | undefined
}

/** Everything that a turn needs of its run. */
export interface TurnDeps {
  readonly writer: TranscriptWriter
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly newId: () => EntryId
  readonly hooks: RunHooks
  readonly readImage?: ReadImage | undefined
  readonly keepImages?: KeepImages | undefined
  readonly keepFile?: KeepFile | undefined
  /** Logs a request before it goes out. Never rejects. */
  readonly logRequest?: ((body: RequestBody) => Promise<void>) | undefined
  /** Takes the key out of what is kept of a request. */
  readonly scrub?: Scrub | undefined
}

/** The state of one request and its answer. Mutable. */
export interface ModelTurn {
  reply: Reply
  partial: PartialAnswer | undefined
  attempts: number
  failure: RunFailure | undefined
  /** The ids that calls in the window have. */
  callIds: readonly string[]
  /** An entry of the reply is on the disk. */
  isKept: boolean
}

/** Returns the state of a turn before its request; `id` is that of the answer's entry. */
export function newModelTurn(id: EntryId, model: string): ModelTurn {
  return {
    reply: emptyReply(id, model),
    partial: undefined,
    attempts: 0,
    failure: undefined,
    callIds: [],
    isKept: false,
  }
}

/**
 * Makes the request of a turn and collects its answer; a provider's failure is set in the turn.
 *
 * @param nextSeq gives the numbers of the deltas
 * @throws AppError when the window cannot be read, or the partial file cannot begin
 */
export async function* requestAnswer(
  input: TurnInput,
  deps: TurnDeps,
  turn: ModelTurn,
  fuel: Fuel,
  nextSeq: () => number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { writer, provider, clock } = deps
  const window = await writer.window('notice')
  turn.callIds = window.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))
  const request = await deps.hooks.preApiRequest(
    requestOf(
      input,
      toChatMessages(
        window,
        input.prompt,
        await readEntryImages(window, deps.readImage),
        input.server,
      ),
    ),
    fuel,
    signal,
  )
  if (!signal.aborted) await deps.logRequest?.(requestBody(request))
  for await (const event of requestWithRetry(provider, request, clock, signal))
    switch (event.type) {
      case 'requesting':
        turn.attempts = event.attempt
        yield {
          type: 'requested',
          model: request.model,
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
        const { reply: heard, added } = applyEvent(turn.reply, event)
        // By now it is known what the server refused; and no entry of the answer is written yet.
        const reply =
          heard.request === undefined && (added !== '' || isLate(event.type))
            ? {
                ...heard,
                request: requestMetadata(sentBody(request, heard), deps.scrub, input.server),
              }
            : heard
        turn.reply = reply
        if (event.type === 'parted') {
          turn.partial?.update(reply.content, reply.reasoning)
          yield { type: 'delta', seq: nextSeq(), kind: 'parted', text: '' }
        }
        if (added === '' || (event.type !== 'content' && event.type !== 'reasoning')) break
        // After a crash nothing of it is lost: a model may think for minutes before its first word.
        const begins = { ...reply, content: '', reasoning: '' }
        turn.partial ??= await writer.startPartial(
          replyEntry(begins, writer.context, seconds(clock), 'crashed'),
        )
        turn.partial.update(reply.content, reply.reasoning)
        yield { type: 'delta', seq: nextSeq(), kind: event.type, text: added }
      }
    }
}

/** Calls and the end come without any words before them as well. */
function isLate(type: ProviderEvent['type']): boolean {
  return type === 'calls' || type === 'finish'
}

function requestOf(
  { model, tools, parameters = {}, protocol }: TurnInput,
  messages: ProviderRequest['messages'],
): ProviderRequest {
  const sent = tools.length === 0 ? withoutToolParameters(parameters) : parameters
  const request = {
    model,
    messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...(Object.keys(sent).length === 0 ? {} : { parameters: sent }),
  }
  return inProtocol(request, protocol)
}

/** Ends a run with this turn: writes its answer and its failure, then yields `ended`. */
export async function* finishTurn(
  turn: ModelTurn,
  deps: TurnDeps,
): AsyncGenerator<RunEvent, void, void> {
  const { writer, newId, clock } = deps
  const outcome = outcomeOf(turn, writer)
  try {
    const answer = await writeReply(turn, deps, outcome === 'complete' ? undefined : outcome)
    if (answer !== undefined) yield appendedEvent(answer)
    if (turn.failure !== undefined) {
      const entry = failureEntry(turn.failure, newId(), writer.context, seconds(clock))
      yield appendedEvent(await writer.append(entry))
    }
    yield endedEvent(outcome, turn.failure, outcome === 'complete' && !isCompleteReply(turn.reply))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield endedEvent('failed', unwritten(storageFailure(error, turn.attempts), turn.failure))
  }
}

/** Decides how a turn ended; sets its failure where nothing but the end itself shows one. */
function outcomeOf(turn: ModelTurn, writer: TranscriptWriter): 'complete' | 'stopped' | 'failed' {
  if (turn.failure === undefined && !turn.isKept && turn.reply.finish !== undefined) {
    if (turn.reply.content.trim() !== '' || turn.reply.media.length > 0) return 'complete'
    turn.failure = emptyAnswerFailure(turn.reply, turn.attempts)
  }
  if (turn.failure === undefined && writer.lost.aborted)
    turn.failure = storageFailure(
      new AppError('lock-lost', `Another program took over "${writer.context}".`),
      turn.attempts,
    )
  return turn.failure === undefined ? 'stopped' : 'failed'
}

/**
 * Writes the reply's entry, where there is anything to keep and none was written, then discards the partial file.
 * Resolves to the entry, or to undefined.
 */
export async function writeReply(
  turn: ModelTurn,
  { writer, clock, keepImages, keepFile }: TurnDeps,
  interrupted: Interruption | undefined,
): Promise<AppendedEntry | undefined> {
  const { reply, partial } = turn
  // A write whose sync failed may be there all the same; a second entry of its id must not be.
  if (!turn.isKept && turn.failure?.kind === 'storage')
    turn.isKept = (await writer.window('notice')).some(({ id }) => id === reply.id)
  const isWritten = turn.isKept || isEmpty(reply)
  // On the disk before the entry that names them.
  const media = isWritten ? {} : await keepAnswerMedia(reply.media, keepImages, keepFile)
  const kept = isWritten
    ? undefined
    : await writer.append(replyEntry(reply, writer.context, seconds(clock), interrupted, media))
  if (kept !== undefined) turn.isKept = true
  // A partial that stays is no harm: the next open finds its id in the transcript and drops it.
  await partial?.discard().catch(() => undefined)
  turn.partial = undefined
  return kept
}

/** Returns the failure of an end that cannot be written: the disk's, and the one before it. */
function unwritten(storage: RunFailure, before: RunFailure | undefined): RunFailure {
  if (before === undefined || before.kind === 'storage') return storage
  return { ...storage, message: `${storage.message} Before that: ${before.message}` }
}
