import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type CountedValue, isAscii } from '../common/value-meaning'
import { headAt } from './line-key'

/** Counts the entries that `voiceLine` makes of a whole line with the usual beginning; undefined for any other. */
export function countVoiceLine(value: unknown, text: string): CountedValue | undefined {
  const key = headAt(text, 0)?.key
  if (key === undefined || !isJsonObject(value) || isDeeperThan(value, deepestLine))
    return undefined
  const model = isJsonObject(value.metadata) ? value.metadata.model : undefined
  if (typeof model !== 'string' || model === '') return { kind: 'entry', key, entries: 1 }
  return isAscii(model) ? { kind: 'entry', key, entries: 1, model } : undefined
}
