import { isDeeperThan } from '../disk/json-values'

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
  const tooDeep = Object.keys(metadata).filter((key) => isDeeperThan(metadata[key], deepestField))
  if (tooDeep.length === 0) return metadata
  // What a file has under our name already must not be lost by it.
  const moved = new Set(metadata[deepFields] === undefined ? tooDeep : [...tooDeep, deepFields])
  const shallow = Object.entries(metadata).filter(([key]) => !moved.has(key))
  const texts = [...moved].map((key): [string, string] => [key, jsonOfAnyDepth(metadata[key])])
  // Not by assigning: a field may be named `__proto__`.
  return Object.fromEntries([...shallow, [deepFields, Object.fromEntries(texts)]])
}

/** JSON that is to be written as it is. */
class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const comma = new Written(',')
const endOfList = new Written(']')
const endOfObject = new Written('}')
const piecesAtOnce = 65_536

/** As JSON.stringify for what JSON can say, with its own stack. */
function jsonOfAnyDepth(whole: unknown): string {
  const due: unknown[] = [whole]
  let text = ''
  let pieces: string[] = []
  while (due.length > 0) {
    pieces.push(begun(due.pop(), due))
    if (pieces.length < piecesAtOnce) continue
    text += pieces.join('')
    pieces = []
  }
  return text + pieces.join('')
}

/** What can be written of a value at once; what comes after it is put on the stack, the last first. */
function begun(value: unknown, due: unknown[]): string {
  if (value instanceof Written) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) {
    due.push(endOfList)
    for (let at = value.length - 1; at >= 0; at--) {
      due.push(value[at])
      if (at > 0) due.push(comma)
    }
    return '['
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  due.push(endOfObject)
  for (const [at, [key, field]] of [...fields.entries()].reverse()) {
    due.push(field, new Written(`${at > 0 ? ',' : ''}${JSON.stringify(key)}:`))
  }
  return '{'
}
