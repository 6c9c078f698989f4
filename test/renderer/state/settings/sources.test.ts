import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { createMemoryHome } from '../../harness/memory-home'
import { everyRoot } from '../../harness/memory-sources'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const cycod = { source: 'cycod' as const, path: '/home/mira/.cycod' }

/** The sources of a window over a home in memory that has roots of every kind. */
function opened() {
  const home = createMemoryHome({ ...quietHome(), sources: everyRoot() })
  const api = createApi(home.api.transport)
  const stores = createStores(api, keptInMap())
  followMain(api, stores)
  const calls = () => home.api.calls.map(({ channel }) => channel)
  const state = () => stores.sources.getState()
  const root = (path: string) => state().view?.roots.find((one) => one.path === path)
  return { home, state, calls, root }
}

describe('the sources of a window', () => {
  it('are asked for, and looked at where nobody has', async () => {
    const { state, calls } = opened()
    await state().load()
    expect(state().view?.roots).toHaveLength(5)
    expect(calls()).toEqual(['sources.get', 'sources.look'])
  })

  it('follow what main tells while it looks', async () => {
    const { home, state } = opened()
    await state().load()
    home.sources.look(2314)
    expect(state().view?.looking).toEqual({ files: 2314 })
    await state().stop()
    expect(state().view?.looking).toBeNull()
  })

  it('have the library read again after a change, and after another look, but not after a refusal', async () => {
    const { home, state, calls, root } = opened()
    const lists = () => calls().filter((channel) => channel === 'library.list').length
    await state().load()
    expect(await state().turn(cycod, false)).toBe(true)
    expect(root(cycod.path)?.state).toEqual({ type: 'off' })
    expect(lists()).toBe(1)
    await state().lookAgain()
    expect(lists()).toBe(2)
    home.sources.refuse(new AppError('disk-full', 'The disk is full.'))
    expect(await state().turn(cycod, true)).toBe(false)
    expect(state().refusal?.code).toBe('disk-full')
    expect(root(cycod.path)?.state).toEqual({ type: 'off' })
    expect(lists()).toBe(2)
  })

  it('take in what Skein is opened with, behind an import that runs, and say of each why not', async () => {
    const { home, state, calls } = opened()
    await state().load()
    home.sources.pick('/home/mira/export.zip', ['chatgpt'])
    const running = state().import()
    home.sources.openWith(['pears.jsonl', 'empty.zip'])
    await state().importOpened()
    expect(calls()).not.toContain('sources.importOpened')
    await running
    expect(calls().filter((channel) => channel === 'sources.importOpened')).toHaveLength(1)
    expect(state().imported.map(({ name }) => name)).toEqual(['pears.jsonl'])
    expect(state().failures).toEqual(['empty.zip was not imported: it is empty.'])
    expect(await state().isOpenedWith()).toBe(false)
    await state().lookAgain()
    expect(state().failures).toEqual([])
  })

  it('keep what came of files that Skein is opened with, where a second word of them comes meanwhile', async () => {
    const { home, state } = opened()
    await state().load()
    home.sources.openWith(['pears.jsonl'])
    await Promise.all([state().importOpened(), state().importOpened()])
    expect(state().imported.map(({ name }) => name)).toEqual(['pears.jsonl'])
  })

  it('add what was picked: at once, or after somebody said whose it is', async () => {
    const { home, state, root } = opened()
    await state().load()
    home.sources.pick('/home/mira/voices', ['voicemode'])
    await state().add('folder')
    expect(state().added).toEqual({ source: 'voicemode', path: '/home/mira/voices' })
    expect(root('/home/mira/voices')?.source).toBe('voicemode')
    home.sources.pick('/home/mira/a.jsonl', ['cycod', 'fluux'])
    await state().add('file')
    expect(state().choice).toMatchObject({ shown: '~/a.jsonl', found: ['cycod', 'fluux'] })
    expect(root('/home/mira/a.jsonl')).toBeUndefined()
    home.sources.refuse(new AppError('exists', 'It is read already.'))
    expect(await state().addAs('fluux')).toBe(false)
    expect(state().choice).toBeDefined()
    expect(await state().addAs('fluux')).toBe(true)
    expect(state().choice).toBeUndefined()
    expect(root('/home/mira/a.jsonl')?.source).toBe('fluux')
  })

  it('ask for one folder at a time, and add nothing when that is cancelled', async () => {
    const { state, calls } = opened()
    await state().load()
    const adding = state().add('folder')
    expect(state().adding).toBe('folder')
    await state().add('file')
    await adding
    expect(state().adding).toBeUndefined()
    expect(calls().filter((channel) => channel === 'sources.add')).toHaveLength(1)
    expect(state().view?.roots).toHaveLength(5)
  })

  it('say what was removed', async () => {
    const { state, root } = opened()
    await state().load()
    const added = state().view?.roots.find(({ origin }) => origin === 'added')
    if (added === undefined) throw new Error('one was added')
    expect(await state().remove(added)).toBe(true)
    expect(root(added.path)).toBeUndefined()
    expect(state().removed).toBe(added.shown)
  })

  it('say why they are not known', async () => {
    const { home, state } = opened()
    home.sources.refuse(new AppError('io', 'Nobody answers.'))
    await state().load()
    expect(state().failure?.message).toBe('Nobody answers.')
    await state().load()
    expect(state().failure).toBeUndefined()
  })
})
