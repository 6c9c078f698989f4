import type { ConversationFact, SourceRef } from '../../readers/common/reader'
import type { EntryFacts } from '../../readers/read-root'

/** Facts of a conversation that a whole reading gives, besides its rows. */
export interface ReadFacts {
  readonly fact: ConversationFact
  readonly entries: EntryFacts
}

/** A conversation, and a text that is another one whenever its files changed; undefined where that is not known. */
interface StampedSource {
  readonly ref: Pick<SourceRef, 'source' | 'root' | 'key'>
  readonly stamp?: string | undefined
}

/**
 * Memory of the facts of one conversation, which was read last: its losses are counted first, and when it is saved then,
 * the same files are not read again for its models and times.
 */
export class LastReading {
  private last: { readonly files: string; readonly facts: ReadFacts } | undefined

  /** Returns what was kept of these very files; undefined where they have changed, or it cannot be known. */
  find(of: StampedSource): ReadFacts | undefined {
    const files = filesOf(of)
    return files !== undefined && this.last?.files === files ? this.last.facts : undefined
  }

  /** Keeps the facts of a reading that was whole, in the place of those before. */
  keep(of: StampedSource, facts: ReadFacts): void {
    const files = filesOf(of)
    this.last = files === undefined ? undefined : { files, facts }
  }
}

function filesOf({ ref, stamp }: StampedSource): string | undefined {
  return stamp === undefined ? undefined : JSON.stringify([ref.source, ref.root, ref.key, stamp])
}
