import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../shared/model/run/usage'
import { payloadOf } from './line'

/**
 * Follows the token counts of a thread: an answer's count comes after it, in a line of its own, and is repeated with every
 * change of a limit.
 */
export class UsageFollower {
  private lastTotal: string | undefined
  /** The kind of line by which the present turn is counted: newer files have both. */
  private kind: string | undefined

  /** Returns the tokens that a line adds; undefined for any other line, and for one that repeats a count. */
  see(line: JsonObject): AnswerUsage | undefined {
    const payload = payloadOf(line)
    if (payload === undefined) return undefined
    if (line.type === 'turn_context') this.kind = undefined
    if (line.type === 'token_usage_record') return this.counted('record', payload.usage)
    if (line.type !== 'event_msg' || payload.type !== 'token_count') return undefined
    if (!isJsonObject(payload.info)) return undefined
    const { total_token_usage: all, last_token_usage: last } = payload.info
    const total = JSON.stringify(all)
    if (all !== undefined && total === this.lastTotal) return undefined
    this.lastTotal = total
    return this.counted('event', last)
  }

  private counted(kind: string, usage: unknown): AnswerUsage | undefined {
    if (!isJsonObject(usage) || (this.kind !== undefined && this.kind !== kind)) return undefined
    const found = {
      input: countIn(usage.input_tokens),
      cached: countIn(usage.cached_input_tokens),
      output: countIn(usage.output_tokens),
      reasoning: countIn(usage.reasoning_output_tokens),
    }
    if (!Object.values(found).some((count) => count > 0)) return undefined
    this.kind = kind
    return found
  }
}

/** Adds two counts. */
export function plusUsage(a: AnswerUsage | undefined, b: AnswerUsage): AnswerUsage {
  const sum = (one: number | undefined, other: number | undefined) => (one ?? 0) + (other ?? 0)
  return {
    input: sum(a?.input, b.input),
    cached: sum(a?.cached, b.cached),
    output: sum(a?.output, b.output),
    reasoning: sum(a?.reasoning, b.reasoning),
  }
}

function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
