import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createLostStore } from '../../../../src/renderer/state/library/lost'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { DamagedLine } from '../../../../src/shared/model/conversation/transcript'
import type { LostItem } from '../../../../src/shared/model/lost'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, type MemoryHomeOptions, summaryOf } from '../../harness/memory-home'
import { handClock } from '../support/hand-clock'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')

const damaged = (lines: number): LostItem => ({
  kind: 'damaged',
  source: 'chibi',
  key: garden,
  title: 'garden',
  lines,
  words: [],
  place: '~/.chibi/contexts/garden',
})
const found = (items: readonly LostItem[], waiting = 0) => ({
  items: [...items],
  counted: 2,
  waiting,
  large: 0,
})

const lineOf = (line: number): DamagedLine => ({
  file: 'active.jsonl',
  line,
  offset: line * 10,
  length: 1,
  reason: 'it is no JSON',
  bytes: 'e3==',
})

/** The store alone, over a home in memory and a clock that is moved by hand. */
function storeOf(lost: NonNullable<MemoryHomeOptions['lost']>) {
  const home = createMemoryHome({ ...quietHome(), lost })
  const clock = handClock()
  const store = createLostStore(createApi(home.api.transport), clock)
  const calls = (name: string) =>
    home.api.calls.filter(({ channel }) => channel === `lost.${name}`).map(({ args }) => args)
  return { home, clock, store, lost: store.getState, calls }
}

describe('what is lost', () => {
  it('is looked for when the view opens, and kept when it closes', async () => {
    const { lost, calls } = storeOf({ found: found([damaged(2)], 3) })
    lost().open()
    expect([lost().isOpen, lost().isLooking, lost().found]).toEqual([true, true, undefined])
    await quiet()
    expect([lost().isLooking, lost().found]).toEqual([false, found([damaged(2)], 3)])
    lost().hide()
    expect([lost().isOpen, lost().found?.items.length, calls('list').length]).toEqual([false, 1, 1])
  })

  it('is looked for once for a burst of changes: soon while one looks, later while nobody does', async () => {
    const { lost, clock, calls } = storeOf({ found: found([]) })
    lost().lookSoon()
    lost().lookSoon()
    clock.pass(1_999)
    expect(calls('list').length).toBe(0)
    clock.pass(1)
    await quiet()
    expect(calls('list').length).toBe(1)
    lost().open()
    await quiet()
    lost().lookSoon()
    lost().lookSoon()
    clock.pass(499)
    expect(calls('list').length).toBe(2)
    clock.pass(1)
    await quiet()
    expect([calls('list').length, clock.waiting]).toEqual([3, 0])
  })

  it('is looked for again after a look that was under way when something changed', async () => {
    const { home, lost, clock, calls } = storeOf({ found: found([]) })
    home.lost.hold()
    lost().open()
    lost().lookSoon()
    void lost().look()
    home.lost.set(found([damaged(1)]))
    clock.pass(60_000)
    expect(calls('list').length).toBe(1)
    home.lost.release()
    await quiet()
    clock.pass(240_000)
    await quiet()
    expect([calls('list').length, lost().found?.items.length]).toEqual([2, 1])
  })

  it('takes a fifth of the time at most to look for', async () => {
    const { home, lost, clock, calls } = storeOf({ found: found([]) })
    home.lost.hold()
    lost().open()
    clock.pass(3_000)
    home.lost.release()
    await quiet()
    lost().lookSoon()
    clock.pass(11_999)
    expect(calls('list').length).toBe(1)
    clock.pass(1)
    expect(calls('list').length).toBe(2)
  })

  it('stays on the screen when a later look fails, with the reason', async () => {
    const { home, lost } = storeOf({ found: found([damaged(2)]) })
    await lost().look()
    home.lost.refuse(new AppError('unreadable', 'The disk does not answer.'))
    await lost().look()
    expect([lost().failure?.message, lost().found?.items.length]).toEqual([
      'The disk does not answer.',
      1,
    ])
    await lost().look()
    expect(lost().failure).toBe(undefined)
  })

  it('is of one home: an answer that comes after another was opened is dropped', async () => {
    const { home, lost } = storeOf({ found: found([damaged(2)]) })
    home.lost.hold()
    lost().open()
    lost().reset()
    home.lost.release()
    await quiet()
    expect([lost().found, lost().isLooking, lost().isOpen]).toEqual([undefined, false, false])
  })
})

describe('damaged lines', () => {
  const many = Array.from({ length: 140 }, (_, index) => lineOf(index + 1))

  it('come by a hundred at first, and all of them when asked', async () => {
    const { lost, calls } = storeOf({ found: found([damaged(140)]), lines: { garden: many } })
    await lost().showLines(garden)
    const first = lost().lines.garden
    expect(first?.type === 'shown' && [first.found.lines.length, first.found.total]).toEqual([
      100, 140,
    ])
    const more = lost().showLines(garden, 1000)
    expect(lost().lines.garden).toMatchObject({ type: 'loading', before: { total: 140 } })
    await more
    expect(lost().lines.garden).toMatchObject({ type: 'shown', found: { lines: many } })
    expect(calls('lines')).toEqual([
      { key: 'garden', limit: 100 },
      { key: 'garden', limit: 1000 },
    ])
  })

  it('stay folded that were folded while they were read', async () => {
    const { home, lost } = storeOf({ found: found([damaged(1)]), lines: { garden: many } })
    home.lost.hold()
    const reading = lost().showLines(garden)
    lost().hideLines(garden)
    home.lost.release()
    await reading
    expect(lost().lines).toEqual({})
  })

  it('say why they cannot be read', async () => {
    const { lost } = storeOf({ found: found([damaged(1)]) })
    await lost().showLines(garden)
    expect(lost().lines.garden).toMatchObject({ type: 'failed', failure: { code: 'not-found' } })
  })

  it('are read again when their number changed, and folded when there are none any more', async () => {
    const { home, lost, calls } = storeOf({
      found: found([damaged(1)]),
      lines: { garden: many.slice(0, 2) },
    })
    await lost().look()
    await lost().showLines(garden)
    await lost().look()
    expect(calls('lines').length).toBe(1)
    home.lost.set(found([damaged(2)]))
    await lost().look()
    await quiet()
    expect([calls('lines').length, lost().lines.garden?.type]).toEqual([2, 'shown'])
    home.lost.set(found([]))
    await lost().look()
    expect(lost().lines).toEqual({})
  })
})

describe('a conversation that is gone', () => {
  const gone: LostItem = { ...damaged(0), kind: 'gone', place: '' }

  it('leaves the list when it is forgotten', async () => {
    const { lost, calls } = storeOf({ found: found([gone]) })
    await lost().look()
    expect(await lost().forget(garden)).toBe(true)
    expect([lost().found?.items, calls('forget')]).toEqual([[], [{ key: 'garden' }]])
  })

  it('stays on the list when that is refused, with the reason', async () => {
    const { home, lost } = storeOf({ found: found([gone]) })
    await lost().look()
    home.lost.refuse(new AppError('unreadable', 'The list is not written.'))
    expect(await lost().forget(garden)).toBe(false)
    expect([lost().found?.items.length, lost().refusals.garden?.message]).toEqual([
      1,
      'The list is not written.',
    ])
    expect(await lost().forget(garden)).toBe(true)
    expect(lost().refusals).toEqual({})
  })
})

describe('the view over the conversation', () => {
  /** All stores of a window, as main tells them. */
  async function windowOf() {
    const home = createMemoryHome({ ...quietHome(), lost: { found: found([damaged(1)]) } })
    const api = createApi(home.api.transport)
    const stores = createStores(api, keptInMap())
    const end = followMain(api, stores)
    await stores.app.getState().load()
    await stores.library.getState().load()
    return { home, stores, end, isOpen: () => stores.lost.getState().isOpen }
  }

  it('makes way for a conversation, and takes turns with the search', async () => {
    const { stores, isOpen, end } = await windowOf()
    const { lost, search, app } = stores
    lost.getState().open()
    search.getState().open('query')
    expect([isOpen(), search.getState().isOpen, lost.getState().leavesFocus]).toEqual([
      false,
      true,
      true,
    ])
    lost.getState().open()
    expect([isOpen(), search.getState().isOpen]).toEqual([true, false])
    app.getState().show({ type: 'conversation', key: garden })
    expect(isOpen()).toBe(false)
    end()
  })

  it('is reset with the home', async () => {
    const { stores, isOpen, end } = await windowOf()
    stores.lost.getState().open()
    await quiet()
    const { status } = stores.app.getState()
    if (status === undefined) throw new Error('there is no status')
    stores.app.setState({ status: { ...status, home: { ...status.home, path: '/elsewhere' } } })
    expect([isOpen(), stores.lost.getState().found]).toEqual([false, undefined])
    end()
  })

  it('follows what is told of the library while it is open, and losses alone while it is closed', async () => {
    const { home, stores, end } = await windowOf()
    let asked = 0
    stores.lost.setState({ lookSoon: () => void asked++ })
    const tell = (more: Parameters<typeof summaryOf>[1]) =>
      home.changeLibrary({ conversations: [summaryOf('garden', more)], gone: [] })
    tell({ entries: 3 })
    expect(asked).toBe(0)
    tell({ entries: 3, damaged: 1 })
    expect(asked).toBe(1)
    tell({ entries: 4, damaged: 1 })
    expect(asked).toBe(1)
    tell({ entries: 4, damaged: 1, gone: true })
    expect(asked).toBe(2)
    tell({ entries: 4, unreadable: 'permission denied' })
    expect(asked).toBe(3)
    stores.lost.getState().open()
    tell({ entries: 5, unreadable: 'permission denied' })
    expect(asked).toBe(4)
    end()
  })
})
