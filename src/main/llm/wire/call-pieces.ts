import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { RequestedCall } from '../chat/provider'
import { parsedJson } from './json-fields'
import { joinReturned } from './returned'

/** A piece of a call as it is streamed; a field that the piece does not have is ''. */
export interface CallPiece {
  /** Which call of the answer it belongs to, where the provider counts them. */
  readonly index?: number
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Fields that are not the protocol's own. */
  readonly extra?: JsonObject
}

/** Assembler of an answer's calls from their pieces. */
export interface CallAssembler {
  /** Takes the pieces of one chunk. */
  add(pieces: readonly CallPiece[]): void
  /** The calls, in the order in which they began; those above the hundredth are left out, as chibi does. */
  whole(): readonly RequestedCall[]
}

interface Call {
  id: string
  name: string
  arguments: string
  extra: JsonObject | undefined
  /** Pieces of arguments, empty ones not counted. */
  pieces: number
}

const mostCalls = 100

/**
 * Assembles calls from the pieces that providers send: numbered pieces with an id in the first (OpenAI), whole calls
 * without a number (Ollama), all of them numbered 0 (Gemini), ids or names repeated in every piece, ids that come
 * late or are missing.
 */
export function callAssembler(): CallAssembler {
  const calls: Call[] = []
  const byIndex = new Map<number, Call>()
  let last: Call | undefined

  function begin(): Call {
    const call = { id: '', name: '', arguments: '', extra: undefined, pieces: 0 }
    // What is above the limit is put together as well, and let go with the next one.
    if (calls.length < mostCalls) calls.push(call)
    return call
  }

  function callOf(piece: CallPiece): Call {
    const { index, id, name } = piece
    if (index !== undefined) {
      const known = byIndex.get(index) ?? (id === '' && name === '' ? last : undefined)
      const call = known === undefined || isAnother(known, piece) ? begin() : known
      if (byIndex.size < mostCalls || byIndex.has(index)) byIndex.set(index, call)
      return call
    }
    const known = id === '' ? last : calls.find((call) => call.id === id)
    if (known === undefined) return isLateId(last, piece) ? last : begin()
    const isNameless = id === '' && name !== '' && known.name !== ''
    return isNameless || isAnother(known, piece) ? begin() : known
  }

  function take(piece: CallPiece): void {
    const call = callOf(piece)
    last = call
    if (call.id === '') call.id = piece.id
    // A name in pieces comes before the arguments; a provider that repeats it does so whole.
    if (call.pieces === 0 && piece.name !== call.name) call.name += piece.name
    if (piece.extra !== undefined) call.extra = joinReturned(call.extra, piece.extra)
    if (piece.arguments === '') return
    call.arguments += piece.arguments
    call.pieces++
  }

  return {
    add(pieces) {
      for (const piece of pieces) take(piece)
    },
    whole() {
      const ids = new Set<string>()
      const named = calls.filter((call) => call.name !== '' || call.arguments !== '')
      return named
        .flatMap(({ id, name, arguments: text, extra }) => {
          const isOwn = id !== '' && !ids.has(id)
          ids.add(id)
          const [first = '', ...others] = glued(text)
          const one = { ...(isOwn ? { id } : {}), name, arguments: first }
          const asked = { ...one, ...(extra === undefined ? {} : { extra }) }
          return [asked, ...others.map((more) => ({ name, arguments: more }))]
        })
        .slice(0, mostCalls)
    },
  }
}

/**
 * The arguments of each call that one text holds: one, but where calls were glued together. An empty object before
 * others is no call of its own: Bedrock and proxies of Anthropic begin with one.
 */
function glued(text: string): readonly string[] {
  if (!text.trimStart().startsWith('{') || parsedJson(text) !== undefined) return [text]
  const objects = objectsIn(text)
  if (objects === undefined) return [text]
  const full = objects.filter((one) => !/^\{\s*\}$/.test(one))
  return full.length === 0 ? objects.slice(0, 1) : full
}

/** The JSON objects that a text consists of; undefined where it has anything else. Linear. */
function objectsIn(text: string): readonly string[] | undefined {
  const objects: string[] = []
  let depth = 0
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (--depth > 0) continue
      const one = text.slice(start, at + 1).trim()
      if (depth < 0 || objects.length >= mostCalls || parsedJson(one) === undefined)
        return undefined
      objects.push(one)
      start = at + 1
    }
  }
  return text.slice(start).trim() === '' ? objects : undefined
}

function isLateId(last: Call | undefined, piece: CallPiece): last is Call {
  return last !== undefined && last.id === '' && piece.name === ''
}

/**
 * Returns true where a piece that names its function begins a call of its own, though it is marked as one of `call`.
 */
function isAnother(call: Call, piece: CallPiece): boolean {
  if (piece.name === '') return false
  if (piece.id !== '' && call.id !== '' && piece.id !== call.id) return true
  if (call.pieces === 0) return false
  if (piece.name !== call.name) return true
  // The same function again, with the arguments of the first whole in one piece; {} may come before the true ones.
  const isWhole = call.pieces === 1 && piece.arguments.startsWith('{') && isJson(call.arguments)
  return isWhole && (call.arguments.trim() !== '{}' || isJson(piece.arguments))
}

function isJson(text: string): boolean {
  return parsedJson(text) !== undefined
}
