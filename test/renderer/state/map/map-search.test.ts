import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { followMapSearch } from '../../../../src/renderer/state/follow/follow-map-search'
import { createMapStore } from '../../../../src/renderer/state/map/map'
import { createMapSearchStore } from '../../../../src/renderer/state/map/map-search'
import { hitPlace } from '../../../../src/renderer/state/map/preview'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { nameOf } from '../../../../src/shared/model/map/painted-hits'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { handClock } from '../support/hand-clock'
import { quietHome } from '../support/quiet-home'

const [a, b, other] = ['a', 'b', 'other'].map((key) => LibraryKey.parse(key)) as [
  LibraryKey,
  LibraryKey,
  LibraryKey,
]

/** Two branches of one family, which share a beginning, and a conversation of another. */
function searching() {
  const context = (key: LibraryKey, words: string, family?: string) => ({
    summary: summaryOf(key, { key, title: 'needle title' }),
    rows: rowsOf([said('needle in common'), answered('yes'), said(words), answered('well')]),
    ...(family === undefined ? {} : { family }),
  })
  const home = createMemoryHome({
    ...quietHome(),
    contexts: [
      context(a, 'one needle', 'f'),
      context(b, 'two Needles', 'f'),
      context(other, 'needle elsewhere'),
    ],
  })
  const api = createApi(home.api.transport)
  const clock = handClock()
  const map = createMapStore(api, handClock())
  const store = createMapSearchStore(api, clock)
  const stop = followMapSearch(api, { map, mapSearch: store })
  const calls = (channel: string) =>
    home.api.calls.filter((call) => call.channel === channel).map(({ args }) => args)
  return { home, api, clock, map: map.getState, search: store.getState, stop, calls }
}

async function opened() {
  const all = searching()
  all.map().open(a)
  await expect.poll(() => all.search().map?.nodes.length).toBe(3)
  return all
}

async function searched(text: string) {
  const all = await opened()
  all.search().setText(text)
  all.clock.pass(120)
  await expect.poll(() => all.search().phase).toBe('done')
  return all
}

const texts = (search: ReturnType<typeof searching>['search']) =>
  search().hits?.list.map((hit) => search().lines.get(nameOf(hit))?.snippet)

describe('the search on the map', () => {
  it('searches the family alone, and counts what its branches share once', async () => {
    const { search, calls, stop } = await searched('needle')
    expect(texts(search)).toEqual(['needle in common', 'one needle', 'two Needles'])
    expect([...(search().hits?.ofNode ?? [])]).toEqual([1, 1, 1])
    expect(calls('search.query')).toEqual([
      expect.objectContaining({ query: 'needle', scope: { conversations: [a, b] } }),
    ])
    stop()
  })

  it('searches after a pause of typing, at once with Enter, and not again for the same words', async () => {
    const { search, clock, calls, stop } = await opened()
    search().setText('n')
    search().setText('ne')
    expect([search().phase, search().isStale]).toEqual(['searching', true])
    clock.pass(119)
    expect(calls('search.query')).toEqual([])
    clock.pass(1)
    await expect.poll(() => search().phase).toBe('done')
    search().setText('ne ')
    search().setText('nee')
    search().searchNow()
    await expect.poll(() => search().isStale).toBe(false)
    clock.pass(1000)
    expect(calls('search.query').map((args) => (args as { query: string }).query)).toEqual([
      'ne',
      'nee',
    ])
    stop()
  })

  it('paints hits as they come, keeps those of the words before until then, and drops late answers', async () => {
    const { search, clock, home, stop } = await searched('one')
    expect(texts(search)).toEqual(['one needle'])
    home.search.hold()
    search().setText('needle')
    clock.pass(120)
    await expect.poll(() => home.search.held()).toBe('needle')
    expect([texts(search), search().isStale]).toEqual([['one needle'], true])
    home.search.tell(1, 'oldest')
    await expect.poll(() => search().isStale).toBe(false)
    expect(search().hits?.list).toHaveLength(1)
    expect(search().phase).toBe('searching')
    search().setText('two')
    clock.pass(120)
    home.search.finish()
    await expect.poll(() => [search().phase, texts(search)]).toEqual(['done', ['two Needles']])
    stop()
  })

  it('keeps what it has when a person stops it, and clears everything with the text', async () => {
    const { search, clock, home, map, stop } = await opened()
    home.search.hold()
    search().setText('needle')
    clock.pass(120)
    await expect.poll(() => home.search.held()).toBe('needle')
    home.search.tell(2)
    search().stop()
    await expect.poll(() => search().phase).toBe('done')
    expect(search()).toMatchObject({ isStopped: true, outcome: { complete: false } })
    expect(search().hits?.list).toHaveLength(2)
    // A person stopped it: nothing begins it again but a person.
    await map().load()
    expect([search().phase, home.search.held()]).toEqual(['done', undefined])
    search().clear()
    expect(search()).toMatchObject({ text: '', phase: 'idle', hits: undefined, isStopped: false })
    // What waits for the pause of typing is not begun.
    search().setText('x')
    search().stop()
    expect([search().text, clock.waiting]).toEqual(['', 0])
    stop()
  })

  it('says why it failed, paints nothing then, and tries again', async () => {
    const { search, clock, home, stop } = await searched('needle')
    home.search.refuse(new AppError('unreadable', 'the folder is gone'))
    search().setText('one')
    clock.pass(120)
    await expect.poll(() => search().phase).toBe('failed')
    expect(search()).toMatchObject({ hits: undefined, isStale: false })
    expect(search().failure?.message).toBe('the folder is gone')
    search().searchAgain()
    await expect.poll(() => texts(search)).toEqual(['one needle'])
    expect(search().failure).toBe(undefined)
    stop()
  })

  it('finds what was appended once the map has it, and stays at the hit that was reached', async () => {
    const { search, home, map, stop } = await searched('needle')
    search().goTo(search().hits?.list[1])
    home.append('b', [said('a third needle')])
    await map().load()
    await expect.poll(() => search().hits?.list.length).toBe(4)
    expect(search().current).toBe(search().hits?.list[1])
    stop()
  })

  it('says nothing of a search that it repeats since the family has grown', async () => {
    const { search, home, map, stop } = await searched('needle')
    home.search.hold()
    home.append('b', [said('a third needle')])
    await map().load()
    await expect.poll(() => home.search.held()).toBe('needle')
    home.search.tell(2)
    expect(search()).toMatchObject({ phase: 'done', isStale: false })
    expect(search().hits?.list).toHaveLength(3)
    home.search.finish()
    await expect.poll(() => search().hits?.list.length).toBe(4)
    stop()
  })

  it('forgets its words for another family, and keeps them for another branch of this one', async () => {
    const { search, map, stop } = await searched('needle')
    map().open(b)
    await expect.poll(() => map().map?.path.at(-1)?.node).toBe('chibi:b/2')
    await expect.poll(() => search().phase).toBe('done')
    expect([search().text, search().key, search().hits?.list.length]).toEqual(['needle', b, 3])
    map().open(other)
    expect(search()).toMatchObject({ text: '', hits: undefined })
    await expect.poll(() => search().map?.nodes.length).toBe(1)
    stop()
  })

  it('loads the line of a hit that did not come with the answer, once', async () => {
    const { search, calls, stop } = await searched('needle')
    const hit = search().hits?.list[2]
    if (hit === undefined) throw new Error('no hit')
    await search().loadLine(hit)
    expect(calls('search.query')).toHaveLength(1)
    const forgotten = search().lines as Map<string, unknown>
    forgotten.clear()
    await search().loadLine(hit)
    await search().loadLine(hit)
    expect(calls('search.query')).toHaveLength(2)
    expect(calls('search.query')[1]).toMatchObject({
      scope: { conversations: [hit.key], entry: hit.entry },
    })
    expect(search().lines.get(nameOf(hit))?.snippet).toBe('two Needles')
    stop()
  })

  it('opens a hit where it was found; what the shown conversation holds under the same id, there', async () => {
    const { search, map, stop } = await searched('needle')
    const family = map().map
    const [common, , elsewhere] = search().hits?.list ?? []
    if (family == null || common === undefined || elsewhere === undefined) throw new Error('no hit')
    expect(hitPlace(family, a, elsewhere)).toEqual({ key: b, entry: elsewhere.entry })
    const id = '00000000-0000-4000-8000-000000000001' as typeof common.entry
    expect(hitPlace(family, a, { ...common, key: b, entry: id }).key).toBe(a)
    expect(hitPlace(family, a, { ...elsewhere, entry: id }).key).toBe(b)
    stop()
  })
})
