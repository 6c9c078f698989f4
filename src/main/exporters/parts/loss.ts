import { type LossKind, leftOutKinds } from '../../../shared/model/export'

/** Something of an entry that a form has no place for. */
export interface EntryLoss {
  readonly kind: LossKind
  /** Of `metadata`: the key under which it stands. */
  readonly name?: string
}

/** Returns true where an entry with these losses is not written at all. */
export function isLeftOut(lost: readonly EntryLoss[]): boolean {
  return lost.some(({ kind }) => leftOutKinds.has(kind))
}
