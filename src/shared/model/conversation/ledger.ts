import type { FileLedger, TranscriptRow } from './transcript'

/** Counts a file's lines so that they add up. */
export class LedgerCount {
  private lines = 0
  private entryLines = 0
  private control = 0
  private blank = 0
  private torn = false
  private readonly damaged: FileLedger['damaged'] = []
  private readonly file: string
  private readonly unit: FileLedger['unit']

  constructor(file: string, unit: FileLedger['unit']) {
    this.file = file
    this.unit = unit
  }

  /** The number of the line that comes next. */
  get nextLine(): number {
    return this.lines + 1
  }

  /** Takes in the next line. */
  add(fact: {
    readonly kind: 'entry' | 'control' | 'blank' | 'damaged'
    readonly rows: readonly TranscriptRow[]
  }): void {
    this.lines += 1
    if (fact.kind === 'entry') this.entryLines += 1
    if (fact.kind === 'control') this.control += 1
    if (fact.kind === 'blank') this.blank += 1
    const row = fact.rows[0]
    if (row?.type !== 'damaged') return
    const { offset, length, reason, bytes, torn } = row.damaged
    this.damaged.push({ line: this.lines, offset, length, reason, bytes })
    if (torn) this.torn = true
  }

  ledger(): FileLedger {
    const { file, unit, lines, entryLines, control, blank, damaged, torn } = this
    return { file, unit, lines, entryLines, control, blank, damaged, torn }
  }
}
