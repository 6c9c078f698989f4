import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { TranscriptRow, WayName } from '../../../shared/model/conversation/transcript'
import { comparedText, type LiteralText } from '../../../shared/model/find/literal'
import { type RowText, rowTexts } from '../../../shared/model/find/row-texts'
import type { Transcripts } from '../../library/transcripts'
import { type RowTaker, WayRows } from '../way-rows/way-rows'

/** A row of a conversation with its texts. */
export interface HeldRow {
  readonly row: { readonly file: string; readonly offset: number; readonly entry?: string }
  /** The row after which it is shown: a result is shown with its call. */
  readonly shownAt: number
  readonly texts: readonly HeldText[]
}

/** A text, and what literals are compared with where case does not matter, once that was needed. */
export class HeldText {
  readonly part: RowText['part']
  readonly text: string
  private folded: string | undefined

  constructor({ part, text }: RowText) {
    this.part = part
    this.text = text
  }

  compared(wanted: LiteralText): string {
    if (wanted.matchesCase) return this.text
    if (this.folded === undefined) {
      const folded = comparedText(this.text, wanted)
      this.folded = folded === this.text ? this.text : folded
    }
    return this.folded
  }
}

/** Most characters that are held of a conversation. */
const usualMost = 300_000_000

/** The rows of one way through a conversation, read once and then only what is new. */
export class HeldRows implements RowTaker {
  readonly key: LibraryKey
  readonly way: WayName | undefined
  readonly rows: HeldRow[] = []
  private readonly most: number
  private readonly source: WayRows
  /** Rows by the id of their tool call. */
  private readonly calls = new Map<string, number>()
  private characters = 0
  /** Grows when rows are read anew: what was counted before is void. */
  generation = 0

  /** @param most characters, for tests */
  constructor(key: LibraryKey, way: WayName | undefined, most = usualMost) {
    this.key = key
    this.way = way
    this.most = most
    this.source = new WayRows(key, way, this)
  }

  /** True where not all of the conversation is held: it is too long. */
  get isCut(): boolean {
    return this.characters > this.most
  }

  /**
   * Reads what is new since the last call; all of it anew where files were replaced. A call that a signal ended goes on where it was.
   *
   * @throws AppError `not-found`, `unreadable`; the signal's reason
   */
  readOn(transcripts: Pick<Transcripts, 'page'>, signal: AbortSignal): Promise<void> {
    return this.source.readOn(transcripts, signal)
  }

  isEnough(): boolean {
    return this.isCut
  }

  take(row: TranscriptRow): void {
    const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
    const texts = rowTexts(row, textOf).map((one) => new HeldText(one))
    for (const { text } of texts) this.characters += text.length
    const place = row.type === 'entry' ? { file, offset, entry: row.entry.id } : { file, offset }
    this.rows.push({ row: place, shownAt: this.shownAt(row), texts })
  }

  private shownAt(row: TranscriptRow): number {
    const own = this.rows.length
    const id = row.type === 'entry' ? row.entry.tool_call_id : undefined
    if (row.type !== 'entry' || id === undefined) return own
    const { entry_type } = row.entry
    if (entry_type === 'tool_call') this.calls.set(id, own)
    return entry_type === 'tool_result' ? (this.calls.get(id) ?? own) : own
  }

  dropLast(): void {
    const dropped = this.rows.pop()
    for (const { text } of dropped?.texts ?? []) this.characters -= text.length
  }

  clear(): void {
    this.rows.length = 0
    this.calls.clear()
    this.characters = 0
    this.generation += 1
  }
}

function textOf(base64: string): string {
  return new TextDecoder().decode(Buffer.from(base64, 'base64'))
}
