import { isUtf8 } from 'node:buffer'
import type { Entry, LineSpan } from '../../../shared/model/conversation/entry'
import { LedgerCount } from '../../../shared/model/conversation/ledger'
import type { DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { lineId } from './json-lines'
import type { SourceFact } from './reader'
import type { NamelessEntry } from './value-meaning'

/** Size up to which a document is read: a larger file is not what its name says. */
const largestBytes = 64 * 1024 * 1024

/**
 * Reads a document as facts, with its ledger, in which it is one line: its entries, a blank, or a damaged one above 64 MB.
 * The place of each entry is all of it.
 *
 * @param file as places name it
 *
 * @param documentOf returns the entries of a text; at least one
 *
 * @throws DiskError
 */
export async function* documentFacts(
  opened: DiskFile,
  file: string,
  documentOf: (text: string) => readonly NamelessEntry[],
): AsyncGenerator<SourceFact> {
  const count = new LedgerCount(file, 'message')
  const { sizeBytes } = await opened.stat()
  const isTooLarge = sizeBytes > largestBytes
  const bytes = await readExactly(opened, 0, isTooLarge ? 4096 : sizeBytes)
  const place = { file, line: 1, offset: 0, length: isTooLarge ? sizeBytes : bytes.length }
  const facts = factsOf(bytes, place, documentOf)
  const kind = facts[0]?.type ?? 'blank'
  count.add({ kind, rows: facts.flatMap((fact) => (fact.type === 'blank' ? [] : [fact])) })
  yield* facts
  yield { type: 'file', ledger: count.ledger() }
}

type DocumentFact = Extract<SourceFact, { type: 'entry' | 'blank' | 'damaged' }>

function factsOf(
  bytes: Uint8Array,
  place: LineSpan,
  documentOf: (text: string) => readonly NamelessEntry[],
): readonly DocumentFact[] {
  if (bytes.length < place.length) {
    const reason = `the document is ${place.length} bytes long, too long to be read`
    const shown = Buffer.from(bytes).toString('base64')
    return [{ type: 'damaged', damaged: { ...place, reason, bytes: shown } }]
  }
  const text = new TextDecoder().decode(bytes)
  const entries = text.trim() === '' ? [] : documentOf(text)
  if (entries.length === 0) return [{ type: 'blank', place }]
  const flag = isUtf8(bytes) ? {} : { damaged: true }
  return entries.map((nameless, at) => {
    const entry: Entry = { id: lineId(1, at), ...nameless, ...place }
    if (nameless.metadata !== undefined || !isUtf8(bytes))
      entry.metadata = { ...nameless.metadata, ...flag }
    return { type: 'entry', entry }
  })
}
