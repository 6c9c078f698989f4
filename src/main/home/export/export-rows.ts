import type { Entry } from '../../../shared/model/conversation/entry'
import { allowGaps, type UnreadPart } from '../../../shared/model/conversation/reading'
import type { FileLedger, TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { labelledEntry } from '../../library/families/labels'
import type { History } from '../../library/sources/histories'
import { EntryFacts, type headOf } from '../../readers/read-root'
import type { LabelOf } from './given-to-conversation'
import { readingInWords } from './tolerant-reading'

/** Counts of one reading. */
export class Pass {
  fact: Parameters<typeof headOf>[1] | undefined
  entries = 0
  damaged = 0
  readonly facts = new EntryFacts()
  readonly ledgers: FileLedger[] = []
}

/** Yields the rows of a conversation with the labels that they were given; the pass counts them. @param onGap gets each part that cannot be read */
export async function* rowsOf(
  disk: Disk,
  { reader, ref, labelOf }: Pick<History, 'reader' | 'ref'> & { readonly labelOf: LabelOf },
  pass: Pass,
  onGap: (part: UnreadPart) => void,
  signal: AbortSignal,
): AsyncGenerator<TranscriptRow, void> {
  // A unit may hold several conversations, one after the other.
  let isOwn = true
  const reading = readingInWords(reader.read(ref, disk, signal))
  for await (const fact of allowGaps(reading, onGap)) {
    if (fact.type === 'conversation') {
      isOwn = fact.conversation.key === ref.key
      if (isOwn) pass.fact = fact.conversation
    } else if (fact.type === 'file') pass.ledgers.push(fact.ledger)
    else if (fact.type === 'damaged') {
      pass.damaged += 1
      yield { type: 'damaged', damaged: fact.damaged }
    } else if (fact.type === 'entry' && isOwn) {
      pass.entries += 1
      pass.facts.add(fact.entry)
      yield { type: 'entry', entry: labelledEntry(fact.entry, labelOf(fact.entry.id)) }
    }
  }
}

/** Yields rows with what lies beside the conversation: outputs, images. */
export async function* completed(
  rows: AsyncGenerator<TranscriptRow, void>,
  steps: readonly ((entry: Entry) => Promise<Entry>)[],
): AsyncGenerator<TranscriptRow, void> {
  for await (const row of rows) {
    if (row.type !== 'entry') {
      yield row
      continue
    }
    let { entry } = row
    for (const step of steps) entry = await step(entry)
    yield { type: 'entry', entry }
  }
}

/** Yields rows of which the first was taken already. */
export async function* rowsFrom(
  first: IteratorResult<TranscriptRow, void>,
  rest: AsyncGenerator<TranscriptRow, void>,
): AsyncGenerator<TranscriptRow> {
  try {
    if (first.done !== true) yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Yields the same. @param began runs before the first: formats without rows take none */
export async function* counted<T>(rows: AsyncIterable<T>, began: () => void): AsyncGenerator<T> {
  began()
  yield* rows
}
