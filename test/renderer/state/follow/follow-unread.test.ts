import { afterEach, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { hasNews, indexOfSeen } from '../../../../src/renderer/state/transcript/unread'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const long = LibraryKey.parse('long')
const drafts = [said('one'), answered('two'), said('three'), answered('four')]

let stop: (() => void) | undefined
afterEach(() => stop?.())

/** A window whose conversation has the first rows; the others come later. */
async function windowWith(shown: number, storage = keptInMap()) {
  const summary = summaryOf('long', { updated: '2026-11-26T09:00:00.000Z' })
  const of = quietHome()
  const home = createMemoryHome({
    ...of,
    contexts: [...of.contexts, { summary, rows: rowsOf(drafts.slice(0, shown)) }],
  })
  const api = createApi(home.api.transport)
  const stores = createStores(api, storage)
  let isInFront = true
  let told = () => {}
  const attention = {
    isInFront: () => isInFront,
    follow(act: () => void) {
      told = act
      return () => {}
    },
  }
  stop = followMain(api, stores, attention)
  const actions = createActions(stores, storage)
  await actions.start()
  actions.openConversation(long)
  await quiet()
  return {
    actions,
    unread: stores.unread.getState,
    reading: stores.reading.getState,
    /** Another program writes these entries. */
    come: (from: number, to: number) => home.append(long, drafts.slice(from, to)),
    look(front: boolean) {
      isInFront = front
      told()
    },
    /** The first entry after the border. */
    border() {
      const { border } = stores.unread.getState()
      const { rows } = stores.transcript.getState().run
      if (border === undefined) return undefined
      const first = rows[indexOfSeen(rows, border.after) + 1]
      return first?.type === 'entry' ? first.entry.content : 'nothing'
    },
  }
}

it('draws no border before what somebody sees come', async () => {
  const window = await windowWith(2)
  window.come(2, 4)
  expect(window.border()).toBeUndefined()
  expect(window.unread().watched).toBe(long)
})

it('draws one before the first that comes while the window is behind or the reader is further up', async () => {
  const window = await windowWith(2)
  window.look(false)
  window.come(2, 3)
  window.come(3, 4)
  expect(window.border()).toBe('three')
  expect(window.unread().watched).toBeUndefined()
  // In view of somebody, it is seen; it goes with what comes next.
  window.unread().setBorderInView(true)
  expect(window.unread().border?.isSeen).toBe(false)
  window.look(true)
  expect(window.unread().border?.isSeen).toBe(true)

  const other = await windowWith(2)
  other.reading().setReadingUp(true)
  other.come(2, 4)
  expect(other.border()).toBe('three')
})

it('knows at the next start what was seen, and a conversation that was never open has no news', async () => {
  const before = await windowWith(2)
  const now = Date.now()
  const later = { key: long, updated: new Date(now + 60_000).toISOString() }
  expect(hasNews(before.unread(), later)).toBe(false)
  before.look(false)
  expect(hasNews(before.unread(), later)).toBe(true)
  expect(
    hasNews(before.unread(), { key: LibraryKey.parse('garden-9'), updated: later.updated }),
  ).toBe(false)
  stop?.()
  const storage = keptInMap()
  storage.set('skein.seen:/home/mira/.chibi', JSON.stringify(before.unread().spots))
  const after = await windowWith(4, storage)
  expect(after.border()).toBe('three')
  // Left, it is gone.
  after.actions.newConversation()
  expect(after.unread().border).toBeUndefined()
})
