import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createModelsStore } from '../../../../src/renderer/state/settings/models'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { ProvidersView } from '../../../../src/shared/model/settings/model-info'
import { type AllHandlers, createMemoryApi } from '../../../support/memory-api'

const view: ProvidersView = { providers: [], recent: [] }
const baseUrl = 'https://x/v1'
const garden = LibraryKey.parse('garden')
const never = async () => {
  throw new AppError('internal', 'not asked in this test')
}
const none: AllHandlers['models'] = {
  providers: never,
  addProvider: never,
  renameProvider: never,
  removeProvider: never,
  setProviderKey: never,
  setProviderProtocol: never,
  setProviderTimeouts: never,
  forgetConcessions: never,
  list: never,
  choose: never,
  prices: never,
  usage: never,
}

function storeOver(handlers: Partial<AllHandlers['models']>) {
  const api = createMemoryApi({ models: { ...none, ...handlers } })
  return { store: createModelsStore(createApi(api.transport)), calls: api.calls }
}

describe('the store of models', () => {
  it('shows what is cached before it asks, and what is asked for at once only once', async () => {
    const seen: (number | null | undefined)[] = []
    const { store, calls } = storeOver({
      list: async ({ freshness }) => ({
        baseUrl,
        models: [],
        fetchedAt: freshness === 'kept' ? 1 : 2,
      }),
    })
    store.subscribe(({ lists }) => void seen.push(lists[baseUrl]?.fetchedAt))
    await Promise.all([
      store.getState().loadLists([baseUrl, baseUrl], false),
      store.getState().loadLists([baseUrl], false),
    ])
    expect(calls.map(({ args }) => args)).toEqual([
      { baseUrl, freshness: 'kept' },
      { baseUrl, freshness: 'due' },
    ])
    expect([...new Set(seen)]).toEqual([undefined, 1, 2])
    expect(store.getState().asking.size).toBe(0)
    await store.getState().loadLists([baseUrl], true)
    expect(calls.at(-1)?.args).toEqual({ baseUrl, freshness: 'refresh' })
  })

  it('keeps a list that it has when asking fails', async () => {
    let fails = false
    const { store } = storeOver({
      list: async () => {
        if (fails) throw new AppError('io', 'No.')
        return { baseUrl, models: [{ id: 'm' }], fetchedAt: 1 }
      },
    })
    await store.getState().loadLists([baseUrl], false)
    fails = true
    await store.getState().loadLists([baseUrl], true)
    expect(store.getState().lists[baseUrl]).toEqual({
      baseUrl,
      models: [{ id: 'm' }],
      fetchedAt: 1,
      failure: 'No.',
    })
  })

  it('says a refusal where the change was asked for, until the next try', async () => {
    let fails = true
    const { store } = storeOver({
      renameProvider: async () => {
        if (fails) throw new AppError('exists', 'Taken.')
        return view
      },
    })
    expect(await store.getState().rename('a', 'B')).toBe(false)
    expect(store.getState().refusals).toMatchObject({ a: { code: 'exists', message: 'Taken.' } })
    fails = false
    expect(await store.getState().rename('a', 'C')).toBe(true)
    expect([store.getState().refusals, store.getState().view]).toEqual([{}, view])
  })

  it('asks for prices once, together, and remembers that there is none', async () => {
    const { store, calls } = storeOver({
      prices: async () => [{ model: 'a', price: { input: 1, output: 2 }, baseUrl }],
    })
    for (const model of ['a', 'b', 'a', '__proto__']) store.getState().wantPrice(model)
    await new Promise((resolve) => {
      store.subscribe(resolve)
    })
    store.getState().wantPrice('b')
    expect(calls.map(({ args }) => args)).toEqual([{ models: ['a', 'b', '__proto__'] }])
    expect([...store.getState().prices]).toEqual([
      ['a', { price: { input: 1, output: 2 }, baseUrl }],
      ['b', null],
      ['__proto__', null],
    ])
  })

  it('forgets a sum that came for another conversation, or another home', async () => {
    const sum = {
      answers: 1,
      told: 0,
      input: 0,
      output: 0,
      cached: 0,
      reasoning: 0,
      cost: 0,
      priced: 0,
      estimate: 0,
      estimated: 0,
    }
    const answers: (() => void)[] = []
    const { store } = storeOver({
      usage: async () => {
        await new Promise<void>((resolve) => answers.push(resolve))
        return { own: sum, inherited: sum }
      },
    })
    const first = store.getState().loadUsage(garden)
    const second = store.getState().loadUsage(LibraryKey.parse('kitchen'))
    while (answers.length < 2) await Promise.resolve()
    for (const answer of answers.splice(0).reverse()) answer()
    await Promise.all([first, second])
    expect(store.getState().usage?.key).toBe('kitchen')
    const third = store.getState().loadUsage(garden)
    while (answers.length < 1) await Promise.resolve()
    store.getState().reset()
    for (const answer of answers) answer()
    await third
    expect(store.getState().usage).toBeUndefined()
  })
})
