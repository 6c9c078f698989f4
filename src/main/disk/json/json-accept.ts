import type { Sliced } from '../pacing/slices'

/**
 * Where a value stands: it is the whole line; a whole value on a line that is none; or one that may as well be a part
 * of the record that was torn there.
 */
export type ValuePosition = 'line' | 'recovered' | 'inside-torn'

/** What a format makes of a value whose JSON is `text`; or why it makes nothing of it, in words. Never throws. */
export interface AcceptValue<T extends object> {
  (value: unknown, text: string, standing: ValuePosition): T | string
  /** The same in slices, for a long value: its text is not even made. A format without it takes long ones at once too. */
  readonly inSlices?: (value: unknown, standing: ValuePosition) => Sliced<T | string>
}
