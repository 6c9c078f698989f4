import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createSettingsStore } from '../../../../src/renderer/state/settings/settings'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryHome } from '../../harness/memory-home'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')

function storeOf() {
  const home = createMemoryHome(quietHome())
  const store = createSettingsStore(createApi(home.api.transport))
  const used = (key: string) =>
    store.getState().config?.view.values.find((value) => value.key === key)?.used?.where
  return { home, store, state: store.getState, used }
}

describe('the keys of chibi’s files', () => {
  it('are those of what was asked for last, however late the other answer comes', async () => {
    const { state, used } = storeOf()
    await Promise.all([state().loadConfig(garden), state().loadConfig(undefined)])
    expect([state().config?.key, used('fuel')]).toEqual([undefined, 'default'])
    await state().loadConfig(garden)
    expect([state().config?.key, used('fuel')]).toEqual([garden, 'local.toml:1'])
  })

  it('are as they are after a change, of the same context', async () => {
    const { home, state, used } = storeOf()
    await state().loadConfig(garden)
    const change = { key: 'fuel', value: '5', file: 'local.toml', was: '25' } as const
    expect(await state().setValue(change)).toBe(true)
    expect([state().config?.key, used('fuel')]).toEqual([garden, 'local.toml:1'])
    expect(home.api.calls.at(-1)?.args).toEqual({ ...change, context: garden })
  })

  it('stay where a change is refused, which is told until the next one of that key', async () => {
    const { state, used } = storeOf()
    await state().loadConfig(undefined)
    const change = { key: 'fuel', value: 'x', file: 'config.toml', was: null } as const
    expect(await state().setValue(change)).toBe(false)
    expect(used('fuel')).toBe('default')
    expect(state().configRefusals.fuel?.message).toBe('fuel must be a whole number of at least 0.')
    await state().setValue({ ...change, key: 'username' })
    expect(Object.keys(state().configRefusals)).toEqual(['fuel'])
    expect(await state().setValue({ ...change, value: '5' })).toBe(true)
    expect([used('fuel'), state().configRefusals]).toEqual(['config.toml:4', {}])
  })

  it('are asked for again when the settings changed', async () => {
    const { home, state, store } = storeOf()
    await state().load()
    await state().loadConfig(garden)
    const { view } = store.getState()
    if (view !== undefined) state().fold(view)
    await expect
      .poll(() => home.api.calls.filter(({ channel }) => channel === 'settings.config').length)
      .toBe(2)
  })
})
