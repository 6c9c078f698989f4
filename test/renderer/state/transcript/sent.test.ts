import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { comparisonTargets, createSentStore } from '../../../../src/renderer/state/transcript/sent'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import type { Sent, SentAround } from '../../../../src/shared/model/run/sent'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'

const garden = LibraryKey.parse('garden')
const id = (name: string) => EntryId.parse(name)
const neighbour = (name: string) => ({ entryId: id(name), atMs: null, words: name })

const sentBefore = (entryId: EntryId): Sent => ({
  entryId,
  origin: 'log',
  match: 'exact',
  sentAtMs: null,
  answeredAtMs: 7_000,
  messages: [],
  tools: [],
  parameters: {},
  parts: { system: 0, history: 0, tools: 0, attachments: 0 },
  countedBy: { by: 'estimate' },
  notes: [],
})

/** A store whose calls of `of` are answered when the test says so, and what was called. */
function storeOf(around: SentAround = {}) {
  const waiting: { readonly entryId: EntryId; answer(): void; fail(error: AppError): void }[] = []
  const api = createMemoryApi({
    sent: {
      of: ({ entryId }) =>
        new Promise((resolve, reject) => {
          waiting.push({ entryId, answer: () => resolve(sentBefore(entryId)), fail: reject })
        }),
      body: async ({ entryId }) => JSON.stringify({ entryId }),
      around: async () => around,
    },
  })
  const store = createSentStore(createApi(api.transport))
  const next = async (name: string) => {
    await quiet()
    const found = waiting.find(({ entryId }) => entryId === name)
    if (found === undefined) throw new Error(`${name} was not asked for`)
    return found
  }
  return { store, now: () => store.getState(), next, calls: () => api.calls.map((c) => c.channel) }
}

describe('what the model was sent', () => {
  it('is shown for the answer that was opened last, whichever comes first', async () => {
    const { now, next } = storeOf()
    now().open(garden, id('one'))
    const one = await next('one')
    now().open(garden, id('two'))
    ;(await next('two')).answer()
    await quiet()
    one.answer()
    await quiet()
    expect(now().sent).toEqual({ type: 'here', value: sentBefore(id('two')) })
  })

  it('is not there any more once it is closed, also where it comes late', async () => {
    const { now, next } = storeOf()
    now().open(garden, id('one'))
    const one = await next('one')
    now().close()
    one.answer()
    await quiet()
    expect(now().answer).toBe(undefined)
    expect(now().sent).toEqual({ type: 'loading' })
  })

  it('says why it cannot be had', async () => {
    const { now, next } = storeOf()
    now().open(garden, id('one'))
    ;(await next('one')).fail(new AppError('not-found', 'There is no answer.'))
    await quiet()
    expect(now().sent).toMatchObject({ type: 'failed', failure: { code: 'not-found' } })
  })

  it('asks for the body and for answers around only when they are looked at, and once', async () => {
    const { now, next, calls } = storeOf({ previous: neighbour('zero') })
    now().open(garden, id('one'))
    ;(await next('one')).answer()
    await quiet()
    expect(calls()).toEqual(['sent.of'])
    for (const way of ['json', 'request', 'json', 'compare', 'request', 'compare'] as const) {
      now().look(way)
      await quiet()
    }
    expect(calls()).toEqual(['sent.of', 'sent.body', 'sent.around', 'sent.of'])
    expect(now().body).toEqual({ type: 'here', value: '{"entryId":"one"}' })
  })

  it('is compared with the answer before at first, then with the one that was chosen last', async () => {
    const { now, next } = storeOf({ previous: neighbour('zero'), next: neighbour('two') })
    now().open(garden, id('one'))
    ;(await next('one')).answer()
    now().look('compare')
    const zero = await next('zero')
    expect(now().other).toEqual({ place: 'previous', sent: { type: 'loading' } })
    now().compareWith('next')
    ;(await next('two')).answer()
    await quiet()
    zero.answer()
    await quiet()
    expect(now().other).toEqual({
      place: 'next',
      sent: { type: 'here', value: sentBefore(id('two')) },
    })
    now().compareWith('afterWindow')
    expect(now().other?.place).toBe('next')
  })

  it('is left for a place in its conversation, which is taken once', async () => {
    const { now } = storeOf()
    now().leaveFor(id('nowhere'))
    expect(now().takeLeftFor()).toBe(undefined)
    now().open(garden, id('one'))
    now().leaveFor(id('there'))
    expect(now().answer).toBe(undefined)
    expect(now().takeLeftFor()).toEqual({ key: garden, entry: 'there' })
    expect(now().takeLeftFor()).toBe(undefined)
  })
})

it('an answer that stands around another one in two ways is offered once', () => {
  expect(comparisonTargets({})).toEqual([])
  expect(
    comparisonTargets({
      previous: neighbour('zero'),
      beforeWindow: neighbour('zero'),
      next: neighbour('two'),
      afterWindow: neighbour('nine'),
    }),
  ).toEqual(['previous', 'next', 'afterWindow'])
})
