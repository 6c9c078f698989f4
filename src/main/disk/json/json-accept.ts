import type { Sliced } from '../pacing/slices'

/**
 * The position of a value: it is the whole line; it is complete on a damaged line; or it lies inside a torn record and
 * may be only a part of it.
 */
export type ValuePosition = 'line' | 'recovered' | 'inside-torn'

/**
 * A format's conversion of a parsed value whose JSON is `text`: the record, or the reason why it is none, as text for
 * people. Never throws.
 */
export interface AcceptValue<T extends object> {
  (value: unknown, text: string, position: ValuePosition): T | string
  /** The same in slices, for a long value, whose text is not needed. A format without it converts long ones at once too. */
  readonly inSlices?: (value: unknown, position: ValuePosition) => Sliced<T | string>
}
