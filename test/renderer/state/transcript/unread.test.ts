import { expect, it } from 'vitest'
import { createUnreadStore } from '../../../../src/renderer/state/transcript/unread'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { handClock } from '../support/hand-clock'
import { keptInMap } from '../support/map-storage'

const garden = LibraryKey.parse('garden')

it('stores what was seen in a home before another one is entered, and keeps it where the same is entered', () => {
  const kept = keptInMap()
  const clock = handClock()
  const store = createUnreadStore(kept, clock)
  const { enter, see } = store.getState()
  enter('/home/mira/.chibi')
  see(garden, { atMs: 5 })
  enter('/home/mira/.chibi')
  expect(store.getState().spots).toEqual({ garden: { atMs: 5 } })
  enter('/home/mira/other')
  expect(store.getState().spots).toEqual({})
  expect(clock.waiting).toBe(0)
  clock.pass(1000)
  expect([...kept.values]).toEqual([['skein.seen:/home/mira/.chibi', '{"garden":{"atMs":5}}']])
  enter('/home/mira/.chibi')
  expect(store.getState().spots).toEqual({ garden: { atMs: 5 } })
})

it('forgets those first that were seen longest ago, whatever their names', () => {
  const store = createUnreadStore(keptInMap(), handClock())
  store.getState().enter('/home/mira/.chibi')
  const { see } = store.getState()
  see(LibraryKey.parse('oldest'), { atMs: 1 })
  for (let number = 1; number < 500; number++)
    see(LibraryKey.parse(`talk-${number}`), { atMs: 1 + number })
  see(LibraryKey.parse('2026'), { atMs: 1000 })
  see(garden, { atMs: 1001 })
  const names = Object.keys(store.getState().spots)
  expect(names).toHaveLength(500)
  expect(names).toContain('2026')
  expect(names).not.toContain('oldest')
  expect(names).not.toContain('talk-1')
})
