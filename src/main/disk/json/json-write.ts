import { joinBytes } from '../pacing/sliced-text'
import { type Sliced, sliceBytes } from '../pacing/slices'

/** An object or a list of which the first members are written. */
interface Open {
  readonly value: Readonly<Record<string | number, unknown>>
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  written: number
}

const textAtOnce = 64 * 1024

/** A change of a text before it is written; is never given half of a pair of which the other half is there too. */
type TextForm = (text: string) => string

const asItIs: TextForm = (text) => text

/** Options of writing a value. */
interface JsonForm {
  /** The change of texts; they are written as they are where it is absent. */
  readonly form?: TextForm | undefined
  /** Sorts keys by their UTF-16 units, so that equal values have equal texts. */
  readonly sorted?: boolean
}

/** Returns the text that `writeJson` writes, in slices. */
export function* jsonOfAnyDepth(value: unknown): Sliced<string> {
  const pieces: string[] = []
  yield* writeJson(value, (piece) => void pieces.push(piece))
  return pieces.join('')
}

/**
 * Writes a value as JSON.stringify does, in slices and with a stack of its own, so that length and depth have no
 * limit. Only for values that JSON can hold.
 *
 * @param take gets the text piece by piece
 */
export function* writeJson(
  whole: unknown,
  take: (piece: string) => void,
  { form = asItIs, sorted = false }: JsonForm = {},
): Sliced<void> {
  const open: Open[] = []
  const json = new Pieces(take)
  let value = whole
  for (;;) {
    if (typeof value === 'string' && value.length > textAtOnce) yield* addText(json, value, form)
    else if (typeof value === 'object' && value !== null) {
      open.push(opened(value, sorted))
      json.add(Array.isArray(value) ? '[' : '{')
    } else json.add(JSON.stringify(typeof value === 'string' ? form(value) : value) ?? 'null')
    let top = open[open.length - 1]
    // Hundreds of thousands may end in one place.
    for (; top !== undefined && top.written === top.length; top = open[open.length - 1]) {
      json.add(top.keys === undefined ? ']' : '}')
      open.pop()
      if (json.isSlice) yield json.give()
    }
    if (top === undefined) {
      json.give()
      return
    }
    const key = top.keys?.[top.written] ?? top.written
    if (top.written > 0) json.add(',')
    if (top.keys !== undefined) json.add(`${JSON.stringify(form(String(key)))}:`)
    top.written += 1
    value = top.value[key]
    if (json.isSlice) yield json.give()
  }
}

/** Writes a value as UTF-8; see `writeJson`. */
export function* jsonBytes(value: unknown, form?: TextForm): Sliced<Buffer> {
  const pieces: Buffer[] = []
  yield* writeJson(value, (piece) => void pieces.push(Buffer.from(piece)), { form })
  return yield* joinBytes(pieces)
}

/** The cost of each piece besides its length. */
const weightOfPiece = 16

/** A text that grows by many small pieces, and is handed on in larger ones. */
class Pieces {
  private readonly take: (piece: string) => void
  private pieces: string[] = []
  private weight = 0

  constructor(take: (piece: string) => void) {
    this.take = take
  }

  get isSlice(): boolean {
    return this.weight >= sliceBytes
  }

  add(piece: string): void {
    this.pieces.push(piece)
    this.weight += piece.length + weightOfPiece
  }

  /** Returns the weight of what has come since the last time. */
  give(): number {
    const { weight } = this
    if (weight > 0) this.take(this.pieces.join(''))
    this.pieces = []
    this.weight = 0
    return weight
  }
}

function opened(value: object, sorted: boolean): Open {
  const fields = value as Readonly<Record<string | number, unknown>> // any object can be read so
  if (Array.isArray(value))
    return { value: fields, keys: undefined, length: value.length, written: 0 }
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined)
  if (sorted) keys.sort()
  return { value: fields, keys, length: keys.length, written: 0 }
}

function* addText(json: Pieces, text: string, form: TextForm): Sliced<void> {
  json.add('"')
  for (let at = 0; at < text.length; ) {
    const cut = Math.min(text.length, at + textAtOnce)
    // Not between the halves of a pair: each alone would be written as an escape.
    const last = text.charCodeAt(cut - 1)
    const end = cut < text.length && last >= 0xd800 && last < 0xdc00 ? cut - 1 : cut
    json.add(JSON.stringify(form(text.slice(at, end))).slice(1, -1))
    yield json.give()
    at = end
  }
  json.add('"')
}
