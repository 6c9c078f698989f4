import type { JsonObject } from '../../../shared/model/basics/json-object'
import { countOf, objectOf, textOrUndefined, toList } from './json-fields'

/** An error found inside an answer; `error` is shaped as OpenAI's, for `streamedRefusalError`. */
export interface FoundError {
  readonly error: JsonObject
}

/**
 * Finds the error in one piece of an answer, in whatever shape it comes: `error` (OpenAI, OpenRouter), `object` or
 * `type` "error" (vLLM, Anthropic), `error_msg` and its like (Baidu), `code` with `message` (DashScope), `base_resp`
 * (MiniMax), `errors` with `success` (Cloudflare), `detail` (FastAPI), and the error of a choice.
 *
 * An empty one is none: "", false, {}, {code: 0}, which some servers send with each piece.
 */
export function errorIn(piece: JsonObject): FoundError | undefined {
  if (piece.object === 'error' || piece.type === 'error')
    return { error: objectOf(piece.error) ?? ownFields(piece) }
  return (
    given(piece.error) ??
    given(objectOf(toList(piece.choices)[0])?.error) ??
    namedApart(piece) ??
    baseResponse(piece) ??
    (toList(piece.choices).length === 0 ? bareError(piece) : undefined)
  )
}

/** Reads the error of an event whose name says that it is one: JSON of any shape, or plain text. */
export function errorOfEvent(value: unknown, text: string): FoundError {
  const piece = objectOf(value)
  const found = piece === undefined ? undefined : errorIn(piece)
  if (found !== undefined) return found
  if (piece !== undefined && !isEmpty(piece)) return { error: ownFields(piece) }
  const words = textOrUndefined(typeof value === 'string' ? value : text)
  return { error: words === undefined || piece !== undefined ? {} : { message: words } }
}

function given(error: unknown): FoundError | undefined {
  if (isEmpty(error)) return undefined
  if (typeof error === 'string') return { error: { message: error } }
  const fields = objectOf(Array.isArray(error) ? error[0] : error)
  return { error: fields ?? { message: 'The server gave no reason.' } }
}

/** Reads `error_code`, `error_msg` and their like, which are in no object of their own. */
function namedApart(piece: JsonObject): FoundError | undefined {
  const message = textOrUndefined(piece.error_message) ?? textOrUndefined(piece.error_msg)
  const type = textOrUndefined(piece.error_type)
  const code = isEmpty(piece.error_code) ? undefined : piece.error_code
  if (message === undefined && type === undefined && code === undefined) return undefined
  // Success has the same fields: a code of 0 and no type.
  if (type === undefined && code === undefined && 'error_code' in piece) return undefined
  return { error: { message: message ?? type ?? `Error ${String(code)}`, type, code } }
}

function baseResponse(piece: JsonObject): FoundError | undefined {
  const response = objectOf(piece.base_resp)
  if (response === undefined || isEmpty(response.status_code)) return undefined
  const message = textOrUndefined(response.status_msg) ?? `Error ${String(response.status_code)}`
  return { error: { message, code: response.status_code } }
}

/** Reads an object without a choice that is a failure at its top. */
function bareError(piece: JsonObject): FoundError | undefined {
  const [first] = toList(piece.errors).filter((one) => !isEmpty(one))
  if (first !== undefined) return given(first)
  if (
    Array.isArray(piece.detail)
      ? piece.detail.length > 0
      : textOrUndefined(piece.detail) !== undefined
  )
    return { error: { detail: piece.detail } }
  const message = textOrUndefined(piece.message) ?? textOrUndefined(piece.msg)
  if (message === undefined) return undefined
  const code = [piece.code, piece.status_code, piece.statusCode].find((one) => one !== undefined)
  const status = textOrUndefined(piece.status) ?? ''
  const isFailure =
    piece.success === false ||
    (code !== undefined && !isSuccess(code)) ||
    (typeof piece.status === 'number' && !isSuccess(piece.status)) ||
    /fail|err/i.test(status)
  return isFailure
    ? { error: { message, code: code ?? piece.status, type: piece.type } }
    : undefined
}

/** Returns true for codes of success: none, those of HTTP below 400, and words. */
function isSuccess(code: unknown): boolean {
  const number = countOf(code)
  if (number !== undefined) return number === 0 || (number >= 100 && number < 400)
  return isEmpty(code) || /^(ok|success(ful)?|succeeded|running|pending)$/i.test(String(code))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  if (typeof value === 'string') return /^\s*(0|null|none)?\s*$/i.test(value)
  if (Array.isArray(value)) return value.every(isEmpty)
  const fields = objectOf(value)
  return fields !== undefined && Object.values(fields).every(isEmpty)
}

function ownFields({ object: _, type, ...others }: JsonObject): JsonObject {
  return type === 'error' ? others : { type, ...others }
}
