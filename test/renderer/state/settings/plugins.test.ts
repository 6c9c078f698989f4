import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { quiet } from '../../../support/quiet'
import { createMemoryHome } from '../../harness/memory-home'
import { everyPlugin } from '../../harness/memory-plugins'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

/** The plugins of a window over a home in memory that has one of every state. */
function opened() {
  const home = createMemoryHome({ ...quietHome(), plugins: everyPlugin() })
  const api = createApi(home.api.transport)
  const stores = createStores(api, keptInMap())
  followMain(api, stores)
  const state = () => stores.plugins.getState()
  const lists = () => home.api.calls.filter(({ channel }) => channel === 'plugins.list').length
  const one = (name: string) => state().view?.plugins.find((plugin) => plugin.name === name)
  return { home, state, lists, one }
}

const run = {
  startedAtMs: 1,
  durationMs: 1,
  asked: 'tool todo_add',
  exitCode: 0,
  problem: null,
  stderr: '',
}

describe('the plugins of a window', () => {
  it('are asked for while they are shown, and not when they are not', async () => {
    const { home, state, lists } = opened()
    home.plugins.ran('todo', run)
    await quiet()
    expect(lists()).toBe(0)
    await state().load()
    expect(state().view?.plugins).toHaveLength(7)
    home.plugins.ran('todo', run)
    await quiet()
    expect(lists()).toBe(2)
    state().leave()
    home.plugins.ran('todo', run)
    await quiet()
    expect(lists()).toBe(2)
    expect(state().view).toBeUndefined()
  })

  it('are listed once more, however many runs end while they are listed', async () => {
    const { home, state, lists } = opened()
    await state().load()
    for (let i = 0; i < 20; i++) home.plugins.ran('todo', run)
    await quiet()
    await quiet()
    expect(lists()).toBe(3)
    expect(state().view?.plugins.find(({ name }) => name === 'todo')?.runs).toHaveLength(22)
  })

  it('are trusted as what was looked at, and say what was done', async () => {
    const { home, state, one } = opened()
    await state().load()
    expect(await state().trust()).toBe(false)
    await state().lookAt('pack')
    expect(state().look?.hash).toBe('ab'.repeat(32))
    home.plugins.refuse('bad-argument', 'It has changed.')
    expect(await state().trust()).toBe(false)
    expect(state().refusal?.message).toBe('It has changed.')
    expect(one('pack')?.state).toBe('untrusted')
    expect(await state().trust()).toBe(true)
    expect([one('pack')?.state, state().look, state().news]).toEqual([
      'trusted',
      undefined,
      'pack is trusted.',
    ])
    expect(await state().distrust('pack')).toBe(true)
    expect(one('pack')?.state).toBe('untrusted')
  })

  it('say why they are not known', async () => {
    const { home, state } = opened()
    home.plugins.refuse('io', 'The folder cannot be read.')
    await state().load()
    expect(state().failure?.message).toBe('The folder cannot be read.')
    await state().load()
    expect(state().failure).toBeUndefined()
  })
})
