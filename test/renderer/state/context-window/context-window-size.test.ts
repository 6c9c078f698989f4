import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createContextWindowSizeStore } from '../../../../src/renderer/state/context-window/context-window-size'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { WindowSize } from '../../../../src/shared/model/run/window-size'
import { createMemoryApi } from '../../../support/memory-api'
import { quiet } from '../../../support/quiet'
import { handClock } from '../support/hand-clock'

const garden = LibraryKey.parse('garden')
const pond = LibraryKey.parse('pond')

function opened() {
  let history = 100
  let isRefused = false
  const waiting: (() => void)[] = []
  let holds = false
  const api = createMemoryApi({
    windowSize: {
      async of({ key }): Promise<WindowSize> {
        const total = history
        if (holds) await new Promise<void>((resolve) => waiting.push(resolve))
        if (isRefused) throw new Error('unreadable')
        return {
          key,
          parts: { system: 0, history: total, tools: 0, attachments: 0 },
          countedBy: { by: 'estimate' },
          total,
          guarded: total,
          limit: null,
          warnPercent: 80,
          compactPercent: null,
        }
      },
      draft: async ({ text, images }) => text.length + images * 1000,
    },
  })
  const clock = handClock()
  const store = createContextWindowSizeStore(createApi(api.transport), clock)
  return {
    api,
    clock,
    store,
    state: () => store.getState(),
    asked: (name: string) => api.calls.filter(({ channel }) => channel === `windowSize.${name}`),
    grow: (tokens: number) => {
      history = tokens
    },
    refuse: () => {
      isRefused = true
    },
    hold: () => {
      holds = true
    },
    release: () => {
      holds = false
      for (const go of waiting.splice(0)) go()
    },
  }
}

describe('the size of the window', () => {
  it('is asked at once, and once for entries that come together, without being put off by more', async () => {
    const { state, asked, clock, grow } = opened()
    state().follow(garden)
    await quiet()
    expect(state().size?.total).toBe(100)
    grow(250)
    for (let at = 0; at < 5; at++) {
      state().foldChanged(garden)
      clock.pass(50)
    }
    await quiet()
    expect(asked('of')).toHaveLength(2)
    expect(state().size?.total).toBe(250)
    state().foldChanged(pond)
    clock.pass(1_000)
    expect(asked('of')).toHaveLength(2)
    state().foldChanged()
    clock.pass(1_000)
    expect(asked('of')).toHaveLength(3)
  })

  it('of another conversation takes the place of an answer that comes late', async () => {
    const { state, hold, release, grow } = opened()
    hold()
    state().follow(garden)
    await quiet()
    grow(7)
    state().follow(pond)
    await quiet()
    release()
    await quiet()
    expect(state().size).toMatchObject({ key: pond, total: 7 })
  })

  it('is not asked for another system’s conversation, and is gone where it cannot be read', async () => {
    const { state, asked, refuse, clock } = opened()
    state().follow(LibraryKey.parse('cycod:x'))
    expect(state().key).toBeUndefined()
    expect(asked('of')).toEqual([])
    state().follow(garden)
    await quiet()
    refuse()
    state().foldChanged()
    clock.pass(300)
    await quiet()
    expect(state().size).toBeUndefined()
  })

  it('counts what is being written at a pause, and nothing at once', async () => {
    const { state, asked, clock } = opened()
    state().follow(garden)
    for (const text of ['a', 'ab', 'abc']) {
      state().write(text, 1)
      clock.pass(150)
    }
    expect(asked('draft')).toEqual([])
    clock.pass(50)
    await quiet()
    expect(asked('draft').map(({ args }) => args)).toEqual([
      { key: garden, text: 'abc', images: 1 },
    ])
    expect(state().draft).toBe(1003)
    state().write('abcd', 0)
    state().write('  ', 0)
    expect(state().draft).toBe(0)
    clock.pass(1_000)
    expect(asked('draft')).toHaveLength(1)
  })
})
