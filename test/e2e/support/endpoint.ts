import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a test does with a request for an answer. */
export type Answer = (
  response: http.ServerResponse,
  asked: { readonly messages: readonly { role: string; content: string }[] },
) => void | Promise<void>

/** An OpenAI-compatible endpoint on loopback whose answers the test writes itself. */
export async function endpoint(answer: Answer): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'practice' }] }))
    }
    await answer(response, JSON.parse(Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** Begins a stream of server-sent events. */
export function beginStream(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export function sendText(response: http.ServerResponse, text: string): void {
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: text } }],
  }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

export function endStream(response: http.ServerResponse): void {
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  }
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
}
