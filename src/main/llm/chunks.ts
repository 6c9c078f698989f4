import type { Citation } from '../../shared/model/citations'
import type { JsonObject } from '../../shared/model/json-object'
import type { CallPiece } from './call-pieces'
import type { Usage } from './provider'
import { citationsIn } from './wire/citations'
import { errorIn } from './wire/errors'
import { finishOf, type ToldFinish } from './wire/finish'
import { countOf, listOf, objectOf, wordsOf } from './wire/json'
import { type AnswerMedia, mediaIn, soundIn } from './wire/media'
import { besideCall, returnedIn } from './wire/returned'
import { type SaidText, saidText } from './wire/said'
import { usageIn } from './wire/usage'

/** What one piece of an answer holds. */
export interface Chunk {
  readonly type: 'chunk'
  readonly model?: string | undefined
  readonly usage?: Usage | undefined
  readonly citations: readonly Citation[]
  /** Nothing comes behind it: its server says so by more than a finish reason. */
  readonly isEnd?: true
  /** Of the one answer that is asked for; undefined where the piece has no choice, or another's. */
  readonly choice?: ChunkChoice | undefined
}

export interface ChunkChoice extends SaidText {
  /** A whole message, which some servers send once more behind its pieces. */
  readonly isWhole: boolean
  readonly calls: readonly CallPiece[]
  readonly media: readonly AnswerMedia[]
  readonly sound: ReturnType<typeof soundIn>
  /** Fields that have to come back with the answer. */
  readonly returned: JsonObject | undefined
  readonly finish: Exclude<ToldFinish, 'error'>
}

/** Reads the pieces of one answer, one after the other. */
export interface ChunkReader {
  /** @param eventName of the event that it came with; '' where it has none */
  read(piece: JsonObject, eventName: string): Chunk | ChunkError
}

/** An error that a piece tells, in OpenAI's shape. */
export interface ChunkError {
  readonly type: 'error'
  readonly error: JsonObject
}

/** Reads chat completions: each piece stands for itself. */
export const chatReader: ChunkReader = { read: (piece) => readChunk(piece) }

/**
 * Reads one piece of an answer: a `chat.completion.chunk`, or a whole `chat.completion` from a server that does not
 * stream. Tolerant: what has another shape than expected is as if it were not there. Objects without `choices` hold no
 * text: proxies send pings and filter results between the chunks.
 */
export function readChunk(piece: JsonObject): Chunk | ChunkError {
  const found = errorIn(piece)
  if (found !== undefined) return { type: 'error', ...found }
  // One answer is asked for.
  const told = listOf(piece.choices).map(objectOf)
  const own = told.find((one) => one !== undefined && (countOf(one.index) ?? 0) === 0)
  const finish = finishOf(own?.finish_reason)
  // OpenRouter's sign that the model behind it failed; the words stand in `error`, or nowhere.
  if (finish === 'error')
    return { type: 'error', error: { message: 'The model ended its answer with an error.' } }
  const said = own === undefined ? undefined : saidIn(own)
  return {
    type: 'chunk',
    model: wordsOf(piece.model),
    usage: usageIn(piece),
    citations: citationsIn(piece, said),
    choice: said && { ...choiceOf(said), isWhole: !isDelta(own), finish },
  }
}

function isDelta(choice: JsonObject | undefined): boolean {
  return choice?.delta !== undefined && choice.delta !== null
}

/** The message of a choice: `delta`, `message`, or bare text, as completions had it before there was chat. */
function saidIn(choice: JsonObject): JsonObject {
  const told = choice.delta ?? choice.message ?? choice.text
  return objectOf(told) ?? (typeof told === 'string' ? { content: told } : {})
}

function choiceOf(said: JsonObject): Omit<ChunkChoice, 'isWhole' | 'finish'> {
  const calls = listOf(said.tool_calls).map(objectOf)
  return {
    ...saidText(said),
    calls: [
      ...calls.flatMap((call) => (call === undefined ? [] : [callPiece(call)])),
      // OpenAI's form before there were several at once.
      ...(objectOf(said.function_call)
        ? [callPiece({ index: 0, function: said.function_call })]
        : []),
    ],
    media: mediaIn(said),
    sound: soundIn(said),
    returned: returnedIn(said),
  }
}

function callPiece(call: JsonObject): CallPiece {
  const asked = objectOf(call.function) ?? (typeof call.name === 'string' ? call : undefined)
  const index = countOf(call.index)
  const extra = asked === call ? undefined : besideCall(call)
  return {
    ...(index === undefined ? {} : { index }),
    id: typeof call.id === 'number' ? String(call.id) : (wordsOf(call.id) ?? ''),
    name: wordsOf(asked?.name) ?? '',
    arguments: argumentsText(asked?.arguments),
    ...(extra === undefined ? {} : { extra }),
  }
}

/** Arguments come as JSON in a string; some servers send the object itself. */
function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
