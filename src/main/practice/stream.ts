import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { floodPiece, type PracticeAnswer, splitIntoWords } from './answer'
import type { Mishap, Wishes } from './commands'
import type { PracticeQuestion } from './request'

/** The fields that every piece of one answer repeats. */
interface Envelope {
  readonly id: string
  readonly created: number
  readonly model: string
}

/**
 * Streams an answer as OpenAI does: role, words, finish reason, token counts if asked for, `[DONE]`.
 *
 * Resolves when the answer or the connection has ended. `wordsPerSecond` may be Infinity.
 */
export async function streamAnswer(
  response: ServerResponse,
  question: PracticeQuestion,
  wishes: Wishes,
  answer: PracticeAnswer,
  envelope: Envelope,
  wordsPerSecond: number,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const send = (data: string) => writeEvent(response, data, gone.signal)
  const sendDelta = (delta: object, finish: string | null = null) =>
    send(
      JSON.stringify({
        ...envelope,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
      }),
    )
  const { mishap } = wishes
  try {
    if (mishap?.kind === 'stall' && mishap.afterWords === 0) return await silence(gone.signal)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    })
    await sendDelta({ role: 'assistant', content: '' })
    if (wishes.flood)
      for (let index = 0; !gone.signal.aborted; index++)
        await sendDelta({ content: floodPiece(index) })
    const words = [
      ...splitIntoWords(answer.reasoning).map((word) => ({ reasoning: word })),
      ...splitIntoWords(answer.content).map((word) => ({ content: word })),
      ...callPieces(answer, envelope),
    ]
    for (const [index, word] of words.entries()) {
      if (mishap?.afterWords === index) await happen(mishap, response, send, gone.signal)
      if (gone.signal.aborted) return
      await sendDelta(word)
      if (Number.isFinite(wordsPerSecond))
        await delay(1000 / wordsPerSecond, undefined, { signal: gone.signal })
    }
    await sendDelta({}, answer.calls.length === 0 ? 'stop' : 'tool_calls')
    if (question.includeUsage)
      await send(
        JSON.stringify({
          ...envelope,
          object: 'chat.completion.chunk',
          choices: [],
          usage: practiceUsage(question, answer),
        }),
      )
    await send('[DONE]')
    response.end()
  } catch (error) {
    if (!gone.signal.aborted) throw error // The client left: nobody waits for the rest.
  }
}

/** Returns the calls of an answer as one document has them. */
export function wholeCalls({ calls }: PracticeAnswer, { id }: Pick<Envelope, 'id'>) {
  return calls.map((call, index) => ({
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
}

/** The calls as OpenAI streams them: the name first, then the arguments a few letters at a time. */
function callPieces(answer: PracticeAnswer, envelope: Envelope): readonly object[] {
  return wholeCalls(answer, envelope).flatMap(({ function: asked, ...call }, index) => [
    { tool_calls: [{ index, ...call, function: { name: asked.name, arguments: '' } }] },
    ...(asked.arguments.match(/.{1,12}/gs) ?? []).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ])
}

/** Returns the token counts of an answer: a quarter of the characters, the usual estimate. */
export function practiceUsage(question: PracticeQuestion, answer: PracticeAnswer): object {
  const reasoningTokens = Math.ceil(answer.reasoning.length / 4)
  const completionTokens = reasoningTokens + Math.ceil(answer.content.length / 4)
  return {
    prompt_tokens: question.promptTokens,
    completion_tokens: completionTokens,
    total_tokens: question.promptTokens + completionTokens,
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}

async function happen(
  mishap: Mishap,
  response: ServerResponse,
  send: (data: string) => Promise<void>,
  gone: AbortSignal,
): Promise<void> {
  switch (mishap.kind) {
    case 'stall':
      return silence(gone)
    case 'cut':
      // The written bytes must have left before the connection is torn, or the words would be lost with it.
      await new Promise<void>((resolve) => response.write('', () => resolve()))
      response.destroy()
      return silence(gone)
    case 'garbage':
      return send('{"choices":[{"index":0,"delta":{"content":"this piece is cut in the mid')
    case 'error':
      await send(
        JSON.stringify({
          error: { code: 502, message: 'Provider returned error (practice: /fail stream)' },
        }),
      )
      response.end()
      return silence(gone)
  }
}

/** Resolves when the client has left. */
async function silence(gone: AbortSignal): Promise<void> {
  if (!gone.aborted) await once(gone, 'abort')
}

async function writeEvent(
  response: ServerResponse,
  data: string,
  gone: AbortSignal,
): Promise<void> {
  if (gone.aborted) return
  // A slow reader must not make a flood pile up here.
  if (!response.write(`data: ${data}\n\n`)) await once(response, 'drain', { signal: gone })
}
