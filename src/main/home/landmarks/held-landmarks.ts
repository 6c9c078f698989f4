import { textFingerprint } from '../../../shared/model/basics/fingerprint'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { landmarkOf } from '../../../shared/model/landmarks/landmark-of'
import type {
  Landmark,
  NumberedPlace,
  PlaceWanted,
} from '../../../shared/model/landmarks/landmarks'
import type { RowTaker } from '../way-rows/way-rows'

/** Most seconds between an anchor and the messages that chibi writes a second time with it. */
const writtenWithin = 2

/** Places of the rows of a way and its landmarks, without texts. */
export class HeldLandmarks implements RowTaker {
  readonly landmarks: Landmark[] = []
  /** Rows that are wanted before reading stops: so many landmarks, or what the place needs. */
  private enough: () => boolean = () => false
  private readonly files: string[] = []
  private readonly fileOf: number[] = []
  private readonly offsets: number[] = []
  private readonly bytes: number[] = []
  /** Unix seconds, NaN for none. */
  private readonly times: number[] = []
  private readonly ids: (EntryId | undefined)[] = []
  private readonly prompts = new Set<number>()
  private anchors = 0
  private anchorTime: number | null = null
  /** Grows when rows come anew. */
  generation = 0

  get size(): number {
    return this.offsets.length
  }

  /** Reads until this is true, asked after each page. */
  until(enough: () => boolean): void {
    this.enough = enough
  }

  isEnough(): boolean {
    return this.enough()
  }

  take(row: TranscriptRow, bytes: number): void {
    const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
    if (this.files.at(-1) !== file) this.files.push(file)
    this.fileOf.push(this.files.length - 1)
    this.offsets.push(offset)
    this.bytes.push(bytes)
    this.times.push(row.type === 'entry' ? (row.entry.timestamp ?? Number.NaN) : Number.NaN)
    this.ids.push(row.type === 'entry' ? row.entry.id : undefined)
    const isCopy = this.isCopy(row)
    const found = isCopy ? undefined : landmarkOf(row)
    if (found !== undefined) this.landmarks.push({ ...this.place(this.size - 1), ...found })
  }

  dropLast(): void {
    for (const list of [this.fileOf, this.offsets, this.bytes, this.times, this.ids])
      list.length -= 1
  }

  clear(): void {
    for (const list of [
      this.landmarks,
      this.files,
      this.fileOf,
      this.offsets,
      this.bytes,
      this.times,
      this.ids,
    ])
      list.length = 0
    this.prompts.clear()
    this.anchors = 0
    this.anchorTime = null
    this.generation += 1
  }

  /** Finds a place among the rows that were read; undefined where it is none of them. */
  find(wanted: PlaceWanted): NumberedPlace | undefined {
    const index = this.indexOf(wanted)
    return index === undefined || index < 0 || index >= this.size ? undefined : this.place(index)
  }

  private indexOf(wanted: PlaceWanted): number | undefined {
    if ('number' in wanted) return wanted.number - 1
    // Not a number is before no time.
    if ('time' in wanted) return this.times.findIndex((time) => time >= wanted.time)
    if (!('file' in wanted)) return this.ids.indexOf(wanted.entry)
    const { file, offset, entry } = wanted
    const isThere = (index: number) =>
      this.offsets[index] === offset && this.files[this.fileOf[index] ?? -1] === file
    const first = this.offsets.findIndex((_, index) => isThere(index))
    if (entry === undefined || first < 0) return first
    for (let index = first; index < this.size && isThere(index); index++)
      if (this.ids[index] === entry) return index
    return first
  }

  private place(index: number): NumberedPlace {
    const offset = this.offsets[index] ?? 0
    const time = this.times[index]
    const id = this.ids[index]
    return {
      number: index + 1,
      file: this.files[this.fileOf[index] ?? -1] ?? '',
      offset,
      bytes: this.bytes[index] ?? 0,
      ...(id === undefined ? {} : { entry: id }),
      at: time === undefined || Number.isNaN(time) ? null : time,
    }
  }

  /**
   * Tells whether a message is one that chibi wrote a second time: it follows anchors at their time, and says what an earlier message of a
   * person says.
   */
  private isCopy(row: TranscriptRow): boolean {
    if (row.type === 'damaged') return false
    const { entry } = row
    if (isAnchor(entry)) {
      this.anchors += 1
      this.anchorTime = entry.timestamp
      return false
    }
    const isMessage = entry.entry_type === 'message'
    const { timestamp } = entry
    const isWithAnchors =
      this.anchors >= 2 &&
      isMessage &&
      timestamp !== null &&
      this.anchorTime !== null &&
      Math.abs(timestamp - this.anchorTime) <= writtenWithin
    if (!isWithAnchors) this.anchors = 0
    if (!isMessage) return false
    const words = textFingerprint(entry.content)
    if (isWithAnchors && this.prompts.has(words)) return true
    this.prompts.add(words)
    return false
  }
}
