import type { FailureKind } from '../../shared/model/run'
import { ProviderError, type ProviderFault } from './provider'
import type { Scrub } from './scrub'

/** Who was asked, and for what: the words name it. */
export interface Asked {
  /** Host and port, such as `openrouter.ai`. */
  readonly host: string
  readonly model: string
  readonly withKey: boolean
  readonly scrub: Scrub
}

/** An answer that was refused: its status line, the headers that matter, and the start of its body. */
export interface Refusal {
  readonly status: number
  readonly body: string
  readonly retryAfterMs?: number
  readonly location?: string
}

// What people see of a provider's words; whole error pages have been seen at 300 KB.
const responseLimit = 2000

/** Says what a refused request means. */
export function refused(refusal: Refusal, asked: Asked): ProviderError {
  const { status } = refusal
  const body = parsedBody(refusal.body)
  const code = kindOf(status, body)
  const response = excerpt(body.words ?? refusal.body, asked.scrub)
  return new ProviderError(code, {
    ...words(code, status, refusal, asked),
    ...(status === 0 ? {} : { status }),
    ...(response === '' ? {} : { response }),
    ...(refusal.retryAfterMs === undefined ? {} : { retryAfterMs: refusal.retryAfterMs }),
    transient:
      (code === 'server' || code === 'rate-limited') && (status === 0 || isTransient(status)),
  })
}

/**
 * Says what an `error` object means that came inside a stream or in the body of a 200: OpenRouter and others
 * send it so once the status line is gone.
 */
export function refusedInside(error: unknown, asked: Asked): ProviderError {
  const body = JSON.stringify({ error })
  const status = statusIn(error)
  return refused({ status, body }, asked)
}

/** Cuts a provider's words to what people see, without the key. */
export function excerpt(text: string, scrub: Scrub): string {
  const clean = scrub(text).trim()
  return clean.length > responseLimit ? `${clean.slice(0, responseLimit - 1)}…` : clean
}

function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

interface ErrorBody {
  /** Undefined where the body is not JSON or tells nothing. */
  readonly words: string | undefined
  readonly code: string
}

/** Finds the words and the code in the bodies that are in use: OpenAI's, FastAPI's `detail`, plain strings. */
function parsedBody(text: string): ErrorBody {
  const whole = record(parseJson(text))
  const error = whole?.error ?? whole
  if (typeof error === 'string') return { words: error, code: '' }
  const inner = record(error)
  const message = inner?.message ?? inner?.detail ?? inner?.error
  // OpenRouter says "Provider returned error" and keeps the provider's own words here.
  const raw = record(inner?.metadata)?.raw
  const parts = [message, raw].filter((part): part is string => typeof part === 'string')
  return {
    words: parts.length > 0 ? parts.join('\n') : undefined,
    code: [inner?.code, inner?.type].filter((part) => typeof part === 'string').join(' '),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // An HTML page or plain words: shown as they are.
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // A parser's cast: any object may be read by key.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

function statusIn(error: unknown): number {
  const code = record(error)?.code ?? record(error)?.status
  const status = typeof code === 'string' ? Number(code) : code
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600
    ? status
    : 0
}

const tooLongWords =
  /context.?(length|window|size)|maximum (context|prompt)|(prompt|input|request|messages?) (is |are )?too (long|large)|too many (input )?tokens|reduce the length/i
const noCreditWords =
  /insufficient_quota|insufficient (credit|balance|funds)|exceeded your current quota/i

function kindOf(status: number, body: ErrorBody): FailureKind {
  const told = `${body.code} ${body.words ?? ''}`
  if (status === 401) return 'bad-key'
  if (status === 402) return 'no-credit'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 413) return 'too-long'
  if (status === 429) return noCreditWords.test(told) ? 'no-credit' : 'rate-limited'
  if (status >= 300 && status < 400) return 'not-an-api'
  if (status === 405) return 'not-an-api'
  if (isTransient(status)) return 'server'
  if (tooLongWords.test(told)) return 'too-long'
  if (status >= 400) return 'bad-request'
  return noCreditWords.test(told) ? 'no-credit' : 'server'
}

function words(
  code: FailureKind,
  status: number,
  refusal: Refusal,
  { host, model, withKey, scrub }: Asked,
): Pick<ProviderFault, 'message' | 'advice'> {
  const told = status === 0 ? '' : ` (status ${status})`
  switch (code) {
    case 'bad-key':
      return withKey
        ? {
            message: `${host} did not accept the key${told}.`,
            advice: 'Check the key in Settings, or in the file or variable that it comes from.',
          }
        : { message: `${host} wants a key, and there is none.`, advice: 'Enter one in Settings.' }
    case 'no-credit':
      return {
        message: `The account at ${host} has no credit for this${told}.`,
        advice: 'Add credit there, or choose a free or a local model in Settings.',
      }
    case 'forbidden':
      return {
        message: `${host} refuses this request${told}.`,
        advice: 'Its own words are below. Another model may be allowed.',
      }
    case 'not-found':
      return {
        message: `${host} does not know the model "${model}", or nothing answers at this address${told}.`,
        advice: "Check the model's name and the base URL in Settings.",
      }
    case 'too-long':
      return {
        message: `The conversation is too long for "${model}"${told}.`,
        advice: 'Choose a model with a larger context, or begin a new conversation.',
      }
    case 'rate-limited':
      return {
        message: `${host} wants fewer requests${told}.`,
        advice: 'Wait a little, then try again.',
      }
    case 'not-an-api':
      return refusal.location === undefined
        ? {
            message: `What answers at ${host} is no chat completions API${told}.`,
            advice: 'Check the base URL in Settings: most end in /v1.',
          }
        : {
            message: `${host} sends us elsewhere, to ${scrub(refusal.location).slice(0, 200)}; the key was not sent there.`,
            advice: 'If that address is right, set it as the base URL in Settings.',
          }
    case 'bad-request':
      return {
        message: `${host} did not understand the request${told}.`,
        advice: 'Its own words are below. Check that the model takes chat messages.',
      }
    default:
      return {
        message: `${host} failed${told}.`,
        advice: 'This is on their side. Try again, or choose another model.',
      }
  }
}
