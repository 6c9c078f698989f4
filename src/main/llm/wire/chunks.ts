import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Citation } from '../../../shared/model/conversation/citations'
import type { AnswerMedia, Usage } from '../chat/provider'
import type { CallPiece } from './call-pieces'
import { citationsIn, joinedCitations } from './citations'
import { errorIn } from './errors'
import { type Finish, parseFinish } from './finish'
import { countOf, integerOf, objectOf, textOrUndefined, toList } from './json-fields'
import { mediaIn, soundIn } from './media'
import { type MessageText, readMessageText } from './message-text'
import { extraCallFields, returnedIn } from './returned'
import { usageIn } from './usage'

/** What one piece of an answer holds. */
export interface Chunk {
  readonly type: 'chunk'
  readonly model?: string | undefined
  readonly usage?: Usage | undefined
  readonly citations: readonly Citation[]
  /** Nothing comes behind it: its server says so by more than a finish reason. */
  readonly isEnd?: true
  /** Of the one answer that is asked for: its delta, and a message or a text beside it; none where it has no choice. */
  readonly choices: readonly ChunkChoice[]
}

export interface ChunkChoice extends MessageText {
  /** A whole message, which some servers send once more behind its pieces. */
  readonly isWhole: boolean
  readonly calls: readonly CallPiece[]
  readonly media: readonly AnswerMedia[]
  readonly sound: ReturnType<typeof soundIn>
  /** Fields that have to come back with the answer. */
  readonly returned: JsonObject | undefined
  readonly finish: Finish | undefined
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
  /** Content of the piece beside it: the last words, the token counts. */
  readonly beside: Chunk
}

/** Makes a reader of chat completions. The answer is the choice whose number comes first: some servers count from 1. */
export function chatReader(): ChunkReader {
  let number: number | undefined
  return {
    read(piece) {
      number ??= numbersOf(piece)[0]
      return readChunk(piece, number)
    },
  }
}

/**
 * Reads one piece of an answer: a `chat.completion.chunk`, or a whole `chat.completion` from a server that does not
 * stream. Tolerant: what has another shape than expected is as if it were not there. Objects without `choices` hold no
 * text: proxies send pings and filter results between the chunks.
 *
 * @param number of the choice that is the answer
 */
export function readChunk(piece: JsonObject, number = 0): Chunk | ChunkError {
  const told = choicesOf(piece)
  const own = told.find((one) => numberOf(one) === number)
  const finish = parseFinish(own?.finish_reason)
  const said = own === undefined ? [] : saidIn(own)
  const messages = [...said, ...(own === undefined ? [] : callsApart(said, told, own))]
  const chunk: Chunk = {
    type: 'chunk',
    model: textOrUndefined(piece.model),
    usage: usageIn(piece),
    citations: joinedCitations(
      citationsIn(piece, undefined),
      messages.flatMap(({ fields }) => citationsIn({}, fields)),
    ),
    choices: messages.map(({ fields, isWhole }) => ({
      ...choiceOf(fields),
      isWhole,
      finish: finish === 'error' ? undefined : finish,
    })),
  }
  const found = errorIn(piece)
  if (found !== undefined) return { type: 'error', ...found, beside: chunk }
  // OpenRouter's sign that the model behind it failed; the words stand in `error`, or nowhere.
  if (finish === 'error')
    return { type: 'error', error: { message: failedModelText }, beside: chunk }
  return chunk
}

/** Words for a model that failed and said no more. */
export const failedModelText = 'The model ended its answer with an error.'

interface Said {
  readonly fields: JsonObject
  readonly isWhole: boolean
}

/**
 * The messages of a choice: `delta`, a `message` that may stand beside it, and bare text, as completions had it before
 * there was chat.
 */
function saidIn(choice: JsonObject): readonly Said[] {
  const said = [
    { told: choice.delta, isWhole: false },
    { told: choice.message, isWhole: true },
    { told: choice.text, isWhole: true },
  ].flatMap(({ told, isWhole }) => {
    const fields = objectOf(told) ?? (typeof told === 'string' ? { content: told } : undefined)
    return fields === undefined ? [] : [{ fields, isWhole }]
  })
  return said.length > 0 ? said : [{ fields: {}, isWhole: true }]
}

/** Finds calls that stand in a message of their own beside the words, as GitHub Copilot sends Claude's. */
function callsApart(
  said: readonly Said[],
  told: readonly JsonObject[],
  own: JsonObject,
): readonly Said[] {
  if (said.some(({ fields }) => toList(fields.tool_calls).length > 0)) return []
  return told
    .filter((one) => one !== own)
    .flatMap((one) => {
      const fields = objectOf(one.message)
      const isApart = fields !== undefined && readMessageText(fields).content.trim() === ''
      const calls = isApart ? toList(fields.tool_calls) : []
      return calls.length === 0 ? [] : [{ fields: { tool_calls: calls }, isWhole: true }]
    })
}

function numbersOf(piece: JsonObject): readonly number[] {
  return choicesOf(piece)
    .map(numberOf)
    .sort((a, b) => a - b)
}

function choicesOf(piece: JsonObject): readonly JsonObject[] {
  return toList(piece.choices)
    .map(objectOf)
    .filter((one) => one !== undefined)
}

function numberOf(choice: JsonObject): number {
  return countOf(choice.index) ?? 0
}

function choiceOf(said: JsonObject): Omit<ChunkChoice, 'isWhole' | 'finish'> {
  const calls = toList(said.tool_calls).map(objectOf)
  return {
    ...readMessageText(said),
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
  const index = integerOf(call.index)
  const extra = asked === call ? undefined : extraCallFields(call)
  return {
    ...(index === undefined ? {} : { index }),
    id: typeof call.id === 'number' ? String(call.id) : (textOrUndefined(call.id) ?? ''),
    name: textOrUndefined(asked?.name) ?? '',
    arguments: argumentsText(asked?.arguments),
    ...(extra === undefined ? {} : { extra }),
  }
}

/** Reads the arguments of a call, which come as JSON in a string; some servers send the object itself. */
export function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
