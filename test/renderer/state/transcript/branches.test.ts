import { describe, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createBranchesStore } from '../../../../src/renderer/state/transcript/branches'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { quietHome } from '../support/quiet-home'

const [a, b] = [LibraryKey.parse('a'), LibraryKey.parse('b')]

describe('the family of the open conversation', () => {
  it('stays the same object where nothing is new, so that nothing is drawn again', async () => {
    const context = (key: LibraryKey, words: string) => ({
      summary: summaryOf(key, { key }),
      rows: rowsOf([said('begin'), answered('yes'), said(words), answered('well')]),
      family: 'f',
    })
    const home = createMemoryHome({
      ...quietHome(),
      contexts: [context(a, 'one'), context(b, 'two')],
    })
    const branches = createBranchesStore(createApi(home.api.transport)).getState
    await branches().load(a)
    const before = branches()
    expect(before.view?.family.nodes).toHaveLength(3)
    await branches().load(a)
    expect(branches().view).toBe(before.view)
    expect(branches().forks).toBe(before.forks)
    await branches().load(b)
    expect(branches().view).not.toBe(before.view)
  })
})
