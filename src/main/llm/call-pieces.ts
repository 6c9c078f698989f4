import type { AskedCall } from './provider'

/** A piece of a call as it is streamed; what a piece does not hold is ''. */
export interface CallPiece {
  /** Which call of the answer it belongs to, where the provider counts them. */
  readonly index?: number
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** Puts the pieces of an answer's calls together. */
export interface CallAssembler {
  /** Takes the pieces of one chunk. */
  add(pieces: readonly CallPiece[]): void
  /** The calls, in the order in which they began; those above the hundredth are left out, as chibi does. */
  whole(): readonly AskedCall[]
}

interface Call {
  id: string
  name: string
  arguments: string
  /** Pieces of arguments, empty ones not counted. */
  pieces: number
}

const mostCalls = 100

/**
 * Understands what providers send: numbered pieces with an id in the first (OpenAI), whole calls without a number
 * (Ollama), all of them numbered 0 (Gemini), ids or names repeated in every piece, ids that come late or are missing.
 */
export function callAssembler(): CallAssembler {
  const calls: Call[] = []
  const byIndex = new Map<number, Call>()
  let last: Call | undefined

  function begin(): Call {
    const call = { id: '', name: '', arguments: '', pieces: 0 }
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
      return named.map(({ id, name, arguments: text }) => {
        const isOwn = id !== '' && !ids.has(id)
        ids.add(id)
        return { ...(isOwn ? { id } : {}), name, arguments: text }
      })
    },
  }
}

function isLateId(last: Call | undefined, piece: CallPiece): last is Call {
  return last !== undefined && last.id === '' && piece.name === ''
}

/** Whether a piece that names its function begins a call of its own, though it is marked as one of `call`. */
function isAnother(call: Call, piece: CallPiece): boolean {
  if (piece.name === '') return false
  if (piece.id !== '' && call.id !== '' && piece.id !== call.id) return true
  if (call.pieces === 0) return false
  if (piece.name !== call.name) return true
  // The same function again, with the arguments of the first whole in one piece.
  return call.pieces === 1 && piece.arguments.startsWith('{') && isJson(call.arguments)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
