import { isUtf8 } from 'node:buffer'
import { EntryId, type LineSpan } from '../../../shared/model/conversation/entry'
import { LedgerCount } from '../../../shared/model/conversation/ledger'
import type { DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import type { SourceFact } from '../common/reader'
import type { NamelessEntry } from '../common/value-meaning'

/** Size up to which a document is read: a larger file is not what its name says. */
const largestBytes = 64 * 1024 * 1024

/**
 * Converts a history or an archive from before the agent wrote lines, one page of Markdown, to one entry: it was
 * written for people, and marks speakers in no fixed way.
 */
export function fluuxDocument(text: string): NamelessEntry {
  return {
    timestamp: null,
    from: 'fluux',
    to: 'user',
    content: text,
    entry_type: 'document',
    metadata: { raw_type: 'markdown archive' },
  }
}

/**
 * Reads a document as facts, with its ledger: one entry that is all of it, a blank, or a damaged one above 64 MB.
 *
 * @param file as places name it
 *
 * @throws DiskError
 */
export async function* documentFacts(opened: DiskFile, file: string): AsyncGenerator<SourceFact> {
  const count = new LedgerCount(file, 'message')
  const { sizeBytes } = await opened.stat()
  const isTooLarge = sizeBytes > largestBytes
  const bytes = await readExactly(opened, 0, isTooLarge ? 4096 : sizeBytes)
  const length = isTooLarge ? sizeBytes : bytes.length
  const fact = factOf(bytes, { file, line: 1, offset: 0, length })
  const kind = fact.type
  count.add({ kind, rows: kind === 'blank' ? [] : [fact] })
  yield fact
  yield { type: 'file', ledger: count.ledger() }
}

type DocumentFact = Extract<SourceFact, { type: 'entry' | 'blank' | 'damaged' }>

function factOf(bytes: Uint8Array, place: LineSpan): DocumentFact {
  if (bytes.length < place.length) {
    const reason = `the document is ${place.length} bytes long, too long to be read`
    const shown = Buffer.from(bytes).toString('base64')
    return { type: 'damaged', damaged: { ...place, reason, bytes: shown } }
  }
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return { type: 'blank', place }
  const { metadata, ...entry } = fluuxDocument(text)
  const flagged = isUtf8(bytes) ? metadata : { ...metadata, damaged: true }
  return {
    type: 'entry',
    entry: { id: EntryId.parse('L1'), ...entry, metadata: flagged, ...place },
  }
}
