/** A list that keys move through: how many rows it has, and the one under the cursor, -1 for none. */
export interface KeyedList {
  readonly count: number
  readonly here: number
  /** How many rows a page key goes. */
  readonly pageRows: number
  /** A text field has the focus: the arrows go round at the ends, and Home and End are the field's. */
  readonly isInField?: boolean
}

/** Returns the row that an arrow, a page key, Home or End leads to; undefined for any other key, and where there is no row. */
export function rowForKey(key: string, list: KeyedList): number | undefined {
  const { count, here, pageRows, isInField = false } = list
  const last = count - 1
  if (last < 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return here < last ? here + 1 : isInField ? 0 : last
    case 'ArrowUp':
      return here > 0 ? here - 1 : isInField ? last : 0
    case 'PageDown':
      return Math.min(Math.max(here, 0) + pageRows, last)
    case 'PageUp':
      return Math.max(here - pageRows, 0)
    case 'Home':
      return isInField ? undefined : 0
    case 'End':
      return isInField ? undefined : last
    default:
      return undefined
  }
}
