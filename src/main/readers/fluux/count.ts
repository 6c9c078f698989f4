import { isDeeperThan } from '../../disk/json-values'
import type { CountedValue } from '../meaning'
import { deepest, isRecord } from './line'

/** Counts what `fluuxLine` makes of a whole line. */
export function countFluuxLine(value: unknown): CountedValue | undefined {
  if (!isRecord(value) || isDeeperThan(value, deepest)) return undefined
  return value.type === 'session' ? control : entry
}

const control: CountedValue = { kind: 'control', entries: 0 }
const entry: CountedValue = { kind: 'entry', entries: 1 }
