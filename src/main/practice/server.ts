import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { practiceAnswer } from './answer'
import { readWishes, type Wishes } from './commands'
import { gatewayPage, loginPage, tooLongRefusal, wishedRefusal } from './refusals'
import {
  invalidRequest,
  type PracticeQuestion,
  type PracticeRefusal,
  parseQuestion,
  readBody,
} from './request'
import { practiceUsage, streamAnswer, wholeCalls } from './stream'

/** The options of the practice model. */
export interface PracticeOptions {
  /** 0 or absent: one that is free. */
  readonly port?: number | undefined
  /** Infinity: no pause. */
  readonly wordsPerSecond?: number | undefined
}

/** A practice model that runs. */
export interface PracticeServer {
  /** The base URL, with `/v1`. */
  readonly url: string
  readonly port: number
  /** Ends every connection. Idempotent. */
  close(): Promise<void>
}

const practiceModel = 'practice'

// About as fast as people read along.
const humanPace = 20
const slowPace = 2
// Conversations that `/retry` is counted for at a time; the oldest is forgotten.
const mostCounted = 100

/**
 * Starts the practice model: an OpenAI-compatible server without an AI, on 127.0.0.1 alone.
 *
 * Any key is accepted. Requests that name another host are refused: a web page could lead its own host name here
 * (DNS rebinding). It sends no CORS headers, so pages of other origins cannot read it either.
 *
 * @throws Error of the system (`EADDRINUSE`) when the port is taken
 */
export async function startPractice(options: PracticeOptions = {}): Promise<PracticeServer> {
  const wordsPerSecond = options.wordsPerSecond ?? humanPace
  const failed = new Map<string, number>()
  let answers = 0
  const server = createServer((request, response) => {
    answer(request, response, {
      wordsPerSecond,
      failed,
      nextId: () => `practice-${++answers}`,
    }).catch(() => response.destroy()) // The connection broke, or we did: the client must not wait.
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve()) // Calls back with an error when it is closed already: as good.
        server.closeAllConnections()
      }),
  }
}

interface Setting {
  readonly wordsPerSecond: number
  /** The number of refusals by `/retry` of each conversation. */
  readonly failed: Map<string, number>
  readonly nextId: () => string
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  setting: Setting,
): Promise<void> {
  if (!isOurHost(request.headers.host))
    return refuse(response, invalidRequest(403, 'Only 127.0.0.1 and localhost are served.'))
  const path = (request.url ?? '').split('?')[0]
  if (path === '/v1/models')
    return request.method === 'GET'
      ? sendJson(response, 200, modelList)
      : refuseMethod(response, 'GET')
  if (path !== '/v1/chat/completions')
    return refuse(response, invalidRequest(404, `There is nothing at ${path}.`, 'unknown_url'))
  if (request.method !== 'POST') return refuseMethod(response, 'POST')

  const body = await readBody(request)
  const question = typeof body === 'string' ? parseQuestion(body, [practiceModel]) : body
  if ('status' in question) return refuse(response, question)
  return complete(response, question, setting)
}

async function complete(
  response: ServerResponse,
  question: PracticeQuestion,
  setting: Setting,
): Promise<void> {
  const wishes = readWishes(question.text)
  if (mustRetry(question, wishes, setting.failed)) return refuse(response, wishedRefusal(503))
  switch (wishes.fail) {
    case undefined:
      break
    case 'html':
      return sendPage(response, 502, gatewayPage)
    case 'page':
      return sendPage(response, 200, loginPage)
    case 'context':
      return refuse(response, tooLongRefusal)
    default:
      return refuse(response, wishedRefusal(wishes.fail))
  }
  const reply = practiceAnswer(question, wishes)
  const envelope = { id: setting.nextId(), created: 0, model: question.model }
  if (question.stream)
    return streamAnswer(response, question, wishes, reply, envelope, paceOf(wishes, setting))
  if (wishes.flood || wishes.mishap !== undefined)
    return refuse(response, invalidRequest(400, 'This can only be practised with "stream": true.'))
  sendJson(response, 200, {
    ...envelope,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.content,
          ...(reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
          ...(reply.calls.length === 0 ? {} : { tool_calls: wholeCalls(reply, envelope) }),
        },
        finish_reason: reply.calls.length === 0 ? 'stop' : 'tool_calls',
      },
    ],
    usage: practiceUsage(question, reply),
  })
}

function paceOf(wishes: Wishes, { wordsPerSecond }: Setting): number {
  if (wishes.pace === 'fast') return Number.POSITIVE_INFINITY
  return wishes.pace === 'slow' ? slowPace : wordsPerSecond
}

function mustRetry(
  question: PracticeQuestion,
  wishes: Wishes,
  failed: Map<string, number>,
): boolean {
  const before = failed.get(question.fingerprint) ?? 0
  failed.delete(question.fingerprint)
  if (before >= wishes.retries) return false
  failed.set(question.fingerprint, before + 1)
  const oldest = failed.keys().next().value
  if (failed.size > mostCounted && oldest !== undefined) failed.delete(oldest)
  return true
}

const modelList = {
  object: 'list',
  data: [{ id: practiceModel, object: 'model', created: 0, owned_by: 'skein' }],
}

function isOurHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '')
}

function refuseMethod(response: ServerResponse, allowed: string): void {
  const refusal = invalidRequest(405, `Only ${allowed} is served here.`, 'method_not_allowed')
  refuse(response, { ...refusal, headers: { allow: allowed } })
}

function refuse(
  response: ServerResponse,
  { status, message, type, code, headers }: PracticeRefusal,
): void {
  // The rest of a request that was not read to its end would be taken for the next one.
  if (status === 413 || status === 415) response.shouldKeepAlive = false
  sendJson(response, status, { error: { message, type, param: null, code } }, headers)
}

function sendJson(
  response: ServerResponse,
  status: number,
  json: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(json))
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(html)
}
