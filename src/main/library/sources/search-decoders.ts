import type { EntryId, LineSpan } from '../../../shared/model/conversation/entry'
import type { SourceId } from '../../../shared/model/conversation/sources'
import { savedOutputOf } from '../../../shared/model/conversation/tool-results'
import type {
  DecoderName,
  LineDecoder,
  SearchableEntry,
  SearchDecoder,
  SearchDecoders,
} from '../../../shared/model/search'
import type { AcceptValue } from '../../disk/json/json-accept'
import { parsedLine } from '../../disk/json/json-line'
import { decodeWithRemains } from '../../disk/json/json-remains'
import { entryIdOf, lineId } from '../../readers/common/json-lines'
import type { HistoryReader } from '../../readers/common/reader'
import type { NamelessEntry, ValueMeaning } from '../../readers/common/value-meaning'
import { readers } from '../../readers/index'
import {
  chibiDecoder,
  decodeLegacyDocument,
  searchableDamage,
  toSearchableEntry,
} from '../../store/search-decoding'

const documentSuffix = '-document'

/**
 * The search decoders of all sources, by the name in `SearchFile.decoder`: the source's id for its lines,
 * `documentDecoderOf` for its documents.
 */
export const searchDecoders: SearchDecoders = Object.fromEntries([
  ['chibi', chibiDecoder],
  [documentDecoderOf('chibi'), { unit: 'document', decode: decodeLegacy }],
  ...readers.flatMap(decodersOf),
])

/** Returns the decoder name of a source's documents; of chibi's, those of `context.json`, its oldest files. */
export function documentDecoderOf(source: SourceId): DecoderName {
  return `${source}${documentSuffix}`
}

/** Returns true for the decoder name of a source's documents. */
export function isDocumentDecoder(decoder: DecoderName): boolean {
  return decoder.endsWith(documentSuffix)
}

function decodersOf({
  id,
  meaningOf,
  documentOf,
  restatesNumbers,
  keepsSigns,
  joinsPieces,
  namesToolsEarlier,
  savedOutputs,
}: HistoryReader): readonly (readonly [DecoderName, SearchDecoder])[] {
  const found: [DecoderName, SearchDecoder][] = []
  if (meaningOf !== undefined)
    found.push([
      id,
      {
        unit: 'line',
        decode: lineDecoder(meaningOf),
        ...(restatesNumbers === true ? { restatesNumbers } : {}),
        ...(keepsSigns === true ? { keepsSigns } : {}),
        ...(joinsPieces === true ? { joinsPieces } : {}),
        ...(namesToolsEarlier === true ? { namesToolsEarlier } : {}),
        ...(savedOutputs === undefined ? {} : { savedOutputs }),
      },
    ])
  if (documentOf !== undefined)
    found.push([
      documentDecoderOf(id),
      { unit: 'document', decode: (bytes) => decodeDocument(bytes, documentOf) },
    ])
  return found
}

/** For a format of one JSON value a line, whose entries are named by their lines: the ids that its reader gives. */
function lineDecoder(meaningOf: AcceptValue<ValueMeaning>): LineDecoder {
  return (line, number) => {
    const value = parsedLine(line)
    const meaning = value === undefined ? undefined : meaningOf(value, line, 'line')
    if (typeof meaning === 'object') return entriesOf([meaning], number)
    const { values, remains } = decodeWithRemains(line, meaningOf)
    const entries = entriesOf(values, number)
    return remains === undefined ? entries : [searchableDamage(remains, number), ...entries]
  }
}

/** Each conversation counts its own entries of a line: several may have a record on a damaged one. */
function entriesOf(meanings: readonly ValueMeaning[], line: number): readonly SearchableEntry[] {
  const parts = new Map<string | undefined, number>()
  return meanings.flatMap((meaning) => {
    if (meaning.type === 'control') return []
    const { key, entries, link } = meaning
    const first = parts.get(key) ?? 0
    parts.set(key, first + entries.length)
    return entries.map((entry, at) => ({
      ...nameless(
        entry,
        entryIdOf(link, at, () => lineId(line, first + at)),
      ),
      ...(key === undefined ? {} : { key }),
    }))
  })
}

function nameless(entry: NamelessEntry, id: EntryId): SearchableEntry {
  const plain = toSearchableEntry({ ...entry, id })
  const saved = plain.field === 'result' ? savedOutputOf(entry) : undefined
  const found = saved === undefined ? plain : { ...plain, saved }
  const { tool_call_id: toolCallId } = entry
  if (toolCallId === undefined || found.field === 'content') return found
  // Results come from "tool" where the line does not name it.
  if (found.field === 'result' && found.tool === 'tool') {
    const { tool: _, ...unnamed } = found
    return { ...unnamed, toolCallId }
  }
  return { ...found, toolCallId }
}

/** The place of every entry of a document is all of it. */
function decodeDocument(bytes: Uint8Array, documentOf: (text: string) => readonly NamelessEntry[]) {
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return []
  const place = { line: 1, offset: 0, length: bytes.length }
  return documentOf(text).map((entry, at) => ({ ...nameless(entry, lineId(1, at)), ...place }))
}

function decodeLegacy(bytes: Uint8Array) {
  return decodeLegacyDocument(bytes, '', '').facts.flatMap(({ rows, place }) =>
    rows.flatMap((row) =>
      row.type === 'entry' ? [{ ...toSearchableEntry(row.entry), ...placed(place) }] : [],
    ),
  )
}

function placed({ line = 1, offset, length }: LineSpan) {
  return { line, offset, length }
}
