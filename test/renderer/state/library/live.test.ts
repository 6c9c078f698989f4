import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createLibraryStore } from '../../../../src/renderer/state/library/library'
import type { ConversationSummary } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { handClock } from '../support/hand-clock'
import { quietHome } from '../support/quiet-home'

const at = (time: string) => `2026-11-28T${time}.000Z`

/** A library of one conversation of another system, at nine o'clock. */
async function libraryOf(more: Partial<ConversationSummary> = {}) {
  const chat = summaryOf('chat', { source: 'cycod', updated: at('08:59:58'), bytes: 100, ...more })
  const home = createMemoryHome({ ...quietHome(), contexts: [{ summary: chat, rows: [] }] })
  const clock = handClock(Date.parse(at('09:00:00')))
  const store = createLibraryStore(createApi(home.api.transport), clock)
  await store.getState().load()
  const live = () => [...store.getState().live]
  const tell = (change: Partial<ConversationSummary>, gone: readonly string[] = []) =>
    store.getState().fold({ conversations: [{ ...chat, ...change }], gone })
  return { chat, clock, store, live, tell }
}

describe('a conversation that somebody else writes to', () => {
  it('is live for ten seconds after it was told to have grown', async () => {
    const { live, tell, clock } = await libraryOf()
    expect(live()).toEqual([])
    tell({ bytes: 180, updated: at('09:00:00') })
    expect(live()).toEqual(['chat'])
    clock.pass(9_999)
    expect(live()).toEqual(['chat'])
    clock.pass(1)
    expect(live()).toEqual([])
    expect(clock.waiting).toBe(0)
  })

  it('stays live while it goes on growing', async () => {
    const { live, tell, clock } = await libraryOf()
    tell({ bytes: 180, updated: at('09:00:00') })
    clock.pass(8_000)
    tell({ bytes: 260, updated: at('09:00:08') })
    clock.pass(8_000)
    expect(live()).toEqual(['chat'])
    clock.pass(2_000)
    expect(live()).toEqual([])
  })

  it('is live where it is written anew in as many bytes, and where nothing tells a time', async () => {
    const rewritten = await libraryOf()
    rewritten.tell({ updated: at('09:00:00') })
    expect(rewritten.live()).toEqual(['chat'])
    const timeless = await libraryOf({ updated: null })
    timeless.tell({ bytes: 180 })
    expect(timeless.live()).toEqual(['chat'])
  })

  it('is not live for a count, a title or a lock', async () => {
    const { live, tell } = await libraryOf()
    tell({ entries: 12, damaged: 1, title: 'A title' })
    tell({ lock: { state: 'held', holder: 'chibi', beatAt: 0, staleAt: 45 } })
    expect(live()).toEqual([])
  })

  it('is not live when it shrinks, or is new', async () => {
    const { live, tell, store } = await libraryOf()
    tell({ bytes: 20 })
    store.getState().fold({ conversations: [summaryOf('new', { bytes: 9_000 })], gone: [] })
    expect(live()).toEqual([])
  })

  it('is not live for what was written long before it was found', async () => {
    const { live, tell } = await libraryOf({ updated: at('07:00:00') })
    tell({ bytes: 900, updated: at('08:58:59') })
    expect(live()).toEqual([])
    tell({ bytes: 901, updated: at('08:59:00') })
    expect(live()).toEqual(['chat'])
  })

  it('is not live by our own runs, also when the last growth is told after their end', async () => {
    const { live, tell } = await libraryOf()
    tell({ running: true, bytes: 180, updated: at('09:00:00') })
    tell({ running: false, bytes: 400, updated: at('09:00:00') })
    expect(live()).toEqual([])
    tell({ lock: { state: 'ours' }, bytes: 500 })
    tell({ lock: { state: 'free' }, bytes: 600 })
    expect(live()).toEqual([])
  })

  it('is not live any more when its files go, or the list is read anew', async () => {
    const gone = await libraryOf()
    gone.tell({ bytes: 180 })
    gone.tell({ bytes: 180, gone: true })
    expect([gone.live(), gone.clock.waiting]).toEqual([[], 0])
    const forgotten = await libraryOf()
    forgotten.tell({ bytes: 180 })
    forgotten.store.getState().fold({ conversations: [], gone: ['chat'] })
    expect([forgotten.live(), forgotten.clock.waiting]).toEqual([[], 0])
    const reread = await libraryOf()
    reread.tell({ bytes: 180 })
    await reread.store.getState().load()
    expect([reread.live(), reread.clock.waiting]).toEqual([[], 0])
  })

  it('is not live for coming back', async () => {
    const { chat, live, store } = await libraryOf({ gone: true })
    const { gone: _, ...back } = chat
    store.getState().fold({ conversations: [{ ...back, bytes: 180 }], gone: [] })
    expect(live()).toEqual([])
  })
})
