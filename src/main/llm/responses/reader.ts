import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Citation } from '../../../shared/model/conversation/citations'
import type { AnswerMedia } from '../chat/provider'
import type { CallPiece } from '../wire/call-pieces'
import {
  type Chunk,
  type ChunkChoice,
  type ChunkError,
  type ChunkReader,
  failedModelText,
  readChunk,
} from '../wire/chunks'
import { citationsIn } from '../wire/citations'
import { errorIn } from '../wire/errors'
import { parseFinish } from '../wire/finish'
import { countOf, objectOf, textOrUndefined, toList } from '../wire/json-fields'
import { mediaIn } from '../wire/media'
import { usageIn } from '../wire/usage'
import { callAccount } from './calls'
import { openOutputItemKeeper } from './output-items'
import { openTextAccount, type TextPosition } from './text-account'

/** Share of one event in the answer. */
interface Added {
  content?: string
  reasoning?: string
  calls?: readonly CallPiece[]
  media?: readonly AnswerMedia[]
  sound?: ChunkChoice['sound']
  returned?: JsonObject | undefined
  finish?: Exclude<ChunkChoice['finish'], undefined>
  citations?: readonly Citation[]
}

const endings = /^response\.(completed|incomplete|failed|cancelled|done)$/

const nothing: Chunk = { type: 'chunk', citations: [], choices: [] }

/**
 * Reads the events of the Responses API, or a whole response from a server that does not stream, as pieces of an
 * answer.
 *
 * Each text counts once, whether it comes in deltas, with its part, its item, or with the response at its end; where
 * a later event has more of it, the rest counts then. Unknown events are ignored.
 */
export function responsesReader(): ChunkReader {
  const texts = openTextAccount()
  const output = openOutputItemKeeper()
  const calls = callAccount(texts)

  return {
    read(piece, eventName) {
      // A server that answers in the other API all the same.
      if (piece.choices !== undefined) return readChunk(piece)
      const error = errorIn(piece)
      if (error !== undefined) return { type: 'error', ...error, chunk: chunkOfFailure(piece) }
      const type = textOrUndefined(piece.type) ?? eventName
      const response = objectOf(piece.response) ?? (isResponse(piece) ? piece : undefined)
      if (response !== undefined) return responseChunk(response, type)
      // The name of the event says enough.
      if (endings.test(type)) return responseChunk({}, type)
      return chunkOf(eventParts(piece, type))
    },
  }

  /** Reads the part of a failed response that came before its failure. */
  function chunkOfFailure(piece: JsonObject): Chunk {
    const response = objectOf(piece.response) ?? (isResponse(piece) ? piece : undefined)
    const read = response === undefined ? nothing : responseChunk(response, 'response.failed')
    return read.type === 'error' ? read.chunk : read
  }

  /** Reads the whole of a response as far as it is known; it ends the answer unless it is only under way. */
  function responseChunk(response: JsonObject, type: string): Chunk | ChunkError {
    const status = statusOf(response, type)
    const facts = { model: textOrUndefined(response.model), usage: usageIn(response) }
    if (status === 'in-progress') return { ...nothing, ...facts }
    texts.again()
    const items = toList(response.output).map(objectOf)
    const added = joined([
      ...items.map((item, index) => (item === undefined ? {} : itemParts(item, index))),
      // The words alone, as OpenAI's own packages put them at the top.
      { content: texts.once(textOf(response.output_text)) },
    ])
    if (status === 'failed')
      return {
        type: 'error',
        error: objectOf(response.error) ?? { message: failedModelText },
        chunk: { ...chunkOf(added), ...facts },
      }
    const finish = finishOfResponse(response, status, calls.hasBegun())
    return { ...chunkOf({ ...added, finish }), ...facts, isEnd: true }
  }

  function eventParts(event: JsonObject, type: string): Added {
    const place = placeOf(event)
    const name = type.replace(/^response\./, '')
    const delta = typeof event.delta === 'string' ? event.delta : ''
    switch (name) {
      case 'output_text.delta':
      case 'refusal.delta':
        return { content: texts.add('content', place, delta) }
      case 'output_text.done':
      case 'refusal.done':
        return { content: texts.whole('content', place, textOf(event.text ?? event.refusal)) }
      case 'reasoning_summary_text.delta':
      case 'reasoning_summary.delta':
      case 'reasoning_text.delta':
      case 'reasoning.delta':
        return { reasoning: texts.add(kindOf(name), place, delta) }
      case 'reasoning_summary_text.done':
      case 'reasoning_text.done':
        return { reasoning: texts.whole(kindOf(name), place, textOf(event.text)) }
      case 'output_text.annotation.added':
        return { citations: citationsIn({}, { annotations: [event.annotation] }) }
      case 'content_part.done':
        return partParts(objectOf(event.part) ?? {}, place)
      case 'function_call_arguments.delta':
        return { calls: calls.add(place.item, delta) }
      case 'function_call_arguments.done':
        return { calls: calls.done(place.item, event.arguments) }
      case 'output_item.added': {
        const item = objectOf(event.item) ?? {}
        return item.type === 'function_call' ? { calls: calls.begin(item, place.item) } : {}
      }
      case 'output_item.done':
        return itemParts(objectOf(event.item) ?? {}, place.item)
      case 'audio.delta':
      case 'output_audio.delta':
        return { sound: { data: delta, transcript: '', format: undefined } }
      case 'audio.transcript.delta':
      case 'output_audio_transcript.delta':
        return { content: texts.add('content', place, delta) }
      default:
        return {}
    }
  }

  /**
   * Finds where the texts of an event belong: by the numbers of item and part, which are the same in all its events.
   */
  function placeOf(event: JsonObject): TextPosition {
    const part = countOf(event.content_index) ?? countOf(event.summary_index) ?? 0
    const id = textOrUndefined(event.item_id) ?? textOrUndefined(objectOf(event.item)?.id)
    return { item: texts.item(countOf(event.output_index), id), part }
  }

  /** Reads a whole item: the part that has not come out yet. */
  function itemParts(item: JsonObject, index: number): Added {
    const parts = (value: unknown) => toList(value).map((part) => objectOf(part) ?? { text: part })
    const added: Added[] = []
    let length = 0
    if (item.type === 'function_call') {
      added.push({ calls: calls.whole(item, index) })
    } else if (item.type === 'reasoning') {
      parts(item.summary).forEach((part, at) => {
        const place = { item: index, part: at }
        added.push({ reasoning: texts.whole('summary', place, textOf(part.text)) })
      })
      parts(item.content).forEach((part, at) => {
        const place = { item: index, part: at }
        added.push({ reasoning: texts.whole('thoughts', place, textOf(part.text)) })
      })
    } else if (item.type === 'message') {
      parts(item.content).forEach((part, at) => {
        added.push(partParts(part, { item: index, part: at }))
        length += textOf(part.text ?? part.refusal).length
      })
    } else if (item.type === 'image_generation_call') added.push({ media: picture(item) })
    return { ...joined(added), returned: output.take(item, index, length) }
  }

  function partParts(part: JsonObject, place: TextPosition): Added {
    if (/reason|summary|think/.test(textOrUndefined(part.type) ?? '')) return {}
    return {
      content: texts.whole('content', place, textOf(part.text ?? part.refusal)),
      media: mediaIn({ content: [part] }),
      citations: citationsIn({}, { annotations: toList(part.annotations) }),
    }
  }
}

function isResponse({ object, output, status }: JsonObject): boolean {
  return object === 'response' || (Array.isArray(output) && status !== undefined)
}

type Status = 'in-progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** Reads the status from the event's name, or from the response itself. */
function statusOf(response: JsonObject, type: string): Status {
  const word = textOrUndefined(response.status) ?? ''
  const event = type.replace(/^response\./, '')
  for (const name of [event, word])
    if (name === 'completed' || name === 'incomplete' || name === 'failed' || name === 'cancelled')
      // A completed response may say itself that it is not whole.
      return name === 'completed' && word === 'incomplete' ? 'incomplete' : name
  if (event === 'done' || (event === 'response' && Array.isArray(response.output)))
    return 'completed'
  return 'in-progress'
}

function finishOfResponse(response: JsonObject, status: Status, hasCalls: boolean) {
  if (status === 'completed') return { reason: hasCalls ? 'tool-calls' : 'stop' } as const
  const word = textOrUndefined(objectOf(response.incomplete_details)?.reason) ?? status
  const finish = parseFinish(word)
  const isBroken = finish !== undefined && finish !== 'error' && finish.reason !== 'stop'
  return isBroken ? finish : ({ reason: 'broken', word: word.slice(0, 100) } as const)
}

function chunkOf({ citations = [], ...added }: Added): Chunk {
  const { content = '', reasoning = '', calls = [], media = [], sound, returned, finish } = added
  const isEmpty =
    content === '' && reasoning === '' && calls.length === 0 && media.length === 0 && !sound
  if (isEmpty && returned === undefined && finish === undefined)
    return { type: 'chunk', citations, choices: [] }
  const choice = { content, reasoning, calls, media, sound, returned, finish, isWhole: false }
  return { type: 'chunk', citations, choices: [choice] }
}

function joined(all: readonly Added[]): Added {
  const returned = all.flatMap((one) => (one.returned === undefined ? [] : [one.returned]))
  return {
    content: all.map(({ content = '' }) => content).join(''),
    reasoning: all.map(({ reasoning = '' }) => reasoning).join(''),
    calls: all.flatMap(({ calls = [] }) => calls),
    media: all.flatMap(({ media = [] }) => media),
    citations: all.flatMap(({ citations = [] }) => citations),
    returned: returned.length === 0 ? undefined : returnedOf(returned),
  }
}

/** Joins fields that are kept: each has the same one, a list. */
function returnedOf(all: readonly JsonObject[]): JsonObject {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))]
  return Object.fromEntries(names.map((name) => [name, all.flatMap((one) => toList(one[name]))]))
}

function picture(item: JsonObject): readonly AnswerMedia[] {
  const data = textOrUndefined(item.result)
  if (data === undefined) return []
  const isUrl = /^(data:|https?:\/\/)/i.test(data)
  const type = textOrUndefined(item.output_format) ?? 'png'
  return [{ kind: 'image', url: isUrl ? data : `data:image/${type};base64,${data}` }]
}

function kindOf(name: string): 'summary' | 'thoughts' {
  return name.includes('summary') ? 'summary' : 'thoughts'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
