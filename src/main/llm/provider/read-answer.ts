import type { JsonObject } from '../../../shared/model/basics/json-object'
import { ProviderError, type ProviderEvent } from '../chat/provider'
import { callAssembler } from '../wire/call-pieces'
import { type Chunk, type ChunkChoice, type ChunkReader, chatReader } from '../wire/chunks'
import { joinedCitations } from '../wire/citations'
import { copyReader, saysSomething } from '../wire/copy-reader'
import { errorOfEvent, type FoundError } from '../wire/errors'
import type { Finish } from '../wire/finish'
import { objectOf, parsedJson } from '../wire/json-fields'
import { mediaCollector } from '../wire/media-collector'
import { canBeKept, joinReturned } from '../wire/returned'
import type { SseEvent } from '../wire/sse'
import { type TextRun, thinkTags } from '../wire/think-tags'
import { unopenedThoughts } from '../wire/unopened-thoughts'
import { type RequestTarget, streamedRefusalError } from './failures'
import {
  cutOffError,
  malformedAnswerError,
  notAnAnswerError,
  tooLongAnswerError,
} from './network-failures'
import type { ResponseBody } from './response-body'
import type { StreamLimits } from './stream-limits'

/**
 * Reads the body of a 200 as an answer.
 *
 * The answer is whole when the stream ends, or goes silent, behind a finish reason or `[DONE]`. Text behind a finish
 * reason shows that the answer had not ended; an error behind it counts, and so does a connection that breaks before
 * `[DONE]`. One JSON document, from a server that does not stream, is read as well.
 *
 * @throws ProviderError
 */
export async function* readAnswer(
  body: ResponseBody,
  asked: RequestTarget,
  limits: StreamLimits,
  reader: ChunkReader = chatReader(),
): AsyncGenerator<ProviderEvent, void, void> {
  const reading = new Reading(asked, limits, reader)
  try {
    for await (const piece of body.pieces()) {
      yield* reading.take(piece, body)
      body.mayEndIn(reading.waitForEndMs)
    }
  } catch (error) {
    const failure = error instanceof ProviderError ? error : cutOffError(asked, error)
    // Behind the end nothing is lost when the connection breaks.
    if (failure === error || !reading.isDone) {
      yield* reading.rest()
      throw failure
    }
  }
  yield* reading.end(body)
}

/** The state of an answer while its pieces come. */
class Reading {
  private readonly asked: RequestTarget
  private readonly limits: StreamLimits
  private readonly reader: ChunkReader
  private readonly calls = callAssembler()
  private readonly media = mediaCollector()
  private readonly tags = thinkTags()
  private readonly unopened = unopenedThoughts()
  private readonly copies = copyReader()
  private finish: Finish | undefined
  /** Finish reasons that came with text: such a server may send one with each piece. */
  private finishesWithText = 0
  private model: string | undefined
  private citations: Chunk['citations'] = []
  private thoughtsIn: string | undefined
  private returned: JsonObject | undefined
  private bytes = 0
  private chunks = 0
  /** `[DONE]` came, or an event that says as much. */
  isDone = false
  /** The last text of the stream that was no chunk: perhaps the reason why no more came. */
  private aside = ''

  constructor(asked: RequestTarget, limits: StreamLimits, reader: ChunkReader) {
    this.asked = asked
    this.limits = limits
    this.reader = reader
  }

  /** The ms of silence that end the answer well; undefined while it must continue. */
  get waitForEndMs(): number | undefined {
    if (this.isDone) return this.limits.doneMs
    if (this.finish === undefined || this.finishesWithText > 1) return undefined
    return this.finishesWithText === 1 ? this.limits.silenceMs : this.limits.tailMs
  }

  *take(piece: SseEvent, body: ResponseBody): Generator<ProviderEvent, void, void> {
    if (body.form() === 'page') throw notAnAnswerError(piece.data, this.asked)
    if (body.form() === 'document') return yield* this.takeDocument(piece.data)
    yield* this.takeEvent(piece)
  }

  private *takeEvent({ data, name }: SseEvent): Generator<ProviderEvent, void, void> {
    const text = data.trim()
    if (text.startsWith('[DONE]')) {
      this.isDone = true
      this.finish ??= { reason: 'stop' }
      return
    }
    const value = parsedJson(text)
    if (/error/i.test(name)) throw this.refused(errorOfEvent(value, text))
    const pieces = (Array.isArray(value) ? value : [value]).map(objectOf)
    if (pieces.every((one) => one === undefined)) {
      this.takeAside(text, name)
      return
    }
    for (const one of pieces) if (one !== undefined) yield* this.takeChunk(one, name)
  }

  /** Heartbeats, and words that a proxy puts between the chunks; a chunk that cannot be read is none of them. */
  private takeAside(text: string, name: string): void {
    const isOwn =
      /^(|message|data|delta|chunk|completion|chat\.completion(\.chunk)?|response\..*)$/.test(name)
    const isTorn = isOwn && /^[{[]/.test(text) && !'[DONE]'.startsWith(text)
    if (!isTorn) {
      if (text !== '' && text !== 'null') this.aside = text
      return
    }
    // The connection may break in the first piece as well: that says nothing against the address.
    const isPiece =
      this.chunks > 0 || /^\[?\{\s*"(id|object|choices|model|created|type|provider)"/.test(text)
    throw isPiece
      ? malformedAnswerError(text, this.asked, this.chunks === 0)
      : notAnAnswerError(text, this.asked)
  }

  /** A document may have `[DONE]` behind it, or be a line for each chunk. */
  private *takeDocument(text: string): Generator<ProviderEvent, void, void> {
    const plain = text.trim()
    const value = parsedJson(plain) ?? parsedJson(plain.replace(/(\s|data:|\[DONE\])+$/, ''))
    const values = value === undefined ? linesOf(plain) : Array.isArray(value) ? value : [value]
    if (values === undefined || values.length === 0)
      throw /^\{[\s\S]*"(choices|model)"/.test(plain)
        ? cutOffError(this.asked)
        : notAnAnswerError(text, this.asked)
    const pieces = values.map(objectOf)
    for (const piece of pieces) {
      const isAnswer = piece !== undefined && (yield* this.takeChunk(piece, ''))
      if (!isAnswer) throw notAnAnswerError(text, this.asked)
    }
    this.isDone = true
    this.finish ??= { reason: 'stop' }
  }

  /** Tells whether it was a piece of an answer. */
  private *takeChunk(piece: JsonObject, name: string) {
    const read = this.reader.read(piece, name)
    if (read.type === 'error') {
      // A refusal alone must be heard before anything else: the request may be made again, otherwise.
      if (this.chunks > 0 || read.chunk.choices.some(saysSomething)) yield* this.hear(read.chunk)
      throw this.refused(read)
    }
    const { model, usage, choices } = read
    const isAnswer = choices.length > 0 || usage !== undefined || model !== undefined
    if (isAnswer) this.chunks++
    yield* this.hear(read)
    if (read.isEnd === true) this.isDone = true
    return isAnswer
  }

  private *hear({ model, usage, ...chunk }: Chunk): Generator<ProviderEvent, void, void> {
    if (model !== undefined && model !== this.model) {
      this.model = model
      yield { type: 'model', model }
    }
    if (usage !== undefined) yield { type: 'usage', usage }
    const citations = joinedCitations(this.citations, chunk.citations)
    if (citations.length > this.citations.length) {
      this.citations = citations
      yield { type: 'citations', citations }
    }
    for (const choice of chunk.choices) yield* this.takeChoice(choice)
  }

  private *takeChoice(received: ChunkChoice): Generator<ProviderEvent, void, void> {
    const choice = this.copies.fresh(received)
    const hasWords = choice.content !== '' || choice.calls.length > 0
    // Words behind a finish reason show that it was none, but not behind [DONE], nor in the whole message again.
    const continues = hasWords || choice.reasoning !== ''
    if (continues && !this.isDone && choice === received) this.finish = undefined
    this.count(choice)
    yield* this.tell(choice)
    if (choice.finish === undefined) return
    if (hasWords && !choice.isWhole) this.finishesWithText++
    this.finish = choice.finish
  }

  private *tell(choice: ChunkChoice): Generator<ProviderEvent, void, void> {
    const { reasoning, thoughtsIn, returned, sound } = choice
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning }
    this.thoughtsIn = thoughtsIn ?? this.thoughtsIn
    if (returned !== undefined) this.returned = joinReturned(this.returned, returned)
    const spoken = sound === undefined ? '' : this.media.addSound(sound)
    yield* this.words(this.tags.push(choice.content + spoken))
    this.media.add(choice.media)
    if (choice.calls.length > 0) this.calls.add(choice.calls)
  }

  /** Yields text and the thoughts between tags; unopened thoughts once they are closed. */
  private *words(runs: readonly TextRun[]): Generator<ProviderEvent, void, void> {
    for (const run of runs)
      if (run.type === 'content') yield* this.unopened.push(run.text)
      else yield run
  }

  private count({ content, reasoning, calls, media, sound }: ChunkChoice): void {
    this.bytes += Buffer.byteLength(content) + Buffer.byteLength(reasoning)
    for (const { name, arguments: text } of calls)
      this.bytes += Buffer.byteLength(name) + Buffer.byteLength(text)
    if (this.bytes > this.limits.answerBytes) throw tooLongAnswerError(this.asked)
    const mediaBytes = media.reduce((sum, { url }) => sum + url.length, sound?.data.length ?? 0)
    if (!this.media.takes(mediaBytes)) throw tooLongAnswerError(this.asked)
  }

  /** Yields what waited for its rest, and the returned fields, however the answer ended. */
  *rest(): Generator<ProviderEvent, void, void> {
    yield* this.words(this.tags.end())
    yield* this.unopened.end()
    const media = this.media.whole()
    if (media.length > 0) yield { type: 'media', media }
    const fields =
      this.returned !== undefined && canBeKept(this.returned) ? this.returned : undefined
    if (fields === undefined && this.thoughtsIn === undefined) return
    yield {
      type: 'returned',
      returned: {
        server: this.asked.host,
        ...(this.thoughtsIn === undefined ? {} : { thoughtsIn: this.thoughtsIn }),
        ...(fields === undefined ? {} : { fields }),
      },
    }
  }

  *end(body: ResponseBody): Generator<ProviderEvent, void, void> {
    yield* this.rest()
    const { finish } = this
    if (finish === undefined) throw this.unfinished(body)
    const calls = this.calls.whole()
    const hasExtra = calls.some(({ extra }) => extra !== undefined)
    const server = hasExtra ? { server: this.asked.host } : {}
    if (calls.length > 0) yield { type: 'calls', calls, ...server }
    yield { type: 'finish', ...finish }
  }

  private unfinished(body: ResponseBody): ProviderError {
    const { asked } = this
    if (this.chunks > 0)
      return cutOffError(asked, this.aside === '' ? undefined : new Error(this.aside))
    const text = this.aside === '' ? body.head() : this.aside
    return text.trim() === '' ? cutOffError(asked) : notAnAnswerError(text, asked)
  }

  private refused({ error }: FoundError): ProviderError {
    return streamedRefusalError(error, this.asked)
  }
}

/** The JSON values of a text that has one on each line, `[DONE]` left out; undefined where a line is none. */
function linesOf(text: string): readonly unknown[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/^data:/, '').trim())
    .filter((line) => line !== '' && line !== '[DONE]')
  const values = lines.map(parsedJson)
  return values.includes(undefined) ? undefined : values
}
