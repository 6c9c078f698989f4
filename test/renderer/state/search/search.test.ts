import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { searchDelayMs } from '../../../../src/renderer/state/search/search'
import {
  foldHits,
  type ListedHit,
  noHitsShown,
} from '../../../../src/renderer/state/search/search-hits'
import { openHit, stepHit } from '../../../../src/renderer/state/search-steps'
import { SearchId } from '../../../../src/shared/ipc/conversations/search'
import { AppError } from '../../../../src/shared/model/basics/errors'
import type { SearchOrder } from '../../../../src/shared/model/search'
import { quiet } from '../../../support/quiet'
import { type MemoryContext, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { manyHits } from '../../harness/search-scenarios'
import { keptInMap } from '../support/map-storage'
import { openWindow } from '../support/open-window'
import { quietHome } from '../support/quiet-home'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function windowOf(contexts: readonly MemoryContext[] = gardens(), kept = keptInMap()) {
  const { home, stores, actions } = await openWindow({ ...quietHome(), contexts }, kept)
  const search = () => stores.search.getState()
  return {
    home,
    stores,
    actions,
    search,
    snippets: () => search().shown.hits.map(({ hit }) => hit.snippet),
    calls: (name: string) =>
      home.api.calls
        .filter(({ channel }) => channel === `search.${name}`)
        .map(({ args }) => args as { searchId: string; query: string; limit: number }),
    async type(text: string) {
      search().setText(text)
      vi.advanceTimersByTime(searchDelayMs)
      await quiet()
    },
  }
}

/** Five entries with the word "bean", in two conversations; one title has "garden". */
function gardens(): readonly MemoryContext[] {
  return [
    {
      summary: summaryOf('garden', { updated: '2026-11-28T09:00:00.000Z' }),
      rows: rowsOf([said('bean one'), answered('bean two'), said('bean three')], {
        startsAt: 2000,
      }),
    },
    {
      summary: summaryOf('kitchen', { updated: '2026-11-27T09:00:00.000Z' }),
      rows: rowsOf([said('bean soup'), answered('bean stew')], {
        file: 'kitchen.jsonl',
        startsAt: 1000,
      }),
    },
  ]
}

describe('searching while one types', () => {
  it('begins when typing pauses, once, with what stands there then', async () => {
    const { search, calls, snippets } = await windowOf()
    for (const text of ['b', 'be', 'bean']) {
      search().setText(text)
      vi.advanceTimersByTime(searchDelayMs - 1)
    }
    expect(calls('query')).toEqual([])
    vi.advanceTimersByTime(1)
    await quiet()
    expect(calls('query')).toMatchObject([{ query: 'bean', limit: 100 }])
    expect(search()).toMatchObject({ phase: 'done', asked: 'bean', isStale: false })
    expect(snippets()).toEqual(['bean three', 'bean two', 'bean one', 'bean stew', 'bean soup'])
  })

  it('does not wait after Enter, and does not search twice', async () => {
    const { search, calls } = await windowOf()
    search().setText('bean')
    search().searchNow()
    vi.advanceTimersByTime(searchDelayMs)
    await quiet()
    search().searchNow()
    expect(calls('query').length).toBe(1)
  })

  it('ends the older search, and takes nothing in that comes from it late', async () => {
    const { home, search, calls, snippets, type } = await windowOf()
    home.search.hold()
    await type('bean')
    home.search.tell(2)
    const [older] = calls('query')
    if (older === undefined) throw new Error('nothing was asked')
    expect(snippets()).toEqual(['bean three', 'bean two'])
    const told = search().shown.hits.map(({ hit }) => hit)
    await type('soup')
    expect(calls('cancel')).toEqual([{ searchId: older.searchId }])
    home.search.finish()
    await quiet()
    expect(snippets()).toEqual(['bean soup'])
    const searchId = SearchId.parse(older.searchId)
    home.api.tell.search.found({ searchId, hits: told })
    home.api.tell.search.progress({ searchId, segments: { total: 9, read: 9, skipped: 0 } })
    expect(snippets()).toEqual(['bean soup'])
    expect(search()).toMatchObject({ phase: 'done', progress: undefined })
  })

  it('keeps what answers the earlier text until there is something for the new one', async () => {
    const { home, search, snippets, type } = await windowOf()
    await type('bean')
    home.search.hold()
    await type('bean s')
    expect(search()).toMatchObject({ isStale: true, phase: 'searching' })
    expect(snippets().length).toBe(5)
    home.search.tell(1)
    expect(search().isStale).toBe(false)
    expect(snippets()).toEqual(['bean stew'])
  })

  it('forgets everything when the text is cleared', async () => {
    const { search, calls, type } = await windowOf()
    await type('bean')
    await type('  ')
    expect(search()).toMatchObject({ phase: 'idle', asked: undefined, outcome: undefined })
    expect(search().shown.hits).toEqual([])
    expect(calls('query').length).toBe(1)
  })

  it('says why it failed, and can be tried again', async () => {
    const { home, search, snippets, type } = await windowOf()
    home.search.refuse(new AppError('unreadable', 'The home cannot be used: permission denied.'))
    await type('bean')
    expect(search()).toMatchObject({
      phase: 'failed',
      failure: { code: 'unreadable', message: 'The home cannot be used: permission denied.' },
    })
    search().searchAgain()
    await quiet()
    expect(search()).toMatchObject({ phase: 'done', failure: undefined })
    expect(snippets().length).toBe(5)
  })

  it('keeps what was found when somebody stops it', async () => {
    const { home, search, snippets, type } = await windowOf()
    home.search.hold()
    await type('bean')
    home.search.tell(2)
    search().stop()
    await quiet()
    expect(search()).toMatchObject({ phase: 'done', isStopped: true })
    expect(search().outcome).toMatchObject({ total: 2, complete: false })
    expect(snippets()).toEqual(['bean three', 'bean two'])
  })
})

describe('hits that come in', () => {
  it('stand by conversation, newest first, whatever came first', async () => {
    const { home, snippets, type } = await windowOf()
    home.search.hold()
    await type('bean')
    home.search.tell(3, 'oldest')
    expect(snippets()).toEqual(['bean one', 'bean stew', 'bean soup'])
    home.search.tell(2)
    expect(snippets()).toEqual(['bean three', 'bean two', 'bean one', 'bean stew', 'bean soup'])
  })

  it('wait when they would move the selected one', async () => {
    const { home, search, snippets, type } = await windowOf()
    home.search.hold()
    await type('bean')
    home.search.tell(2, 'oldest')
    const held = search().shown.hits[1]?.id
    search().select(held)
    search().hold(held)
    home.search.tell(3)
    expect(snippets()).toEqual(['bean stew', 'bean soup'])
    expect(search().shown.waiting.length).toBe(3)
    home.search.finish()
    await quiet()
    expect(snippets()).toEqual(['bean stew', 'bean soup'])
    search().showWaiting()
    expect(snippets().length).toBe(5)
    expect(search().selected).toBe(held)
    expect(search().shown.hits.at(-1)?.id).toBe(held)
  })

  it('are shown in steps, and the ones that are there stay the same', async () => {
    const { search, calls, type } = await windowOf(manyHits(1240))
    await type('needle')
    const before = search().shown.hits.map(({ id }) => id)
    expect([before.length, search().outcome?.total]).toEqual([100, 1240])
    search().showMore()
    await quiet()
    expect(
      search()
        .shown.hits.slice(0, 100)
        .map(({ id }) => id),
    ).toEqual(before)
    search().showMore()
    await quiet()
    expect(search().shown.hits.length).toBe(1000)
    search().showMore()
    expect(calls('query').map(({ limit }) => limit)).toEqual([100, 500, 1000])
  })
})

describe('going to hits', () => {
  it('opens the conversation at the place, marks the words and closes the search', async () => {
    const { stores, actions, search, type } = await windowOf()
    search().open('query')
    await type('"bean st" -two role:agent')
    const [found] = search().shown.hits
    if (found === undefined) throw new Error('nothing was found')
    await openHit(stores, actions, found)
    expect(stores.app.getState().place).toEqual({ type: 'conversation', key: 'kitchen' })
    const { file, offset, entryId: entry } = found.hit
    expect(stores.reading.getState().landing).toMatchObject({
      place: { file, offset, entry },
      marked: ['bean st'],
    })
    expect(search()).toMatchObject({ isOpen: false, opened: found.id })
  })

  it('opens the conversation whose title it is', async () => {
    const { stores, actions, search, type } = await windowOf()
    await type('kitchen')
    const [found] = search().shown.hits
    if (found === undefined) throw new Error('nothing was found')
    expect(found.hit.field).toBe('title')
    await openHit(stores, actions, found)
    expect(stores.app.getState().place).toEqual({ type: 'conversation', key: 'kitchen' })
    expect(stores.reading.getState().landing).toBeUndefined()
  })

  it('goes to the next one and the one before, round the ends', async () => {
    const { stores, actions, search, type } = await windowOf()
    const here = () => search().shown.hits.findIndex(({ id }) => id === search().opened)
    await stepHit(stores, actions, 1)
    expect(here()).toBe(-1)
    await type('bean')
    const seen: number[] = []
    for (const step of [1, 1, -1, -1, 1] as const) {
      await stepHit(stores, actions, step)
      seen.push(here())
    }
    expect(seen).toEqual([0, 1, 0, 4, 0])
  })

  it('finds the same results when it comes back, and nothing of another home', async () => {
    const { home, stores, actions, search, calls, type } = await windowOf()
    await type('bean')
    await stepHit(stores, actions, 1)
    search().open('hits')
    expect(search()).toMatchObject({ isOpen: true, asked: 'bean' })
    expect([search().shown.hits.length, calls('query').length]).toEqual([5, 1])
    const status = stores.app.getState().status
    if (status === undefined) throw new Error('no status')
    home.api.tell.app.statusChanged({ ...status, home: { ...status.home, path: '/elsewhere' } })
    expect(search()).toMatchObject({ isOpen: false, text: '', opened: undefined })
    expect(search().shown.hits).toEqual([])
  })
})

describe('the order of hits', () => {
  it('is asked for, is that of the list while hits come, and is kept for the next start', async () => {
    const kept = keptInMap()
    const { search, calls, snippets, type } = await windowOf(gardens(), kept)
    await type('bean')
    const newest = snippets()
    search().setOrder('oldest')
    await quiet()
    expect(calls('query').at(-1)).toMatchObject({ query: 'bean', order: 'oldest' })
    expect(search().shownOrder).toBe('oldest')
    expect(snippets()[0]).toBe('bean soup')
    expect([...snippets()].sort()).toEqual([...newest].sort())
    // Nothing is asked again for the same order.
    const asked = calls('query').length
    search().setOrder('oldest')
    await quiet()
    expect(calls('query')).toHaveLength(asked)
    const next = await windowOf(gardens(), kept)
    expect(next.search().order).toBe('oldest')
    await next.type('bean')
    expect(next.snippets()[0]).toBe('bean soup')
  })

  it('of hits that come before the answer is that of what they tell of themselves', () => {
    const listed = (id: number, time: number, relevance?: number): ListedHit => ({
      id,
      name: `${id}`,
      group: `${id}`,
      time,
      hit: { relevance, line: 1 } as never,
    })
    const hits = [
      listed(1, 5, 10),
      listed(2, Number.NEGATIVE_INFINITY, 30),
      listed(3, 9, 10),
      listed(4, 2, 20),
    ]
    const inOrder = (order: SearchOrder) =>
      foldHits(noHitsShown, hits, undefined, 10, order).hits.map(({ id }) => id)
    expect(inOrder('newest')).toEqual([3, 1, 4, 2])
    expect(inOrder('oldest')).toEqual([4, 1, 3, 2])
    expect(inOrder('best')).toEqual([2, 4, 3, 1])
    expect(foldHits(noHitsShown, hits, undefined, 2, 'oldest').hits.map(({ id }) => id)).toEqual([
      4, 1,
    ])
  })
})
