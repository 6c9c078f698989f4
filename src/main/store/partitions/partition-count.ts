import type { EntryDraft } from '../../../shared/model/conversation/entry'
import { estimateStoredTokens, toWholeSeconds, type WritingScope } from '../core/writing-scope'
import type { TranscriptFile } from '../files/context-files'
import { readFileFacts } from '../lines/file-facts'
import type { LineFact } from '../lines/line-facts'

/** The counts of a partition that rotation and the manifest use, of the lines that parse. */
export class PartitionCount {
  lines = 0
  entries = 0
  tokens = 0
  /** Of the first and the last line that parses, in whole seconds. */
  firstSeconds: number | undefined
  lastSeconds: number | undefined
  private readonly bytesPerToken: number

  constructor(bytesPerToken: number) {
    this.bytesPerToken = bytesPerToken
  }

  addLine(entry: EntryDraft | undefined): void {
    this.lines += 1
    if (entry === undefined) return
    this.entries += 1
    this.tokens += estimateStoredTokens(entry, this.bytesPerToken)
    this.firstSeconds ??= toWholeSeconds(entry.timestamp)
    this.lastSeconds = toWholeSeconds(entry.timestamp)
  }
}

/** Counts a partition; `each` is called with its entries, recovered ones too. */
export async function countPartition(
  scope: Pick<WritingScope, 'disk' | 'paths'>,
  file: TranscriptFile,
  bytesPerToken: number,
  each: (entry: EntryDraft) => void = () => {},
): Promise<PartitionCount> {
  const count = new PartitionCount(bytesPerToken)
  for await (const facts of readFileFacts(scope.disk, file, scope.paths.name))
    for (const fact of facts) {
      count.addLine(entryOf(fact))
      for (const row of fact.rows) if (row.type === 'entry') each(row.entry)
    }
  return count
}

function entryOf(fact: LineFact): EntryDraft | undefined {
  const row = fact.rows[0]
  return row?.type === 'entry' ? row.entry : undefined
}
