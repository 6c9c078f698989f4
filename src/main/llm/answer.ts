import type { Body } from './body'
import { callAssembler } from './call-pieces'
import { type ChunkEvent, parseChunk } from './chunks'
import { type Asked, refusedInside } from './failures'
import type { StreamLimits } from './limits'
import { cut, garbled, notAnAnswer, tooMuch } from './network-failures'
import { type FinishReason, ProviderError, type ProviderEvent } from './provider'

/**
 * Reads the body of a 200 as an answer.
 *
 * The answer is whole when a finish reason or `[DONE]` came: what breaks after that breaks nothing. One JSON
 * document is taken as well, from a server that does not stream.
 *
 * @throws ProviderError
 */
export async function* readAnswer(
  body: Body,
  asked: Asked,
  limits: StreamLimits,
): AsyncGenerator<ProviderEvent, void, void> {
  let finish: FinishReason | undefined
  let model: string | undefined
  let answerBytes = 0
  let pieces = 0
  const calls = callAssembler()
  try {
    for await (const piece of body.pieces()) {
      if (piece.startsWith('[DONE]')) {
        finish ??= 'stop'
        break
      }
      for (const event of eventsIn(piece, body, pieces++, asked)) {
        if (event.type === 'finish') {
          finish = event.reason
          body.expectEnd()
          continue
        }
        if (event.type === 'model' && event.model === model) continue
        if (event.type === 'model') model = event.model
        answerBytes += bytesOf(event)
        if (answerBytes > limits.answerBytes) throw tooMuch(asked)
        if (event.type === 'call-pieces') calls.add(event.pieces)
        else yield event
      }
      if (body.form === 'document') finish ??= 'other'
    }
  } catch (error) {
    if (finish === undefined) throw error instanceof ProviderError ? error : cut(asked, error)
  }
  if (finish !== undefined) {
    const asks = calls.whole()
    if (asks.length > 0) yield { type: 'calls', calls: asks }
    return yield { type: 'finish', reason: finish }
  }
  throw pieces === 0 && body.head().trim() !== '' ? notAnAnswer(body.head(), asked) : cut(asked)
}

function bytesOf(event: ChunkEvent): number {
  switch (event.type) {
    case 'content':
    case 'reasoning':
      return Buffer.byteLength(event.text)
    case 'call-pieces':
      return event.pieces.reduce(
        (sum, piece) => sum + Buffer.byteLength(piece.arguments) + Buffer.byteLength(piece.name),
        0,
      )
    default:
      return 0
  }
}

function eventsIn(piece: string, body: Body, index: number, asked: Asked): readonly ChunkEvent[] {
  if (body.form === 'page') throw notAnAnswer(piece, asked)
  const chunk = parseChunk(piece)
  if (chunk.type === 'error') throw refusedInside(chunk.error, asked)
  const isAnswer = chunk.type === 'events' && (body.form === 'events' || chunk.events.length > 0)
  if (isAnswer) return chunk.events
  throw body.form === 'document' || index === 0 ? notAnAnswer(piece, asked) : garbled(piece, asked)
}
