import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came in. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A small HTTP server on loopback that answers as a test says. */
export interface RawServer {
  /** With `/v1`. */
  readonly url: string
  readonly host: string
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

export async function rawServer(
  answer: (response: ServerResponse, request: SeenRequest, index: number) => void,
): Promise<RawServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const came: SeenRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    }
    seen.push(came)
    answer(response, came, seen.length - 1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/v1`,
    host,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The bytes of an event stream: objects as JSON, texts as they are. */
export function eventStream(...data: readonly (object | string)[]): string {
  return data
    .map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`)
    .join('')
}

/** Answers each request with the next of some answers, as pieces; with "Yes." where there is none. */
export function answerWith(
  next: () => readonly object[] | undefined,
): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const answer = next() ?? [chunk({ content: 'Yes.' }), chunk({}, 'stop')]
    response.end(eventStream(...answer, '[DONE]'))
  }
}

/** One piece of an answer. */
export function chunk(delta: object, finish: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason: finish }] }
}
