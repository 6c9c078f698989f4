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
