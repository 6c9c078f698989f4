import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createCompletionStore, isRunActive } from '../../../../src/renderer/state/run/completion'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { rowKey, type TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { RunId } from '../../../../src/shared/model/run/run'
import { createMemoryHome } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { quietHome } from '../support/quiet-home'

const key = LibraryKey.parse('garden')
const runId = RunId.parse('run-1')

function storeOf() {
  const home = createMemoryHome(quietHome())
  const store = createCompletionStore(createApi(home.api.transport))
  const delta = (seq: number, text: string, kind: 'content' | 'reasoning' = 'content') =>
    store.getState().foldDelta({ runId, key, seq, kind, text })
  return { home, store, delta, run: () => store.getState().runs[key] }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('streamed text', () => {
  it('is shown at most every 50 ms, in order, with its reasoning apart', () => {
    const { store, delta, run } = storeOf()
    store.getState().foldState({ runId, key, phase: 'streaming' })
    let shown = 0
    store.subscribe(() => shown++)
    delta(0, 'why', 'reasoning')
    delta(1, 'one ')
    delta(2, 'two')
    expect(run()?.content).toBe('')
    vi.advanceTimersByTime(50)
    expect([run()?.content, run()?.reasoning, shown]).toEqual(['one two', 'why', 1])
    vi.advanceTimersByTime(500)
    expect(shown).toBe(1)
  })

  it('does not count a delta twice', () => {
    const { store, delta, run } = storeOf()
    store.getState().foldState({ runId, key, phase: 'streaming' })
    delta(0, 'one ')
    delta(0, 'one ')
    vi.advanceTimersByTime(50)
    expect(run()?.content).toBe('one ')
  })

  it('becomes thoughts when the model closes thoughts that nobody had opened', () => {
    const { store, delta, run } = storeOf()
    store.getState().foldState({ runId, key, phase: 'streaming' })
    delta(0, 'told apart', 'reasoning')
    delta(1, 'Let me see.\n')
    store.getState().foldDelta({ runId, key, seq: 2, kind: 'parted', text: '' })
    delta(3, 'Four.')
    vi.advanceTimersByTime(50)
    expect([run()?.content, run()?.reasoning]).toEqual(['Four.', 'told apart\n\nLet me see.'])
  })

  it('is asked for whole when a delta is missing, and goes on from there', async () => {
    const { home, store, run } = storeOf()
    await store.getState().start(key, 'hi')
    const { runId: real } = store.getState().runs[key] ?? { runId }
    home.delta('garden', 'one ')
    home.delta('garden', 'two ')
    // This window heard of none of them but the third, which main has not sent yet.
    store.getState().foldDelta({ runId: real, key, seq: 2, kind: 'content', text: 'three' })
    await vi.advanceTimersByTimeAsync(60)
    expect(run()?.content).toBe('one two three')
  })

  it('leaves the live place when its entry is durable, and the entry takes over its key', () => {
    const { store, delta, run } = storeOf()
    store.getState().foldState({ runId, key, phase: 'streaming' })
    delta(0, 'whole')
    const rows = rowsOf([answered('whole')])
    const shown = store.getState().settle(key, rows)
    expect([...shown]).toEqual([[rowKey(rows[0] as TranscriptRow), 'live:run-1:0']])
    expect([run()?.content, run()?.part]).toEqual(['', 1])
    delta(1, 'the next')
    vi.advanceTimersByTime(50)
    expect(run()?.content).toBe('the next')
  })

  it('gives its key to no message of a person', () => {
    const { store } = storeOf()
    store.getState().foldState({ runId, key, phase: 'sending' })
    expect(store.getState().settle(key, rowsOf([said('hi')])).size).toBe(0)
  })
})

describe('a run', () => {
  it('is active until it has ended, and is forgotten when its conversation is left', () => {
    const { store, run } = storeOf()
    store.getState().foldState({ runId, key, phase: 'retrying', attempt: 2 })
    expect(isRunActive(run())).toBe(true)
    store.getState().forget(key)
    expect(run()).toBeDefined()
    store.getState().foldState({ runId, key, phase: 'complete' })
    expect(isRunActive(run())).toBe(false)
    store.getState().forget(key)
    expect(run()).toBeUndefined()
  })

  it('whose answer could not be written is not forgotten: its text stands nowhere else', () => {
    const { store, run } = storeOf()
    const failure = { kind: 'storage' as const, message: 'Full', advice: '', attempts: 1 }
    store.getState().foldState({ runId, key, phase: 'failed', failure })
    store.getState().forget(key)
    expect(run()?.failure).toEqual(failure)
  })

  it('that is refused leaves why, and nothing on its way', async () => {
    const { home, store } = storeOf()
    home.refuse(new AppError('busy', 'A run is going on there.'))
    expect(await store.getState().start(key, 'hi')).toBe(false)
    expect(store.getState().sending).toEqual({})
    expect(store.getState().refusals[key]?.code).toBe('busy')
    expect(await store.getState().start(key, 'hi')).toBe(true)
    expect(store.getState().refusals).toEqual({})
  })

  it('is stopped by its id', async () => {
    const { home, store } = storeOf()
    await store.getState().start(key, 'hi')
    await store.getState().stop(key)
    expect(home.api.calls.at(-1)).toEqual({
      channel: 'completion.cancel',
      args: { runId: 'run-1' },
    })
  })
})
