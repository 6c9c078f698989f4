import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { EntryDraft } from '../../../shared/model/conversation/entry'
import type { AcceptValue, ValuePosition } from '../../disk/json/json-accept'
import { decodeJsonLine, type JsonLine, shortLineBytes } from '../../disk/json/json-line'
import type { FileLine } from '../../disk/reading/lines'
import {
  type CountedValue,
  isAscii,
  type QuickCount,
  type ValueMeaning,
} from '../../readers/common/value-meaning'
import type { LineDrift } from '../../readers/known/line-drift'
import { decodeLine } from '../../store/transcript-files'

/** The count of one line. */
export interface CountedLine {
  readonly kind: 'entry' | 'control' | 'blank' | 'damaged'
  /** Entries on it; recovered ones too. On a control line none, or a model without an entry. */
  readonly values: readonly CountedLineEntries[]
  /** The id of its record, where it is one of a format with ids. */
  readonly record?: string | undefined
  /** Names and versions in it that its reader does not know; absent where there are none, or none were looked for. */
  readonly drift?: LineDrift | undefined
}

/** The entries of one conversation on a line, and their models. */
export interface CountedLineEntries {
  /** Their conversation; undefined where the format does not name it: then it is the one that holds the line. */
  readonly key?: string | undefined
  readonly entries: number
  /** Named by the entries, in their order. */
  readonly models: readonly string[]
}

/** The count of a line that is no entry. */
export const controlLine: CountedLine = { kind: 'control', values: [] }

/** A counter of single lines of a format. */
export type CountLine = (line: FileLine) => CountedLine

/** Creates the counter of lines of chibi's, with a check of what is new in them. */
export function ourLineCount(check?: LineCheck): CountLine {
  return (line) => quickly(line, countOurs, check) ?? thoroughlyOurs(line, check)
}

/**
 * Creates the counter of another system's lines, by a quick count of plain lines and the meaning of all others. With a
 * check, what is new in a value is found in the same reading. A line with something new is never counted quickly: there its
 * texts are not decoded.
 */
export function foreignLineCount(
  meaningOf: AcceptValue<ValueMeaning>,
  countOf?: QuickCount,
  check?: LineCheck,
): CountLine {
  const slowly =
    check === undefined
      ? (line: FileLine) => thoroughly(line, meaningOf)
      : checkedCount(meaningOf, check)
  if (countOf === undefined) return slowly
  return (line) => quickly(line, countOf, check) ?? slowly(line)
}

/** A check of the value on a line; undefined where nothing is new. */
type LineCheck = (value: unknown) => LineDrift | undefined

function checkedCount(meaningOf: AcceptValue<ValueMeaning>, check: LineCheck): CountLine {
  let drift: LineDrift | undefined
  /** A damaged line is reported as that; what can be recovered from it may be a part of anything. */
  const seen = (value: unknown, meaning: ValueMeaning | string, position: ValuePosition) => {
    if (position === 'line' && typeof meaning !== 'string') drift = check(value)
    return meaning
  }
  const accept: AcceptValue<ValueMeaning> = (value, text, position) =>
    seen(value, meaningOf(value, text, position), position)
  const { inSlices } = meaningOf
  const checked =
    inSlices === undefined
      ? accept
      : Object.assign(accept, {
          *inSlices(value: unknown, position: ValuePosition): ReturnType<typeof inSlices> {
            return seen(value, yield* inSlices(value, position), position)
          },
        })
  return (line) => {
    drift = undefined
    const counted = thoroughly(line, checked)
    return drift === undefined ? counted : { ...counted, drift }
  }
}

/** Undefined where the line is not plainly one value of the format, or has something new. */
function quickly(line: FileLine, countOf: QuickCount, check?: LineCheck): CountedLine | undefined {
  const { bytes, length } = line
  if (bytes.length < length || length > shortLineBytes) return undefined
  const text = asBuffer(bytes).toString('latin1')
  let value: unknown
  try {
    // Bytes beyond ASCII may be inside strings alone, so that it is a value or none in either reading.
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const counted = countOf(value, text)
  if (counted === undefined) return undefined
  // Names that are known are ASCII, and so the same in every decoding.
  return check?.(value) === undefined ? lineOf(counted) : undefined
}

function lineOf({ kind, key, entries, model }: CountedValue): CountedLine {
  if (kind === 'control' && model === undefined) return controlLine
  if (key === undefined && entries === 1 && model === undefined) return oneEntry
  return { kind, values: [{ key, entries, models: model === undefined ? none : [model] }] }
}

const none: readonly string[] = []
const blank: CountedLine = { kind: 'blank', values: [] }
const oneEntry: CountedLine = { kind: 'entry', values: [{ entries: 1, models: none }] }

function thoroughly(line: FileLine, meaningOf: AcceptValue<ValueMeaning>): CountedLine {
  const decoded = decodeJsonLine(line, meaningOf)
  if (decoded.type === 'value' && decoded.value.type === 'control')
    return lineOf({ ...decoded.value, kind: 'control', entries: 0 })
  const counted = lineWith(decoded, (meaning) =>
    meaning.type === 'control' ? undefined : entriesOf(meaning.entries, meaning.key),
  )
  const record = decoded.type === 'value' ? decoded.value.link?.id : undefined
  return record === undefined ? counted : { ...counted, record }
}

function lineWith<T>(
  decoded: JsonLine<T>,
  valuesFrom: (value: T) => CountedLineEntries | undefined,
): CountedLine {
  if (decoded.type === 'blank') return blank
  if (decoded.type === 'damaged')
    return { kind: 'damaged', values: decoded.recovered.flatMap((one) => valuesFrom(one) ?? []) }
  const value = valuesFrom(decoded.value)
  return value === undefined ? controlLine : { kind: 'entry', values: [value] }
}

function thoroughlyOurs(line: FileLine, check: LineCheck | undefined): CountedLine {
  const decoded = decodeLine(line)
  if (decoded.type === 'blank') return blank
  if (decoded.type === 'damaged')
    return { kind: 'damaged', values: [entriesOf(decoded.recovered, undefined)] }
  const drift = check === undefined ? undefined : driftOfOurs(line, check)
  const values = [entriesOf([decoded.draft], undefined)]
  return { kind: 'entry', values, ...(drift === undefined ? {} : { drift }) }
}

/** Its entry has none of the fields that are new. */
function driftOfOurs(line: FileLine, check: LineCheck): LineDrift | undefined {
  const decoded = decodeJsonLine(line, (value) => (isJsonObject(value) ? value : 'no object'))
  return decoded.type === 'value' ? check(decoded.value) : undefined
}

function entriesOf(
  entries: readonly Pick<EntryDraft, 'metadata'>[],
  key: string | undefined,
): CountedLineEntries {
  const models = entries.map(({ metadata }) => metadata?.model)
  return { key, entries: entries.length, models: models.filter((one) => typeof one === 'string') }
}

/** Returns true for what `decodeLine` takes for an entry, where it is plain to see. */
function countOurs(value: unknown): CountedValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, timestamp, from, to, content, entry_type, metadata } = value as OurLine // any object can be read so
  const texts = [id, from, to, content, entry_type]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  if (timestamp !== null && !Number.isFinite(timestamp)) return undefined
  if (metadata === undefined || metadata === null) return oneOfOurs
  // A list or a text is kept as it is, and a name of JavaScript's own may hide what it is.
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return undefined
  if (Object.hasOwn(metadata, 'constructor')) return undefined
  const { model } = metadata as OurLine
  if (typeof model !== 'string') return oneOfOurs
  return isAscii(model) ? { kind: 'entry', entries: 1, model } : undefined
}

type OurLine = Readonly<Record<string, unknown>>
const oneOfOurs: CountedValue = { kind: 'entry', entries: 1 }

function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
