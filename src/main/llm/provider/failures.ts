import type { FailureKind } from '../../../shared/model/run/run'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { Scrub } from '../../settings/base/scrub'
import { ProviderError, type ProviderFault } from '../chat/provider'
import { type ErrorBody, readErrorBody, statusIn } from './error-body'

/** The server and the model of a request, as error messages name them. */
export interface RequestTarget {
  /** Host and port, such as `openrouter.ai`. */
  readonly host: string
  readonly model: string
  readonly withKey: boolean
  readonly scrub: Scrub
  /** The API in which it was asked; chat completions where it is absent. */
  readonly protocol?: Protocol | undefined
}

/** A refused request's response: its status, the headers that matter, and the start of its body. */
export interface RefusedResponse {
  readonly status: number
  readonly body: string
  readonly retryAfterMs?: number
  readonly location?: string
}

// What people see of a provider's words; whole error pages have been seen at 300 KB.
const responseLimit = 2000

// A provider that asks for longer than a week means never; an endless number would read "Infinity hours".
const longestWaitMs = 7 * 86_400_000

/** Makes the error of a refused request: kind, message and advice from its status and body. The key is out of it. */
export function refusalError(refusal: RefusedResponse, asked: RequestTarget): ProviderError {
  const { status } = refusal
  const body = readErrorBody(refusal.body)
  const code = kindOf(status, body)
  const wait = refusal.retryAfterMs ?? body.retryAfterMs
  const response = excerptOfResponse(body.words ?? refusal.body, asked.scrub)
  return new ProviderError(code, {
    ...(body.moderation !== undefined && code === 'forbidden'
      ? moderated(body.moderation, status, asked)
      : words(code, status, refusal, asked)),
    ...otherApi(code, response, asked),
    ...(status === 0 ? {} : { status }),
    ...(response === '' ? {} : { response }),
    ...(wait === undefined ? {} : { retryAfterMs: Math.min(wait, longestWaitMs) }),
    transient:
      (code === 'server' || code === 'rate-limited') && (status === 0 || isTransient(status)),
  })
}

/**
 * Makes the error of an `error` object inside a stream or in the body of a 200: OpenRouter and others send it there
 * once the status line is gone.
 */
export function streamedRefusalError(error: unknown, asked: RequestTarget): ProviderError {
  const body = JSON.stringify({ error })
  const status = statusIn(error)
  return refusalError({ status, body }, asked)
}

/** Cuts a provider's response to 2,000 characters, without the keys. */
export function excerptOfResponse(text: string, scrub: Scrub): string {
  const clean = scrub(text).trim()
  return clean.length > responseLimit ? `${clean.slice(0, responseLimit - 1)}…` : clean
}

function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

const tooLongWords =
  /context.?(length|window|size)|maximum (context|prompt)|(prompt|input|request|messages?) (is |are )?too (long|large)|token count.{0,40}exceeds|too many (input )?tokens|reduce the length/i
const noCreditWords =
  /insufficient_quota|insufficient (credit|balance|funds)|exceeded your current quota|credit balance is too low|billing_(error|not_active|hard_limit_reached)|key limit exceeded/i
const badKeyWords =
  /api.?key not valid|(invalid|incorrect|missing).{0,12}api.?key|authentication_error|API_KEY_INVALID/i
const unknownModelWords =
  /model_not_found|not a valid model|unknown model|model.{0,120}(not found|does not exist)|not_found_error/i

/** The kinds of failure that follow from the status alone; for the others the body's words decide. */
const kindOfStatus: Readonly<Record<number, FailureKind>> = {
  401: 'bad-key',
  402: 'no-credit',
  404: 'not-found',
  405: 'not-an-api',
  413: 'too-long',
}

function kindOf(status: number, body: ErrorBody): FailureKind {
  const text = `${body.code} ${body.words ?? ''}`
  const plain = kindOfStatus[status]
  if (plain !== undefined) return plain
  if (status >= 300 && status < 400) return 'not-an-api'
  // A limit of tokens a minute that one request alone breaks: no waiting helps.
  if (status === 429 && /request too large/i.test(text)) return 'too-long'
  if (status !== 429 && isTransient(status)) return 'server'
  if (noCreditWords.test(text)) return 'no-credit'
  if (status === 429) return 'rate-limited'
  if (body.moderation !== undefined || status === 403) return 'forbidden'
  if (tooLongWords.test(text)) return 'too-long'
  if (badKeyWords.test(text)) return 'bad-key'
  if (unknownModelWords.test(text)) return 'not-found'
  if (status >= 400) return 'bad-request'
  return kindOfCode(body.code)
}

/** Reads the kind of an error without a status: Anthropic and OpenAI name its type. */
function kindOfCode(code: string): FailureKind {
  if (/rate_limit/.test(code)) return 'rate-limited'
  if (/permission_(error|denied)/i.test(code)) return 'forbidden'
  return /invalid_request/.test(code) ? 'bad-request' : 'server'
}

function words(
  code: FailureKind,
  status: number,
  refusal: RefusedResponse,
  { host, model, withKey, scrub, protocol }: RequestTarget,
): Pick<ProviderFault, 'message' | 'advice'> {
  const shownStatus = status === 0 ? '' : ` (${status})`
  switch (code) {
    case 'bad-key':
      return withKey
        ? {
            message: `${host} rejected the key${shownStatus}.`,
            advice: 'Check the key in Settings, or in the file or variable where it is set.',
          }
        : { message: `${host} needs a key.`, advice: 'Enter it in Settings.' }
    case 'no-credit':
      return {
        message: `The account at ${host} has no credit left${shownStatus}.`,
        advice: 'Add credit or raise the limit there, or choose a free or local model.',
      }
    case 'forbidden':
      return {
        message: `${host} refused this request${shownStatus}.`,
        advice: 'Its response is below. Another model may be allowed.',
      }
    case 'not-found':
      return {
        message: `${host} does not know the model "${model}", or nothing answers at this address${shownStatus}.`,
        advice: "Check the model's name and the base URL in Settings.",
      }
    case 'too-long':
      return {
        message: `The conversation is too long for "${model}"${shownStatus}.`,
        advice: 'Choose a model with a larger context, or begin a new conversation.',
      }
    case 'rate-limited':
      return {
        message: `${host} rate limited this request${shownStatus}.`,
        advice: 'Wait a moment, then try again.',
      }
    case 'not-an-api':
      return refusal.location === undefined
        ? {
            message: `${host} does not offer a ${apiName({ protocol })} at this address${shownStatus}.`,
            advice: 'Check the base URL in Settings: most end in /v1.',
          }
        : {
            message: `${host} redirects to ${scrub(refusal.location).slice(0, 200)}. The key was not sent there.`,
            advice: 'If that address is right, set it as the base URL in Settings.',
          }
    case 'bad-request':
      return {
        message: `${host} did not understand the request${shownStatus}.`,
        advice: 'Its response is below. Check that the model accepts chat messages.',
      }
    default:
      return {
        message: `${host} ${failedHow(status)}${shownStatus}.`,
        advice: 'The problem is on their side. Try again, or choose another model.',
      }
  }
}

/** Advises on a server that has not the API in which it was asked, or not for this model. */
function otherApi(
  code: FailureKind,
  response: string,
  { protocol }: RequestTarget,
): Pick<ProviderFault, 'advice'> | undefined {
  if (code === 'bad-key' || code === 'no-credit') return undefined
  if (protocol === 'responses' && (code === 'not-found' || code === 'not-an-api'))
    return {
      advice:
        "Check the model's name and the base URL in Settings. Many servers have no Responses API: set this provider to chat completions there.",
    }
  // OpenAI's words for models of which it has no chat.
  if (protocol !== 'responses' && /\bv1\/responses\b/.test(response))
    return { advice: 'Set this provider to the Responses API in Settings.' }
  return undefined
}

/** Returns the name of the API that a request goes to, for messages. */
export function apiName({ protocol }: Pick<RequestTarget, 'protocol'>): string {
  return protocol === 'responses' ? 'Responses API' : 'chat completions API'
}

function failedHow(status: number): string {
  if (status === 408 || status === 504 || status === 524) return 'did not answer in time'
  if (status === 503 || status === 529) return 'is overloaded'
  return status === 502 ? 'did not get an answer from the model' : 'failed'
}

/** Names the moderation that held the request back, and its reasons, where they are known. */
function moderated(
  { reasons, by }: NonNullable<ErrorBody['moderation']>,
  status: number,
  { host, scrub }: RequestTarget,
): Pick<ProviderFault, 'message' | 'advice'> {
  const shownStatus = status === 0 ? '' : ` (${status})`
  const who = by === undefined ? '' : ` of ${by}`
  const why = reasons.length === 0 ? '' : `, for: ${reasons.join(', ')}`
  return {
    message: `${host} blocked this request: the moderation${scrub(`${who}${why}`).slice(0, 300)} rejected it${shownStatus}.`,
    advice: 'Rephrase it, or choose another model.',
  }
}
