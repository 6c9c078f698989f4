import { textFingerprint } from '../../../shared/model/basics/fingerprint'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { landmarkOf } from '../../../shared/model/landmarks/landmark-of'
import type {
  Landmark,
  NumberedPlace,
  PlaceWanted,
} from '../../../shared/model/landmarks/landmarks'
import {
  countRepeated,
  isWrittenWithAnchor,
  type MessageTraits,
} from '../../../shared/model/landmarks/repeated-messages'
import type { RowTaker } from '../way-rows/way-rows'

/** A message that may be a copy, and the landmark that it is if it is none. */
interface Candidate {
  readonly traits: MessageTraits
  readonly landmark: Landmark | undefined
}

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
  /** All messages but copies; their contents as fingerprints. */
  private readonly messages: MessageTraits[] = []
  private anchors = 0
  /** The last anchor of a run whose copies may follow. */
  private anchor: Entry | undefined
  private readonly candidates: Candidate[] = []
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
    const found = landmarkOf(row)
    const landmark = found === undefined ? undefined : { ...this.place(this.size - 1), ...found }
    const entry = row.type === 'entry' ? row.entry : undefined
    const traits = entry?.entry_type === 'message' ? traitsOf(entry) : undefined
    if (this.anchor !== undefined && entry !== undefined && traits !== undefined) {
      const isNear = isWrittenWithAnchor(entry, this.anchor)
      if (isNear && this.candidates.length < this.messages.length) {
        this.candidates.push({ traits, landmark })
        return
      }
    }
    // It may become one of them.
    if (row.type === 'damaged' && row.damaged.torn === true) return
    this.settle()
    if (entry === undefined || !isAnchor(entry)) {
      this.anchors = 0
      this.anchor = undefined
    } else {
      this.anchors += 1
      const hasCopies = this.anchors >= 2 && entry.entry_type === 'context_created'
      this.anchor = hasCopies ? entry : undefined
    }
    this.put(traits, landmark)
  }

  /**
   * Decides which of the last messages are copies. To be called where all was read: until a message comes that is none, those behind
   * anchors are no landmarks yet.
   */
  settle(): void {
    if (this.candidates.length === 0) return
    const count = countRepeated(
      this.candidates.map(({ traits }) => traits),
      this.messages,
    )
    for (const { traits, landmark } of this.candidates.slice(count)) this.put(traits, landmark)
    this.candidates.length = 0
    this.anchors = 0
    this.anchor = undefined
  }

  private put(traits: MessageTraits | undefined, landmark: Landmark | undefined): void {
    if (traits !== undefined) this.messages.push(traits)
    if (landmark !== undefined) this.landmarks.push(landmark)
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
    this.messages.length = 0
    this.candidates.length = 0
    this.anchors = 0
    this.anchor = undefined
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
}

function traitsOf({ id, from, to, content }: Entry): MessageTraits {
  return { id, from, to, content: textFingerprint(content) }
}
