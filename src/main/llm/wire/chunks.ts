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

/** The content of one piece of an answer. */
export interface Chunk {
  readonly type: 'chunk'
  readonly model?: string | undefined
  readonly usage?: Usage | undefined
  readonly citations: readonly Citation[]
  /** Nothing comes behind it: its server says so by more than a finish reason. */
  readonly isEnd?: true
  /**
   * The parts of the one answer that is requested: its delta, and a message or a text next to it; none without a
   * choice.
   */
  readonly choices: readonly ChunkChoice[]
}

/** The share of one choice in a piece of an answer. */
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

/** Reader of the pieces of one answer, one after the other. */
export interface ChunkReader {
  /** @param eventName of the event that it came with; '' where it has none */
  read(piece: JsonObject, eventName: string): Chunk | ChunkError
}

/** An error in a piece of an answer, in OpenAI's shape. */
export interface ChunkError {
  readonly type: 'error'
  readonly error: JsonObject
  /** The rest of the piece: the last text, the token counts. */
  readonly chunk: Chunk
}

/**
 * Returns a reader of chat completions. The answer is the choice with the lowest number: some servers count from 1.
 */
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
 * stream. Tolerant: a field of an unexpected shape counts as absent. Objects without `choices` hold no text: proxies
 * send pings and filter results between the chunks.
 *
 * @param number of the choice that is the answer
 */
export function readChunk(piece: JsonObject, number = 0): Chunk | ChunkError {
  const choices = choicesOf(piece)
  const own = choices.find((one) => numberOf(one) === number)
  const finish = parseFinish(own?.finish_reason)
  const ownMessages = own === undefined ? [] : messagesIn(own)
  const messages = [
    ...ownMessages,
    ...(own === undefined ? [] : callsApart(ownMessages, choices, own)),
  ]
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
  if (found !== undefined) return { type: 'error', ...found, chunk }
  // OpenRouter's sign that the model behind it failed; the message is in `error`, or nowhere.
  if (finish === 'error') return { type: 'error', error: { message: failedModelText }, chunk }
  return chunk
}

/** The message for a model that failed without a reason. */
export const failedModelText = 'The model ended its answer with an error.'

interface ChoiceMessage {
  readonly fields: JsonObject
  readonly isWhole: boolean
}

/**
 * Reads the messages of a choice: `delta`, a `message` that may come with it, and bare text, as completions had it
 * before there was chat.
 */
function messagesIn(choice: JsonObject): readonly ChoiceMessage[] {
  const messages = [
    { value: choice.delta, isWhole: false },
    { value: choice.message, isWhole: true },
    { value: choice.text, isWhole: true },
  ].flatMap(({ value, isWhole }) => {
    const fields = objectOf(value) ?? (typeof value === 'string' ? { content: value } : undefined)
    return fields === undefined ? [] : [{ fields, isWhole }]
  })
  return messages.length > 0 ? messages : [{ fields: {}, isWhole: true }]
}

/** Finds calls in a message of their own next to the text, as GitHub Copilot sends Claude's. */
function callsApart(
  ownMessages: readonly ChoiceMessage[],
  choices: readonly JsonObject[],
  own: JsonObject,
): readonly ChoiceMessage[] {
  if (ownMessages.some(({ fields }) => toList(fields.tool_calls).length > 0)) return []
  return choices
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

function choiceOf(message: JsonObject): Omit<ChunkChoice, 'isWhole' | 'finish'> {
  const calls = toList(message.tool_calls).map(objectOf)
  return {
    ...readMessageText(message),
    calls: [
      ...calls.flatMap((call) => (call === undefined ? [] : [callPiece(call)])),
      // OpenAI's form before there were several at once.
      ...(objectOf(message.function_call)
        ? [callPiece({ index: 0, function: message.function_call })]
        : []),
    ],
    media: mediaIn(message),
    sound: soundIn(message),
    returned: returnedIn(message),
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
