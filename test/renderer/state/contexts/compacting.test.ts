import { describe, expect, it } from 'vitest'
import { createCompactingStore } from '../../../../src/renderer/state/contexts/compacting'
import type { Api } from '../../../../src/shared/ipc/contract'
import type { CompactionEnd } from '../../../../src/shared/ipc/runs/compaction'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'

const garden = LibraryKey.parse('garden')
const counts = { archived: 4, kept: 0, tokensBefore: 90, tokensAfter: 9, notes: [] }

/** A main that ends a compaction when it is told to. */
function main() {
  const calls: string[] = []
  let settle: { resolve: (end: CompactionEnd) => void; reject: (error: unknown) => void }
  const compaction: Partial<Api['compaction']> = {
    compact: ({ mode }) => {
      calls.push(mode)
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
      })
    },
    cancel: async ({ key }) => void calls.push(`cancel ${key}`),
  }
  // The store asks nothing else of main.
  const store = createCompactingStore({ compaction } as unknown as Api)
  return {
    store,
    calls,
    end: (end: CompactionEnd) => settle.resolve(end),
    fail: (error: unknown) => settle.reject(error),
  }
}

describe('compacting a window', () => {
  it('tells what goes on, and what became of it', async () => {
    const { store, calls, end } = main()
    const done = store.getState().compact(garden, 'rolling')
    expect(store.getState().phase).toBe('choosing')
    store.getState().fold({ key: garden, mode: 'rolling', phase: 'summarizing' })
    expect(store.getState().phase).toBe('summarizing')
    store.getState().fold({ key: garden, mode: 'rolling', phase: 'ended' })
    end({ outcome: 'compacted', ...counts })
    await done
    expect(store.getState()).toMatchObject({ phase: undefined, end: { archived: 4 } })
    expect(calls).toEqual(['rolling'])
  })

  it('goes on one at a time, and says why one did not begin', async () => {
    const { store, calls, fail } = main()
    const done = store.getState().compact(garden, 'full')
    await store.getState().compact(garden, 'drop')
    fail(new AppError('busy', '"garden" is being written.'))
    await done
    expect(calls).toEqual(['full'])
    expect(store.getState()).toMatchObject({ phase: undefined, failure: { code: 'busy' } })
  })

  it('is stopped by whoever leaves it, and what comes of it then is not told', async () => {
    const { store, calls, end } = main()
    const done = store.getState().compact(garden, 'full')
    store.getState().leave()
    end({ outcome: 'compacted', ...counts })
    await done
    expect(calls).toEqual(['full', 'cancel garden'])
    expect(store.getState().end).toBeUndefined()
    store.getState().leave()
    expect(calls).toHaveLength(2)
  })
})
