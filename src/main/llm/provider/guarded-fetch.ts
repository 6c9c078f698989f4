import type { ProviderError } from '../chat/provider'
import { type RequestTarget, refusalError } from './failures'

/** The function that sends a request, as `globalThis.fetch`. */
export type FetchFunction = typeof globalThis.fetch

// Enough for every error page that says something; an endless one must not fill the memory.
const errorBodyBytes = 64 * 1024
// A refusal that trickles is cut short: its status line is enough.
const errorBodyMs = 5000

/**
 * Returns the fetch of all requests to models: it sends exactly the headers listed here, follows no redirect, and
 * throws a refusal as a ProviderError.
 *
 * Headers that the `openai` package adds by itself (platform details, and the values of OPENAI_ORG_ID and
 * OPENAI_CUSTOM_HEADERS, which are meant for another host) are left out. Without redirects the key reaches only the
 * address that was set. The package wraps what fetch throws and loses bodies that are not OpenAI's, so `tell` gets
 * the refusal as well.
 */
export function guardedFetch(
  fetch: FetchFunction,
  key: string | undefined,
  asked: RequestTarget,
  tell: (error: ProviderError) => void,
): FetchFunction {
  return async (url, init) => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // Compressed streams arrive in lumps, and a small one can unpack to gigabytes.
        'accept-encoding': 'identity',
        'user-agent': 'Skein',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: init?.body ?? null,
      signal: init?.signal ?? null,
    })
    if (response.ok) return response
    const location = response.headers.get('location')
    const wait = retryAfterMs(response.headers, Date.now())
    const error = refusalError(
      {
        status: response.status,
        body: await startOf(response, key?.length ?? 0),
        ...(wait === undefined ? {} : { retryAfterMs: wait }),
        ...(location === null ? {} : { location }),
      },
      asked,
    )
    tell(error)
    throw error
  }
}

/** Reads the start of a body as text. Never throws: the part that came is enough. */
async function startOf(response: Response, keyLength: number): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const giveUp = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(giveUp, errorBodyMs)
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    while (bytes < errorBodyBytes) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(pieces).toString()
      pieces.push(value)
      bytes += value.length
    }
  } catch {
    return Buffer.concat(pieces).toString() // The connection broke; the status is known.
  } finally {
    clearTimeout(timer)
    giveUp()
  }
  // A key that the cut goes through would not be recognised: leave out all that may be its first part.
  return Buffer.concat(pieces)
    .subarray(0, errorBodyBytes)
    .toString()
    .slice(0, -2 * keyLength - 1)
}

/**
 * Reads how long a provider asks to wait, in ms from `nowMs` and never negative: `retry-after-ms`, else
 * `Retry-After` in seconds or as an HTTP date (RFC 9110). Undefined where neither can be read.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: number): number | undefined {
  const inMs = nonNegativeNumber(headers.get('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const header = headers.get('retry-after')
  const seconds = nonNegativeNumber(header)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse makes a date of any digits; an HTTP date names its month.
  const at = header !== null && /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function nonNegativeNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
