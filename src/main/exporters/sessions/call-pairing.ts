import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Entry } from '../../../shared/model/conversation/entry'
import { exportKindOf } from '../parts/entry-kind'

/** A call with its result. */
export interface PairedCall<E> {
  readonly call: E
  readonly result: E
}

/** Step of a session: programs take no call without its result, and no result that does not follow its call. */
export type PairedStep<E> =
  /** A note: neither said by the model nor a part of a call, as a person's message or a compaction is. */
  | { readonly type: 'other'; readonly entry: E }
  /** Thoughts, one text at most, and the calls that follow them. */
  | {
      readonly type: 'answer'
      readonly words: readonly E[]
      readonly calls: readonly PairedCall<E>[]
      /** Results that stood behind something that now follows them. */
      readonly moved: number
    }
  /** A call or a result without its other half. */
  | { readonly type: 'loose'; readonly entry: E }

/** A result further behind than so many entries is not looked for: so many are held at most. */
const mostHeld = 256

/**
 * Pairs calls with their results. Takes the entries of a session one by one; gives steps as soon as they are known, in
 * order. Holds no more than a round of calls, and 256 entries where a result is missing.
 */
export class CallPairing<E extends { readonly entry: Entry }> {
  private readonly held: E[] = []

  /** Takes the next entry. */
  add(entry: E): readonly PairedStep<E>[] {
    this.held.push(entry)
    return this.steps(false)
  }

  /** Ends the session. */
  end(): readonly PairedStep<E>[] {
    return this.steps(true)
  }

  private steps(isEnd: boolean): readonly PairedStep<E>[] {
    const found: PairedStep<E>[] = []
    for (let step = this.next(isEnd); step !== undefined; step = this.next(isEnd)) found.push(step)
    return found
  }

  /** Undefined where nothing is left, or more must be known. */
  private next(isEnd: boolean): PairedStep<E> | undefined {
    const { held } = this
    let words = 0
    while (isOf(held[words], 'reasoning')) words += 1
    if (isOf(held[words], 'agent')) words += 1
    const head = held[words]
    if (head === undefined)
      return isEnd && words > 0 ? this.answer(words, { calls: [], moved: 0 }) : undefined
    if (isOf(head, 'call')) {
      const round = this.roundAt(words, isEnd)
      if (round === 'not known') return undefined
      if (round !== undefined) return this.answer(words, round)
    }
    if (words > 0) return this.answer(words, { calls: [], moved: 0 })
    held.shift()
    const isLoose = isOf(head, 'call') || isOf(head, 'result')
    return { type: isLoose ? 'loose' : 'other', entry: head }
  }

  private answer(
    words: number,
    { calls, moved }: { readonly calls: readonly PairedCall<E>[]; readonly moved: number },
  ): PairedStep<E> {
    const taken = new Set(calls.flatMap(({ call, result }) => [call, result]))
    const said = this.held.slice(0, words)
    const rest = this.held.slice(words).filter((one) => !taken.has(one))
    this.held.length = 0
    pushAll(this.held, rest)
    return { type: 'answer', words: said, calls, moved }
  }

  /** The calls from `at` on, up to one without a result; undefined where the first has none. */
  private roundAt(at: number, isEnd: boolean) {
    const { held } = this
    const isAll = isEnd || held.length - at > mostHeld
    const calls: PairedCall<E>[] = []
    const results = new Set<number>()
    let next = at
    for (; isOf(held[next], 'call'); next++) {
      const call = held[next]
      const found = this.resultOf(next, results)
      if (found === undefined && !isAll) return 'not known'
      const result = found === undefined ? undefined : held[found]
      if (call === undefined || found === undefined || result === undefined) break
      results.add(found)
      calls.push({ call, result })
    }
    // Another call may follow.
    if (next === held.length && !isAll) return 'not known'
    if (calls.length === 0) return undefined
    let moved = 0
    let passed = next
    for (const found of [...results].sort((a, b) => a - b)) {
      if (found !== passed) moved += 1
      else passed += 1
    }
    return { calls, moved }
  }

  /** Where the result of a call is held; undefined for none. */
  private resultOf(at: number, taken: ReadonlySet<number>): number | undefined {
    const call = this.held[at]?.entry
    if (call === undefined) return undefined
    const id = call.tool_call_id
    let ofAny: number | undefined
    for (let place = at + 1; place < this.held.length; place++) {
      const one = this.held[place]
      if (one === undefined || taken.has(place)) continue
      const { entry } = one
      // Some programs count their calls anew in each turn: the result behind another call of that id is its own.
      if (isOf(one, 'call') && id !== undefined && entry.tool_call_id === id) return undefined
      if (!isOf(one, 'result') || entry.tool_call_id !== id) continue
      if (id !== undefined || entry.from === call.to) return place
      ofAny ??= place
    }
    return ofAny
  }
}

function isOf(
  one: { readonly entry: Entry } | undefined,
  kind: 'reasoning' | 'agent' | 'call' | 'result',
): boolean {
  return one !== undefined && exportKindOf(one.entry) === kind
}
