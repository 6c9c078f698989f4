import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { CountedValue } from '../common/value-meaning'

/** Counts the entries that `fluuxLine` makes of a whole line; undefined for odd ones. */
export function countFluuxLine(value: unknown): CountedValue | undefined {
  if (!isJsonObject(value) || isDeeperThan(value, deepestLine)) return undefined
  return value.type === 'session' ? control : entry
}

const control: CountedValue = { kind: 'control', entries: 0 }
const entry: CountedValue = { kind: 'entry', entries: 1 }
