import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Fields } from '../common/drafts'

/** The model that a reply names where none was asked. */
const noModel = '<synthetic>'

/**
 * Returns model and usage of a reply's record, as metadata. Its numbers grow from record to record of one reply, which
 * `reply` names: the greatest count, once.
 */
export function usageOf({ message, requestId }: Fields): Readonly<Record<string, unknown>> {
  if (!isJsonObject(message)) return {}
  const { id, model, usage } = message
  const counts = isJsonObject(usage) ? countsOf(usage) : {}
  const reply = [id, requestId].filter((one) => typeof one === 'string').join(' ')
  return {
    ...(typeof model === 'string' && model !== noModel ? { model } : {}),
    ...(Object.keys(counts).length === 0 ? {} : { usage: counts }),
    ...(Object.keys(counts).length === 0 || reply === '' ? {} : { reply }),
  }
}

/** Reads the counts of a reply. Tokens that were read from the cache, and written to it, count as sent too. */
function countsOf(usage: Fields): Readonly<Record<string, number>> {
  const read = count(usage.cache_read_input_tokens)
  const sent = [usage.input_tokens, usage.cache_creation_input_tokens].map(count)
  const output = count(usage.output_tokens)
  const isSent = read !== undefined || sent.some((one) => one !== undefined)
  const input = sent.reduce<number>((sum, one) => sum + (one ?? 0), read ?? 0)
  return {
    ...(isSent ? { input } : {}),
    ...(read === undefined ? {} : { cached: read }),
    ...(output === undefined ? {} : { output }),
  }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
