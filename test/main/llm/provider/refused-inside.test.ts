import { expect, it, onTestFinished } from 'vitest'
import type { ChatMessage } from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'

it.each([
  { code: 'invalid_encrypted_content', message: 'The encrypted content could not be verified.' },
  { type: 'invalid_request_error', message: 'No.' },
])('a refusal by a word inside of a stream is answered with another request: %j', async (error) => {
  const server = await rawServer((response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const isRefused = body.includes('a thought')
    response.end(
      isRefused
        ? eventStream({ type: 'error', error })
        : eventStream(chunk({ content: 'Hello.' }), chunk({}, 'stop'), '[DONE]'),
    )
  })
  onTestFinished(() => server.close())
  const messages: readonly ChatMessage[] = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Hm.', returnedFields: { reasoning_content: 'a thought' } },
    { role: 'user', content: 'and?' },
  ]
  const heard: string[] = []
  const stream = openAiStream({ baseUrl: server.url })
  for await (const event of stream({ model: 'm', messages }, new AbortController().signal))
    if (event.type === 'content') heard.push(event.text)
  expect(heard.join('')).toBe('Hello.')
  expect(server.seen.length).toBeGreaterThan(1)
})
