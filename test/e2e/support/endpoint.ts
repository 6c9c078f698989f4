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

/** Asks for a tool, and ends the answer. */
export function callTool(response: http.ServerResponse, name: string, args: object): void {
  const call = {
    index: 0,
    id: `call_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { tool_calls: [call] } }],
  }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  endStream(response, 'tool_calls')
}

export function endStream(response: http.ServerResponse, reason = 'stop'): void {
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: {}, finish_reason: reason }],
  }
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
}
