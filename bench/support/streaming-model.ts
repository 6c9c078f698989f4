import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model on loopback that streams a text so many pieces a second. */
export interface StreamingModel {
  readonly baseUrl: string
  close(): void
}

/** Time between two looks at how many pieces are due, in ms. */
const tickMs = 5

/** Opens an OpenAI-compatible endpoint whose every answer is this text, in pieces of a few characters. */
export async function openStreamingModel(
  text: string,
  piecesPerSecond: number,
): Promise<StreamingModel> {
  const pieces = text.match(/[\s\S]{1,12}/g) ?? []
  const server = http.createServer((request, response) => {
    request.resume()
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'bench' }] }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const startedAtMs = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startedAtMs) / 1000) * piecesPerSecond)
      for (; sent < Math.min(due, pieces.length); sent++) write({ content: pieces[sent] ?? '' })
      if (sent < pieces.length) return
      clearInterval(timer)
      write({}, 'stop')
      response.end('data: [DONE]\n\n')
    }, tickMs)
    response.on('close', () => clearInterval(timer))
    function write(delta: object, reason?: string): void {
      const choice = { index: 0, delta, ...(reason === undefined ? {} : { finish_reason: reason }) }
      const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [choice] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no path
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
