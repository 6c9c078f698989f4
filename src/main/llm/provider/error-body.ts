/** A provider's error in one form, whichever of the usual shapes it came in. */
export interface ErrorBody {
  /** Undefined where the body is no JSON or has no message. */
  readonly words: string | undefined
  /** Its codes and types, joined by spaces. */
  readonly code: string
  /** The moderation's reasons; empty where it gave none. Undefined where the request was not moderated. */
  readonly moderation?: { readonly reasons: readonly string[]; readonly by: string | undefined }
  /** The wait that the body asks for, where the headers do not. */
  readonly retryAfterMs?: number
}

type Json = Readonly<Record<string, unknown>>

// An error inside an error inside an error: a router's, its provider's, and that one's own.
const mostLevels = 4

/**
 * Reads an error body in any of the shapes in use: OpenAI's and Anthropic's `{error}`, OpenRouter's with the
 * provider's own body in `metadata.raw`, Google's list of one, FastAPI's `detail`, plain strings.
 */
export function readErrorBody(text: string): ErrorBody {
  const parsed = parseJson(text)
  const whole = record(Array.isArray(parsed) ? parsed[0] : parsed)
  const error = whole?.error ?? whole
  if (typeof error === 'string') return { words: error, code: '' }
  const inner = record(error)
  const metadata = record(inner?.metadata)
  const parts = wordsIn(inner, 0)
  const code = [...codesIn(inner, 0)].join(' ')
  const moderation = moderationIn(metadata, code)
  const wait = waitIn(inner, metadata)
  return {
    words: parts.length > 0 ? [...new Set(parts)].join('\n') : undefined,
    code,
    ...(moderation === undefined ? {} : { moderation }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

/**
 * Returns the HTTP status that an error inside a stream names; 400 where its code says that the request is refused,
 * 0 where it names none.
 */
export function statusIn(error: unknown): number {
  const { code: named, status: statusField, type } = record(error) ?? {}
  const code = named ?? statusField
  const status = typeof code === 'string' ? Number(code) : code
  if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600)
    return status
  return [code, type].some((word) => typeof word === 'string' && refusalWords.test(word)) ? 400 : 0
}

/**
 * Words in the place of a status that say that the request itself is refused: without a status, it would be sent
 * again as it is.
 */
const refusalWords = /^(invalid_|unsupported_|bad_request|missing_required)/i

function wordsIn(error: Json | undefined, level: number): readonly string[] {
  if (error === undefined || level === mostLevels) return []
  const message = error.message ?? error.detail ?? error.error
  const own = typeof message === 'string' ? [message] : detailWords(message)
  return [...own, ...rawWords(record(error.metadata)?.raw, level)]
}

/** Reads FastAPI's list of what is missing: each with its place. */
function detailWords(detail: unknown): readonly string[] {
  if (!Array.isArray(detail)) return []
  return detail.flatMap((one) => {
    const { msg, loc } = record(one) ?? {}
    if (typeof msg !== 'string') return []
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
    return [place === '' ? msg : `${place}: ${msg}`]
  })
}

/** OpenRouter says "Provider returned error" and keeps the provider's own body here, as text or as it came. */
function rawWords(raw: unknown, level: number): readonly string[] {
  const value = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw
  const whole = record(value)
  if (whole === undefined) return typeof raw === 'string' && raw.trim() !== '' ? [raw] : []
  const words = wordsIn(record(whole.error) ?? whole, level + 1)
  return words.length > 0 ? words : [typeof raw === 'string' ? raw : JSON.stringify(raw)]
}

function codesIn(error: Json | undefined, level: number): ReadonlySet<string> {
  if (error === undefined || level === mostLevels) return new Set()
  const raw = record(error.metadata)?.raw
  const below = record(typeof raw === 'string' ? parseJson(raw) : raw)
  const own = [error.code, error.type, error.status, record(error.innererror)?.code]
  return new Set([
    ...own.filter((part): part is string => typeof part === 'string'),
    ...codesIn(record(below?.error) ?? below, level + 1),
  ])
}

const moderatedCodes =
  /content_filter|content_policy|ResponsibleAIPolicyViolation|moderation|data_inspection_failed/i

function moderationIn(metadata: Json | undefined, code: string): ErrorBody['moderation'] {
  const reasons = metadata?.reasons
  const isStated = Array.isArray(reasons) || typeof metadata?.flagged_input === 'string'
  if (!isStated && !moderatedCodes.test(code)) return undefined
  const by = metadata?.provider_name
  return {
    reasons: Array.isArray(reasons)
      ? reasons.filter((reason): reason is string => typeof reason === 'string').slice(0, 8)
      : [],
    by: typeof by === 'string' && by !== '' ? by : undefined,
  }
}

/**
 * Reads the wait: Google's `retryDelay` of `34s` among its details, or the provider's headers, which OpenRouter
 * passes on.
 */
function waitIn(error: Json | undefined, metadata: Json | undefined): number | undefined {
  const details = Array.isArray(error?.details) ? error.details : []
  const delay = details.map((one) => record(one)?.retryDelay).find((one) => one !== undefined)
  const header = Object.entries(record(metadata?.headers) ?? {}).find(
    ([name]) => name.toLowerCase() === 'retry-after',
  )?.[1]
  const seconds = /^\s*(\d+(?:\.\d+)?)s?\s*$/.exec(String(delay ?? header ?? ''))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // An HTML page or plain words: shown as they are.
  }
}

function record(value: unknown): Json | undefined {
  // A parser's cast: any object may be read by key.
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}
