import { ProviderError, type ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import type { Protocol } from '../../../../src/shared/model/settings/protocol'

/** Hears everything that an answer of these bytes tells, with runs of text joined; and the error that it ended with. */
export async function hear(
  pieces: readonly (string | Uint8Array)[],
  type = 'text/event-stream',
  end: 'closes' | 'breaks' = 'closes',
  protocol: Protocol = 'chat-completions',
) {
  const left = [...pieces]
  const fetch = async () =>
    new Response(
      new ReadableStream(
        {
          pull(controller) {
            const piece = left.shift()
            // What waits in a stream is gone when it breaks: it breaks when all was read.
            if (piece !== undefined)
              controller.enqueue(
                typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
              )
            else if (end === 'closes') controller.close()
            else controller.error(new Error('ECONNRESET'))
          },
        },
        { highWaterMark: 0 },
      ),
      { headers: { 'content-type': type } },
    )
  const stream = openAiStream({ baseUrl: 'http://127.0.0.1/v1' }, { fetch })
  const heard = { content: '', reasoning: '', others: [] as ProviderEvent[] }
  const request = { model: 'm', messages: [], protocol }
  try {
    for await (const event of stream(request, new AbortController().signal)) {
      if (event.type === 'content') heard.content += event.text
      else if (event.type === 'reasoning') heard.reasoning += event.text
      else heard.others.push(event)
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { ...heard, code: error.code, words: error.fault.response }
  }
  return { ...heard, code: undefined, words: undefined }
}
