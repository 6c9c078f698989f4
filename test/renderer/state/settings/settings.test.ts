import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createSettingsStore, settingsFor } from '../../../../src/renderer/state/settings/settings'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { VisibleSettings } from '../../../../src/shared/model/settings/settings'
import { type AllHandlers, createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')
const never = async () => {
  throw new AppError('internal', 'not asked in this test')
}

const viewOf = (model: string): VisibleSettings => ({
  ...quietHome().settings,
  model: { value: model, origin: 'settings', where: 'Settings' },
})

type Answer = Awaited<ReturnType<AllHandlers['settings']['check']>>

/** A store whose answers come when the test says so; an answer about a conversation names its model after it. */
function heldStore() {
  const gets: { readonly key: string; readonly answer: () => void }[] = []
  const checks: ((answer: Answer) => void)[] = []
  const api = createMemoryApi({
    settings: {
      get: ({ key = 'home' }) =>
        new Promise((resolve) => gets.push({ key, answer: () => resolve(viewOf(`of ${key}`)) })),
      check: () => new Promise((resolve) => checks.push(resolve)),
      setPreferences: never,
      setModel: never,
      setKey: never,
      config: never,
      setValue: never,
      localServers: never,
      texts: never,
      readText: never,
      writeText: never,
      prompts: never,
      renamePrompt: never,
    },
  })
  const store = createSettingsStore(createApi(api.transport))
  return { state: store.getState, gets, checks }
}

describe('the settings of a conversation', () => {
  it('are those of the one that was opened last, however late another answer comes', async () => {
    const { state, gets } = heldStore()
    state().fold(viewOf('of home'))
    void state().loadFor(garden)
    void state().loadFor(kitchen)
    for (const { answer } of gets.toReversed()) {
      answer()
      await quiet()
    }
    expect(settingsFor(state(), kitchen)?.model.value).toBe('of kitchen')
  })

  it('come for the one that is being opened, when the settings change meanwhile', async () => {
    const { state, gets } = heldStore()
    void state().loadFor(garden)
    await quiet()
    gets[0]?.answer()
    await quiet()
    void state().loadFor(kitchen)
    state().fold(viewOf('of home'))
    await quiet()
    for (const { answer } of gets) answer()
    await quiet()
    expect(gets.map(({ key }) => key)).toEqual(['garden', 'kitchen', 'kitchen'])
    expect(settingsFor(state(), kitchen)?.model.value).toBe('of kitchen')
  })
})

describe('a change of preferences', () => {
  it('says whether it was saved, and keeps the reason where it was not', async () => {
    const { state } = heldStore()
    expect(await state().setPreferences({ theme: 'dark' })).toBe(false)
    expect(state().refusals.preferences?.message).toBe('not asked in this test')
  })
})

describe('a check of the endpoint', () => {
  const answer = (message: string): Answer => ({ ok: true, message, models: [] })

  it('says nothing of an endpoint that was changed meanwhile', async () => {
    const { state, checks } = heldStore()
    const done = state().check()
    expect(state().isChecking).toBe(true)
    state().fold(viewOf('another'))
    expect(state().isChecking).toBe(false)
    await quiet()
    checks[0]?.(answer('the old one answers'))
    await done
    expect([state().isChecking, state().answer]).toEqual([false, undefined])
  })

  it('waits for its own answer, not for the one of an earlier check', async () => {
    const { state, checks } = heldStore()
    const both = [state().check(), state().check()]
    await quiet()
    checks[0]?.(answer('first'))
    await both[0]
    expect([state().isChecking, state().answer]).toEqual([true, undefined])
    checks[1]?.(answer('second'))
    await both[1]
    expect([state().isChecking, state().answer?.message]).toEqual([false, 'second'])
  })
})
