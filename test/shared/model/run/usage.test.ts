import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import {
  answerFollower,
  entryUsage,
  estimateCost,
  sumUsage,
} from '../../../../src/shared/model/run/usage'

let made = 0
/** An entry with usual values. */
function entry(more: Record<string, unknown>): Entry {
  made++
  return {
    id: `e${made}`,
    timestamp: made,
    from: 'garden',
    to: 'user',
    content: `words ${made}`,
    entry_type: 'message',
    role: 'agent',
    file: 'f',
    offset: made,
    length: 1,
    ...more,
  } as Entry // Built from literals of the right shape.
}
const answer = (usage: object | undefined, more: Record<string, unknown> = {}) =>
  entry({ metadata: { model: 'm', ...(usage === undefined ? {} : { usage }) }, ...more })
const prices = new Map([
  ['m', { price: { input: 2, output: 10, cached: 1 }, baseUrl: 'https://x' }],
])

function sum(entries: readonly Entry[], priced = prices) {
  const follow = answerFollower()
  const answers = entries.map(follow).filter((one) => one !== undefined)
  return sumUsage(answers, priced)
}

describe('what an entry tells of its cost', () => {
  it.each([
    [
      { input: 5, output: 2, cost: 0.1 },
      { input: 5, output: 2, cost: 0.1 },
    ],
    [
      {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      { input: 5, output: 2, cached: 3, reasoning: 1 },
    ],
    [
      {
        input_tokens: 5,
        output_tokens: 2,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 100,
      },
      { input: 115, output: 2, cached: 10 },
    ],
    [{ total_tokens: 7 }, { total: 7 }],
    [{ input: -1, output: Number.NaN, cost: '1' }, undefined],
    [{ input: 1, output: Number.POSITIVE_INFINITY }, { input: 1 }],
    [[], undefined],
    ['lots', undefined],
    [null, undefined],
  ])('%j', (usage, expected) => {
    expect(entryUsage({ metadata: { usage } })).toEqual(expected)
    expect(entryUsage({})).toBeUndefined()
  })

  it('is estimated only where both counts are told, and takes the cache into account', () => {
    const price = { input: 2, output: 10, cached: 1 }
    expect(estimateCost({ input: 5, output: 2 }, price)).toBe(5 * 2 + 2 * 10)
    expect(estimateCost({ input: 5, output: 2, cached: 4 }, price)).toBe(1 * 2 + 4 * 1 + 2 * 10)
    expect(estimateCost({ input: 5, output: 2, cached: 9 }, price)).toBe(5 * 1 + 2 * 10)
    expect(estimateCost({ input: 5, output: 2, cached: 4 }, { input: 2, output: 10 })).toBe(30)
    expect(estimateCost({ input: 5 }, price)).toBeUndefined()
    expect(estimateCost({ total: 7 }, price)).toBeUndefined()
  })
})

describe('the cost of a conversation', () => {
  it('adds up answers, told and estimated apart, and counts those that told none', () => {
    const { own, inherited } = sum([
      entry({ role: 'user', to: 'garden', metadata: { usage: { input: 999 } } }),
      answer({ input: 5, output: 2, cached: 1, reasoning: 1, cost: 0.5 }),
      answer({ input: 10, output: 1 }),
      answer({ input: 3, output: 3 }, { metadata: { model: 'unknown', usage: { input: 3 } } }),
      answer(undefined),
      entry({ entry_type: 'tool_call', metadata: { model: 'm', usage: { input: 7, cost: 0.25 } } }),
      entry({ entry_type: 'tool_call' }),
      entry({ entry_type: 'tool_result', metadata: { usage: { input: 999 } } }),
    ])
    expect(own).toEqual({
      answers: 5,
      told: 4,
      input: 25,
      output: 3,
      cached: 1,
      reasoning: 1,
      cost: 0.75,
      priced: 2,
      estimate: 30,
      estimated: 1,
    })
    expect(inherited.answers).toBe(0)
  })

  it('invents nothing where nothing is told', () => {
    const { own } = sum([answer(undefined), entry({})], new Map())
    expect(own).toMatchObject({ answers: 2, told: 0, cost: 0, priced: 0, estimated: 0 })
  })

  it('counts a repeated record once, under another id too, and an equal one of other words twice', () => {
    const usage = { input: 5, output: 2, cost: 0.5 }
    const first = answer(usage)
    const { own } = sum([
      first,
      first,
      { ...first, id: 'copied', timestamp: 99 } as Entry, // Ids are branded.
      answer(usage),
      answer(undefined, { id: 'same', content: 'x' }),
      answer(undefined, { id: 'same', content: 'x' }),
    ])
    expect(own).toMatchObject({ answers: 3, told: 2, input: 10, cost: 1 })
  })

  it('keeps apart what a branch took over', () => {
    const begun = (entries: number) =>
      entry({
        entry_type: 'context_created',
        role: undefined,
        metadata: { origin: { source: 'chibi', key: 'garden', entry: 'e', entries } },
      })
    const usage = (input: number) => ({ input, output: 0, cost: input })
    const asked = () => entry({ role: 'user', to: 'garden' })
    const { own, inherited } = sum([
      begun(4),
      asked(),
      answer(usage(1)),
      asked(),
      answer(usage(2)),
      asked(),
      answer(usage(4)),
      { ...answer(usage(8)), inherited: true },
    ])
    expect([own.cost, own.answers, inherited.cost, inherited.answers]).toEqual([4, 1, 11, 3])
  })
})
