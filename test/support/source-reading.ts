import path from 'node:path'
import type { Disk } from '../../src/main/disk/interface/disk'
import type { HistoryReader, SourceFact, SourceRef } from '../../src/main/readers/common/reader'
import { allowGaps } from '../../src/shared/model/conversation/reading'

/** What a reader says of a conversation: its facts, and the sentences of its gaps. */
interface ReadSource {
  readonly facts: readonly SourceFact[]
  readonly gaps: readonly string[]
}

/** Returns functions that list and read what is under a root. */
export function sourceReading(reader: HistoryReader, disk: Disk) {
  const { signal } = new AbortController()
  return {
    async refsUnder(root: string): Promise<readonly SourceRef[]> {
      const refs: SourceRef[] = []
      for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
      return refs
    },

    async factsOf(ref: SourceRef): Promise<ReadSource> {
      const facts: SourceFact[] = []
      const gaps: string[] = []
      const onGap = ({ sentence }: { readonly sentence: string }) => void gaps.push(sentence)
      for await (const fact of allowGaps(reader.read(ref, disk, signal), onGap)) facts.push(fact)
      return { facts, gaps }
    },

    /** All bytes of a conversation's record file, read in pieces of so many. */
    async bytesOf(ref: SourceRef, pieceBytes: number): Promise<Buffer> {
      const opened = await disk.open(path.join(ref.root, ref.files[0]?.file ?? ''), 'read')
      try {
        const pieces: Buffer[] = []
        for (let at = 0; ; ) {
          const piece = Buffer.alloc(pieceBytes)
          const got = await opened.read(piece, at)
          if (got === 0) return Buffer.concat(pieces)
          pieces.push(piece.subarray(0, got))
          at += got
        }
      } finally {
        await opened.close()
      }
    },
  }
}

/** Returns the contents of the entries among facts. */
export function wordsIn(facts: readonly SourceFact[]): readonly string[] {
  return facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry.content] : []))
}
