import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createCompareStore } from '../../../../src/renderer/state/compare/compare'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { spotKey } from '../../../../src/renderer/state/transcript/branching'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { createMemoryHome } from '../../harness/memory-home'
import { answered, type RowDraft, said } from '../../harness/rows'
import { handClock } from '../support/hand-clock'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const garden = { key: LibraryKey.parse('garden') }
const kitchen = { key: LibraryKey.parse('kitchen') }

/** Many messages, each other than its neighbours. */
const many: readonly RowDraft[] = Array.from({ length: 130 }, (_, at) => said(`Bed number ${at}`))

function storeOf(drafts?: readonly RowDraft[]) {
  const home = createMemoryHome(quietHome(drafts))
  const clock = handClock()
  const kept = keptInMap()
  const store = createCompareStore(createApi(home.api.transport), kept, clock)
  const calls = (name: string) =>
    home.api.calls
      .filter(({ channel }) => channel === `comparisons.${name}`)
      .map(({ args }) => args)
  return { home, clock, kept, store, now: store.getState, calls }
}

describe('the comparison', () => {
  it('is opened, and its rows are read where they are shown, once', async () => {
    const { now, calls } = storeOf(many)
    await now().open(garden, kitchen)
    expect(now()).toMatchObject({ isOpen: true, phase: 'ready', view: { forked: false } })
    expect(now().view?.left.entries).toBe(130)
    now().want(0, 30)
    now().want(10, 30)
    await expect.poll(() => now().rows.size).toBe(50)
    expect(calls('rows')).toMatchObject([
      { from: 0, limit: 25 },
      { from: 25, limit: 25 },
    ])
    expect(now().rows.get(3)).toMatchObject({ kind: 'removed', left: { content: 'Bed number 3' } })
  })

  it('asks what to compare with where only one side is known, and exchanges both', async () => {
    const { now } = storeOf()
    await now().open(garden)
    expect(now()).toMatchObject({ phase: 'choosing', points: { left: garden } })
    await now().choose(kitchen)
    expect(now().view).toMatchObject({ left: garden, right: kitchen })
    await now().swap()
    expect(now().view).toMatchObject({ left: kitchen, right: garden })
  })

  it('says why it failed, and compares again', async () => {
    const { home, now } = storeOf()
    home.refuse(new AppError('unreadable', 'garden cannot be read.'))
    await now().open(garden, kitchen)
    expect(now()).toMatchObject({ phase: 'failed', failure: { message: 'garden cannot be read.' } })
    await now().again()
    expect(now().phase).toBe('ready')
  })

  it('drops the answer for sides that are not wanted any more', async () => {
    const { home, now } = storeOf()
    home.hold()
    const first = now().open(garden, kitchen)
    const second = now().open(kitchen, garden)
    home.release()
    await Promise.all([first, second])
    expect(now().view).toMatchObject({ left: kitchen, right: garden })
    home.hold()
    const third = now().open(garden, kitchen)
    now().hide()
    home.release()
    await third
    expect(now()).toMatchObject({ isOpen: false, view: undefined })
  })

  it('is made again after a side has grown, once, and what is shown stays meanwhile', async () => {
    const { home, now, clock, calls } = storeOf()
    await now().open(garden, kitchen)
    now().want(0, 3)
    await expect.poll(() => now().rows.size).toBe(4)
    home.append('kitchen', [said('And bread?')])
    now().foldChanged('elsewhere')
    expect(clock.waiting).toBe(0)
    now().foldChanged('kitchen')
    now().foldChanged('kitchen')
    expect([clock.waiting, now().rows.size]).toEqual([1, 4])
    clock.pass(10_000)
    expect(now().phase).toBe('ready')
    await expect.poll(() => now().view?.right.entries).toBe(3)
    expect(calls('open')).toHaveLength(2)
    // The rows that were on the screen came with it.
    expect(now().rows.get(4)).toMatchObject({ right: { content: 'And bread?' } })
  })

  it('keeps how it is shown for the next time, and takes a foreign value for none', async () => {
    const { now, kept, home } = storeOf()
    now().setOptions({ layout: 'unified', words: false })
    const again = createCompareStore(createApi(home.api.transport), kept)
    expect(again.getState().options).toEqual({
      layout: 'unified',
      words: false,
      onlyDiffering: false,
    })
    kept.set('skein.compare', 'no JSON')
    const fresh = createCompareStore(createApi(home.api.transport), kept).getState().options
    expect(fresh).toEqual({ layout: 'split', words: true, onlyDiffering: false })
  })

  it('is written to a file, and says where or why not', async () => {
    const { home, now } = storeOf()
    await now().open(garden, kitchen)
    await now().save('md')
    expect(now().saved).toEqual({ file: '~/Documents/beds.md', bytes: 2048 })
    home.refuse(new AppError('disk-full', 'The disk is full.'))
    await now().save('html')
    expect(now()).toMatchObject({ saved: undefined, saveFailure: { message: 'The disk is full.' } })
    now().dismissSaved()
    expect(now().saveFailure).toBeUndefined()
  })
})

/** A window over a home in memory, with the conversation that is open first. */
async function windowOf(drafts?: readonly RowDraft[]) {
  const home = createMemoryHome(quietHome(drafts))
  const api = createApi(home.api.transport)
  const kept = keptInMap()
  const stores = createStores(api, kept)
  const actions = createActions(stores, kept)
  const end = followMain(api, stores)
  await actions.start()
  await expect.poll(() => stores.transcript.getState().phase).toBe('ready')
  const { compare, search, lost, app } = stores
  return { home, stores, actions, end, compare, search, lost, app }
}

describe('the view of a comparison', () => {
  it('is the only one over the conversation, and closes when a conversation is opened', async () => {
    const { actions, compare, search, lost, end } = await windowOf()
    search.getState().open('query')
    actions.compare(garden, kitchen)
    expect([compare.getState().isOpen, search.getState().isOpen]).toEqual([true, false])
    lost.getState().open()
    expect(compare.getState().isOpen).toBe(false)
    actions.compare(garden, kitchen)
    expect(lost.getState().isOpen).toBe(false)
    actions.openConversation(kitchen.key)
    expect(compare.getState()).toMatchObject({ isOpen: false, leavesFocus: true })
    end()
  })
})

describe('a comparison that was opened from the map', () => {
  it('leads back to the map with its choices when it is closed, and not when something else is opened', async () => {
    const { stores, actions, compare, search, end } = await windowOf()
    const map = stores.map.getState
    map().open(garden.key)
    map().select('x')
    actions.compare(garden, kitchen)
    expect(map().isOpen).toBe(false)
    await compare.getState().swap()
    compare.getState().hide()
    expect(map()).toMatchObject({ isOpen: true, key: garden.key, selected: 'x' })
    expect(compare.getState()).toMatchObject({ isOpen: false, leavesFocus: true })
    actions.compare(garden, kitchen)
    search.getState().open('query')
    search.getState().hide()
    expect(map().isOpen).toBe(false)
    actions.compare(garden, kitchen)
    compare.getState().hide()
    expect(map().isOpen).toBe(false)
    end()
  })
})

describe('continuing from a side', () => {
  it('opens a conversation at its end, and branches from an entry', async () => {
    const { stores, actions, end, app } = await windowOf()
    expect(await actions.continueFrom(kitchen)).toBe(true)
    expect(app.getState().place).toEqual({ type: 'conversation', key: kitchen.key })
    const entry = EntryId.parse('active.jsonl-1')
    expect(await actions.continueFrom({ ...garden, entry })).toBe(true)
    expect(app.getState().place).toEqual({ type: 'conversation', key: 'garden-2' })
    expect(stores.branching.getState().refusals).toEqual({})
    end()
  })

  it('says where the entry is gone, and stays', async () => {
    const { stores, actions, end, app } = await windowOf()
    const { place } = app.getState()
    const entry = EntryId.parse('gone')
    expect(await actions.continueFrom({ ...garden, entry })).toBe(false)
    expect(app.getState().place).toBe(place)
    expect(stores.branching.getState().refusals[spotKey('garden')]?.code).toBe('not-found')
    end()
  })
})

describe('editing from elsewhere', () => {
  it('goes to the message and opens its edit with the words that were typed', async () => {
    const typed = said('[Now] soup?', { metadata: { typed: 'soup?' } })
    const { stores, actions, end } = await windowOf([said('hi'), answered('hello'), typed])
    actions.openConversation(kitchen.key)
    const entry = EntryId.parse('active.jsonl-3')
    expect(await actions.editFrom(garden.key, entry)).toBe(true)
    const { run } = stores.transcript.getState()
    const row = run.rows[2]
    expect(row).toMatchObject({ entry: { id: entry } })
    expect(Object.values(stores.branching.getState().edits)).toEqual([
      { text: 'soup?', isOpen: true },
    ])
    end()
  })

  it('opens no edit of what a model said, of what is loaded in part, and of what is gone, and says why', async () => {
    const long = said('a long one', { wholeLength: 9_000_000 })
    const toItself = said('go on', { metadata: { continued_by: 'agent' } })
    const { stores, actions, end } = await windowOf([said('hi'), answered('hello'), long, toItself])
    const faultAt = async (entry: string) => {
      stores.reading.getState().dismissFault()
      expect(await actions.editFrom(garden.key, EntryId.parse(entry))).toBe(false)
      return stores.reading.getState().fault
    }
    expect(await faultAt('active.jsonl-2')).toEqual({
      title: 'Not edited.',
      words: 'A person did not write this message.',
    })
    // The message itself is shown.
    expect(stores.reading.getState().landing).toMatchObject({ key: garden.key })
    expect((await faultAt('active.jsonl-3'))?.words).toContain('This message is too long')
    expect((await faultAt('active.jsonl-4'))?.words).toBe('The model wrote this message to itself.')
    expect((await faultAt('gone'))?.words).toContain('no longer in this conversation')
    expect(stores.branching.getState().edits).toEqual({})
    end()
  })
})
