import { isDeeperThan } from '../disk/json-values'
import { atOnce, type Sliced, sliceBytes } from '../disk/slices'

type Metadata = Readonly<Record<string, unknown>>

/**
 * Levels that a field of an entry's metadata may have. chibi's parser takes 127 of a whole line, Electron hands on some
 * hundreds between processes, and JSON.stringify fails at some thousands.
 */
const deepestField = 100

/** Where the fields stand that were nested too deeply: each as its whole JSON text, by its name. */
const deepFields = 'deep_fields'

/**
 * Metadata that can be handed on and written: fields that are nested too deeply stand as text in `deep_fields`, so that
 * none is lost where an entry is copied. The same object where nothing is too deep. Does not recurse by their depth.
 */
export function withoutDepths(metadata: Metadata): Metadata {
  const tooDeep = tooDeepIn(metadata)
  return tooDeep.length === 0 ? metadata : atOnce(moved(metadata, tooDeep))
}

/** The same in slices, for metadata of any size. */
export function* withoutDepthsInSlices(metadata: Metadata): Sliced<Metadata> {
  const tooDeep = tooDeepIn(metadata)
  return tooDeep.length === 0 ? metadata : yield* moved(metadata, tooDeep)
}

function tooDeepIn(metadata: Metadata): readonly string[] {
  return Object.keys(metadata).filter((key) => isDeeperThan(metadata[key], deepestField))
}

function* moved(metadata: Metadata, tooDeep: readonly string[]): Sliced<Metadata> {
  // What a file has under our name already must not be lost by it.
  const names = new Set(metadata[deepFields] === undefined ? tooDeep : [...tooDeep, deepFields])
  const shallow = Object.entries(metadata).filter(([key]) => !names.has(key))
  const texts: [string, string][] = []
  for (const key of names) texts.push([key, yield* jsonOfAnyDepth(metadata[key])])
  // Not by assigning: a field may be named `__proto__`.
  return Object.fromEntries([...shallow, [deepFields, Object.fromEntries(texts)]])
}

/** An object or a list of which the first members are written. */
interface Open {
  readonly value: Readonly<Record<string | number, unknown>>
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  written: number
}

const textAtOnce = 64 * 1024

/** As JSON.stringify for what JSON can say, with its own stack. */
function* jsonOfAnyDepth(whole: unknown): Sliced<string> {
  const open: Open[] = []
  const json = new Pieces()
  let value = whole
  for (;;) {
    if (typeof value === 'string' && value.length > textAtOnce) json.add(yield* jsonOfText(value))
    else if (typeof value === 'object' && value !== null) {
      open.push(opened(value))
      json.add(Array.isArray(value) ? '[' : '{')
    } else json.add(JSON.stringify(value) ?? 'null')
    let top = open[open.length - 1]
    // Hundreds of thousands may end in one place.
    for (; top !== undefined && top.written === top.length; top = open[open.length - 1]) {
      json.add(top.keys === undefined ? ']' : '}')
      open.pop()
      if (json.isSlice) yield json.join()
    }
    if (top === undefined) return json.text()
    const key = top.keys?.[top.written] ?? top.written
    if (top.written > 0) json.add(',')
    if (top.keys !== undefined) json.add(`${JSON.stringify(key)}:`)
    top.written += 1
    value = top.value[key]
    if (json.isSlice) yield json.join()
  }
}

/** What each piece takes beside its length. */
const weightOfPiece = 16

/** A text that grows by many small pieces. */
class Pieces {
  private joined = ''
  private pieces: string[] = []
  private weight = 0

  get isSlice(): boolean {
    return this.weight >= sliceBytes
  }

  add(piece: string): void {
    this.pieces.push(piece)
    this.weight += piece.length + weightOfPiece
  }

  /** Returns the weight of what has come since the last time. */
  join(): number {
    const { weight } = this
    this.joined += this.pieces.join('')
    this.pieces = []
    this.weight = 0
    return weight
  }

  text(): string {
    this.join()
    return this.joined
  }
}

function opened(value: object): Open {
  const fields = value as Readonly<Record<string | number, unknown>> // any object can be looked at so
  if (Array.isArray(value))
    return { value: fields, keys: undefined, length: value.length, written: 0 }
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined)
  return { value: fields, keys, length: keys.length, written: 0 }
}

function* jsonOfText(text: string): Sliced<string> {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const cut = Math.min(text.length, at + textAtOnce)
    // Not between the halves of a pair: each alone would be written as an escape.
    const last = text.charCodeAt(cut - 1)
    const end = cut < text.length && last >= 0xd800 && last < 0xdc00 ? cut - 1 : cut
    pieces.push(JSON.stringify(text.slice(at, end)).slice(1, -1))
    yield end - at
    at = end
  }
  return `"${pieces.join('')}"`
}
