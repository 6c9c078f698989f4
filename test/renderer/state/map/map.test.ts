import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createMapStore } from '../../../../src/renderer/state/map/map'
import { nodeComparePoint, ownBeginning } from '../../../../src/renderer/state/map/node-points'
import { nodePlace } from '../../../../src/renderer/state/map/preview'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { messageTrait } from '../../../../src/shared/model/family/message-traits'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { handClock } from '../support/hand-clock'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const [a, b, alone] = ['a', 'b', 'alone'].map((key) => LibraryKey.parse(key)) as [
  LibraryKey,
  LibraryKey,
  LibraryKey,
]

function homeOfFamily() {
  const context = (key: LibraryKey, words: string, family?: string) => ({
    summary: summaryOf(key, { key }),
    rows: rowsOf([said('begin'), answered('yes'), said(words), answered('well')]),
    ...(family === undefined ? {} : { family }),
  })
  return createMemoryHome({
    ...quietHome(),
    contexts: [context(a, 'one', 'f'), context(b, 'two', 'f'), context(alone, 'other')],
  })
}

/** The store alone, and a clock that is moved by hand. */
function storeOf() {
  const home = homeOfFamily()
  const clock = handClock()
  const store = createMapStore(createApi(home.api.transport), clock)
  const asked = () =>
    home.api.calls.filter(({ channel }) => channel === 'branches.map').map(({ args }) => args)
  return { home, clock, map: store.getState, asked }
}

const loaded = async (map: ReturnType<typeof storeOf>['map'], count: number) =>
  expect.poll(() => map().map?.nodes.length).toBe(count)

describe('the map of a family', () => {
  it('keeps lines and choices when another conversation of the family is opened, and forgets them for another family', async () => {
    const { map } = storeOf()
    map().open(a)
    await loaded(map, 3)
    map().mark('chibi:b/2')
    map().toggleFold('x')
    map().hide()
    map().open(b)
    expect(map()).toMatchObject({ key: b, straightKey: a, marked: undefined })
    expect(map().unfolded.has('x')).toBe(true)
    await expect.poll(() => map().map?.path.at(-1)?.node).toBe('chibi:b/2')
    map().straighten()
    expect(map().straightKey).toBe(b)
    map().open(alone)
    expect(map()).toMatchObject({ key: alone, straightKey: alone, map: undefined })
    expect(map().unfolded.size).toBe(0)
    await loaded(map, 1)
  })

  it('reads a burst of changes once after a rest, and while it is closed when it is opened again', async () => {
    const { map, clock, asked, home } = storeOf()
    map().open(a)
    await loaded(map, 3)
    map().foldChanged()
    map().foldChanged()
    expect(asked()).toHaveLength(1)
    clock.pass(600)
    expect(asked()).toHaveLength(2)
    map().hide()
    home.append('a', [said('more')])
    map().foldChanged()
    clock.pass(600)
    expect(asked()).toHaveLength(2)
    map().open(a)
    expect(asked()).toHaveLength(3)
    await expect.poll(() => map().map?.facts.ids.length).toBe(7)
  })

  it('keeps the same map where nothing is new, so that nothing is laid out and drawn again', async () => {
    const { map, home } = storeOf()
    map().open(a)
    await loaded(map, 3)
    const before = map().map
    await map().load()
    expect(map().map).toBe(before)
    home.append('a', [said('more')])
    await map().load()
    expect(map().map).not.toBe(before)
    expect(map().map?.facts.ids).toHaveLength(7)
  })

  it('keeps what it has when it cannot be read again, and says why', async () => {
    const { map, home } = storeOf()
    map().open(a)
    await loaded(map, 3)
    home.refuse(new AppError('unreadable', 'gone'))
    await map().load()
    expect(map().failure?.message).toBe('gone')
    expect(map().map?.nodes).toHaveLength(3)
    await map().load()
    expect(map().failure).toBe(undefined)
  })

  it('compares a node as its conversation is now where that ends in it, else up to its last entry', async () => {
    const { map } = storeOf()
    map().open(b)
    await loaded(map, 3)
    const family = map().map
    if (family == null) throw new Error('no map')
    const [root] = family.nodes
    expect(nodeComparePoint(family, 'chibi:a/2')).toEqual({ key: a })
    expect(nodeComparePoint(family, root?.id ?? '')).toEqual({ key: a, entry: root?.toEntry })
    expect(nodeComparePoint(family, 'nobody')).toBe(undefined)
  })

  it('offers the own message with which a node begins, and none where a model speaks first', async () => {
    const { map } = storeOf()
    map().open(b)
    await loaded(map, 3)
    const family = map().map
    if (family == null) throw new Error('no map')
    const [, other] = family.nodes
    expect(ownBeginning(family, b, 'chibi:b/2')).toEqual({
      key: b,
      entry: family.path.at(-1)?.firstEntry,
    })
    expect(ownBeginning(family, b, 'chibi:a/2')).toEqual({ key: a, entry: other?.fromEntry })
    expect(ownBeginning(family, b, 'nobody')).toBe(undefined)
    const { facts } = family
    const answered = facts.starts[1] ?? 0
    const traits = facts.traits.map((bits, at) => (at === answered ? messageTrait.machine : bits))
    const spoken = { ...family, facts: { ...facts, traits } }
    expect(ownBeginning(spoken, b, other?.id ?? '')).toBe(undefined)
  })

  it('marks one node as B, and takes the mark away again', () => {
    const { map } = storeOf()
    map().mark('x')
    map().mark('y')
    expect(map().marked).toBe('y')
    map().mark('y')
    expect(map().marked).toBe(undefined)
  })

  it('compares the open conversation with B, else with the selected node, and asks where neither is another branch', async () => {
    const home = homeOfFamily()
    const api = createApi(home.api.transport)
    const stores = createStores(api, keptInMap())
    const stop = followMain(api, stores)
    const actions = createActions(stores, keptInMap())
    const { map, compare } = stores
    map.getState().open(a)
    await loaded(map.getState, 3)
    actions.compareOnMap('chibi:b/2')
    expect(compare.getState().points).toEqual({ left: { key: a }, right: { key: b } })
    expect(map.getState()).toMatchObject({ isOpen: false, marked: 'chibi:b/2' })
    await expect.poll(() => compare.getState().phase).toBe('ready')
    compare.getState().hide()
    expect(map.getState().isOpen).toBe(true)
    actions.compareOnMap('chibi:a/2')
    expect(compare.getState().points?.right).toEqual({ key: b })
    compare.getState().hide()
    map.getState().mark('chibi:b/2')
    actions.compareOnMap('chibi:a/2')
    expect(compare.getState()).toMatchObject({ phase: 'choosing', points: { left: { key: a } } })
    compare.getState().hide()
    stop()
  })

  it('shows the first words of a person in a node, and where it begins in the shown conversation', async () => {
    const { map } = storeOf()
    map().open(b)
    await loaded(map, 3)
    await map().preview('chibi:b/2')
    expect(map().previews.get('chibi:b/2')).toMatchObject({ who: 'user', text: 'two' })
    const family = map().map
    if (family == null) throw new Error('no map')
    const here = family.path.at(-1)
    expect(nodePlace(family, b, 'chibi:b/2')).toEqual({ key: b, entry: here?.firstEntry })
    expect(nodePlace(family, b, 'chibi:a/2')?.key).toBe(a)
    expect(nodePlace(family, b, 'nobody')).toBe(undefined)
    await map().preview('nobody')
    expect(map().previews.size).toBe(1)
  })

  it('closes when a conversation is opened, and takes turns with the other views', () => {
    const home = homeOfFamily()
    const api = createApi(home.api.transport)
    const stores = createStores(api, keptInMap())
    const stop = followMain(api, stores)
    const { map, search, app, lost } = stores
    map.getState().open(a)
    search.getState().open('query')
    expect(map.getState().isOpen).toBe(false)
    map.getState().open(a)
    expect(search.getState().isOpen).toBe(false)
    lost.getState().open()
    expect(map.getState().isOpen).toBe(false)
    map.getState().open(a)
    expect(lost.getState().isOpen).toBe(false)
    app.getState().show({ type: 'conversation', key: b })
    expect(map.getState()).toMatchObject({ isOpen: false, leavesFocus: true })
    stop()
  })
})
