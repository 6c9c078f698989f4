import { firstWords } from '../../../shared/model/basics/first-words'
import type { ConversationFact } from '../common/reader'
import type { NamelessEntry } from '../common/value-meaning'
import { nothingHeard } from './line'

/** An opening as plain data. */
export interface KeptOpening {
  readonly human: string | undefined
  readonly worded: string | undefined
  readonly first: string | undefined
  readonly project: string | undefined
  readonly createdAt: number | undefined
  readonly taken: number
}

/** The title, project and time of a conversation, by its first entries. */
export class Opening {
  private human: string | undefined
  private worded: string | undefined
  private first: string | undefined
  private project: string | undefined
  private createdAt: number | undefined
  private taken = 0

  /** Nothing that follows can add to it. */
  get isComplete(): boolean {
    const { human, project, createdAt } = this
    return human !== undefined && project !== undefined && createdAt !== undefined
  }

  /** Entries that were taken. */
  get count(): number {
    return this.taken
  }

  /** Takes the entry that comes next. */
  take({ content, role, timestamp, metadata }: NamelessEntry): void {
    this.taken += 1
    const isWorded = content.trim() !== '' && content !== nothingHeard
    const isHuman = isWorded && role === 'user'
    // Cutting words takes time, and most lines add none.
    const isFirst = this.first === undefined || (isWorded && this.worded === undefined)
    if (isFirst || (isHuman && this.human === undefined)) {
      const words = firstWords(content)
      this.first ??= words
      if (isWorded) this.worded ??= words
      if (isHuman) this.human ??= words
    }
    const project = metadata?.project
    if (typeof project === 'string') this.project ??= project
    this.createdAt ??= timestamp ?? undefined
  }

  /** This, and then what another one took. */
  followedBy(next: Opening): Opening {
    const both = new Opening()
    both.human = this.human ?? next.human
    both.worded = this.worded ?? next.worded
    both.first = this.first ?? next.first
    both.project = this.project ?? next.project
    both.createdAt = this.createdAt ?? next.createdAt
    both.taken = this.taken + next.taken
    return both
  }

  kept(): KeptOpening {
    const { human, worded, first, project, createdAt, taken } = this
    return { human, worded, first, project, createdAt, taken }
  }

  static of(kept: KeptOpening): Opening {
    return Object.assign(new Opening(), kept)
  }

  /** The title is the first words of a person, else the first words, else the key. */
  fact(key: string): ConversationFact {
    const title = this.human ?? this.worded ?? this.first ?? ''
    return {
      key,
      title: title === '' ? key : title,
      project: this.project ?? null,
      createdAt: this.createdAt,
      parent: null,
    }
  }
}
