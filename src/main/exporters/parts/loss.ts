import type { Entry } from '../../../shared/model/conversation/entry'
import { type LossKind, leftOutKinds } from '../../../shared/model/export'

/** Loss of one entry in a format. */
export interface EntryLoss {
  readonly kind: LossKind
  /** Of `metadata`: its key. */
  readonly name?: string
}

/** Returns true where an entry with these losses is not written at all. */
export function isLeftOut(lost: readonly EntryLoss[]): boolean {
  return lost.some(({ kind }) => leftOutKinds.has(kind))
}

/** Count of what entries lose to each other; made anew for each count. */
export interface LossFollower {
  /** Takes the next entry that is written; gives the losses that are known by then. */
  add(entry: Entry): readonly EntryLoss[]
  /** Ends the conversation; gives the rest. */
  end(): readonly EntryLoss[]
}
