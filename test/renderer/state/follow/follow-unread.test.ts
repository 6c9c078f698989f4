import { afterEach, expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { linePointOf } from '../../../../src/renderer/state/transcript/landing'
import { hasNews, indexOfSeen, seenPointOf } from '../../../../src/renderer/state/transcript/unread'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const long = LibraryKey.parse('long')
const drafts = [
  ...[said('one'), answered('two'), said('three'), answered('four')],
  ...Array.from({ length: 396 }, (_, at) => (at % 2 === 0 ? said : answered)(`entry ${at + 5}`)),
]

let stop: (() => void) | undefined
afterEach(() => stop?.())

/** What a window has kept by which the rows of another one are seen. */
function keptOf(unread: { readonly spots: object }, more: object = {}) {
  const storage = keptInMap()
  storage.set('skein.seen:/home/mira/.chibi', JSON.stringify({ ...unread.spots, ...more }))
  return storage
}

/** A window whose conversation has the first rows; the others come later. It is opened at its end, or at the row of an index. */
async function windowWith(shown: number, storage = keptInMap(), opensAt?: number) {
  const summary = summaryOf('long', { updated: '2026-11-26T09:00:00.000Z' })
  const of = quietHome()
  const context = { summary, rows: rowsOf(drafts.slice(0, shown)) }
  const home = createMemoryHome({ ...of, contexts: [...of.contexts, context] })
  const api = createApi(home.api.transport)
  const stores = createStores(api, storage)
  let isInFront = true
  let told = () => {}
  let end = () => {}
  const attention = {
    isInFront: () => isInFront,
    follow(act: () => void) {
      told = act
      return () => {}
    },
    followEnd(act: () => void) {
      end = act
      return () => {}
    },
  }
  stop = followMain(api, stores, attention)
  const actions = createActions(stores, storage)
  await actions.start()
  const at = rowsOf(drafts.slice(0, shown))[opensAt ?? -1]
  if (at === undefined) actions.openConversation(long)
  else await actions.openAt(long, linePointOf(at))
  await quiet()
  return {
    actions,
    home,
    transcript: stores.transcript.getState,
    end: () => end(),
    unread: stores.unread.getState,
    reading: stores.reading.getState,
    /** Another program writes these entries. */
    come: (from: number, to: number) => home.append(long, drafts.slice(from, to)),
    /** Another program writes the files anew, with so many entries. */
    writeAnew(count: number) {
      context.rows = rowsOf(drafts.slice(0, count))
    },
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
  const later = { key: long, updated: '2200-01-01T00:00:00.000Z' }
  expect(hasNews(before.unread(), later)).toBe(false)
  before.look(false)
  expect(hasNews(before.unread(), later)).toBe(true)
  expect(
    hasNews(before.unread(), { key: LibraryKey.parse('garden-9'), updated: later.updated }),
  ).toBe(false)
  stop?.()
  const after = await windowWith(4, keptOf(before.unread()))
  expect(after.border()).toBe('three')
  // Left, it is gone.
  after.actions.newConversation()
  expect(after.unread().border).toBeUndefined()
})

it('sees nothing of a conversation that opens at a hit before the list was measured', async () => {
  const before = await windowWith(10)
  stop?.()
  const window = await windowWith(60, keptOf(before.unread()), 1)
  const { generation, run } = window.transcript()
  expect(run.atEnd).toBe(true)
  expect(window.unread().watched).toBeUndefined()
  expect(window.unread().spots[long]).toEqual(before.unread().spots[long])
  expect(window.border()).toBe('entry 11')
  window.reading().setReadingUp(true, generation)
  expect(window.unread().spots[long]).toEqual(before.unread().spots[long])
  window.reading().setReadingUp(false, generation)
  expect(window.unread().watched).toBe(long)
})

it('draws the border where the end is not loaded, and goes to it from any place', async () => {
  const window = await windowWith(200)
  await window.transcript().goToStart()
  window.reading().setReadingUp(true)
  expect(window.transcript().run.atEnd).toBe(false)
  window.come(200, 201)
  window.come(201, 400)
  expect(window.unread().border?.isSeen).toBe(false)
  // More came than the page at the end has.
  await window.transcript().goToEnd()
  window.reading().setReadingUp(false)
  expect(window.unread().border?.isSeen).toBe(false)
  window.actions.goToNews()
  await quiet()
  expect(window.border()).toBe('entry 201')
  expect(window.unread().border?.isSeen).toBe(true)
  const first = window
    .transcript()
    .run.rows.find((row) => row.type === 'entry' && row.entry.content === 'entry 201')
  expect(window.reading().landing?.place).toEqual(first && seenPointOf(first))
})

it('draws the border where the page at the end is read again and does not reach to what was seen', async () => {
  const window = await windowWith(200)
  window.look(false)
  window.writeAnew(330)
  await window.transcript().readAgain()
  expect(window.unread().border?.isSeen).toBe(false)
  window.actions.goToNews()
  await quiet()
  expect(window.border()).toBe('entry 201')
})

it('puts a border that was seen before what comes while nobody looks again, and not while its end was not reached', async () => {
  const window = await windowWith(2)
  window.look(false)
  window.come(2, 4)
  window.unread().setBorderInView(true)
  window.look(true)
  expect(window.border()).toBe('three')
  window.look(false)
  window.come(4, 6)
  expect(window.border()).toBe('entry 5')
  expect(window.unread()).toMatchObject({ isBorderInView: false, border: { isSeen: false } })

  // Who reads on from the border has seen it, whatever comes meanwhile.
  const other = await windowWith(2)
  other.reading().setReadingUp(true)
  other.come(2, 4)
  other.unread().setBorderInView(true)
  other.come(4, 5)
  expect(other.border()).toBe('three')
  expect(other.unread().border?.isSeen).toBe(true)
})

it('keeps a border that was seen where the same rows are read again', async () => {
  const window = await windowWith(2)
  window.look(false)
  window.come(2, 4)
  window.unread().setBorderInView(true)
  window.look(true)
  await window.transcript().readAgain()
  expect(window.border()).toBe('three')
})

it('forgets what was seen of a context that is destroyed', async () => {
  const window = await windowWith(4)
  expect(Object.keys(window.unread().spots)).toContain(long)
  window.home.api.tell.contexts.destroyed({ key: long })
  await quiet()
  expect(Object.keys(window.unread().spots)).not.toContain(long)
})

it('marks nothing where the row that was seen is gone, though another is at its place', async () => {
  const before = await windowWith(4)
  stop?.()
  const last = { ...before.unread().spots[long]?.last, entry: 'of-another-life' }
  const gone = { [long]: { atMs: 0, last } }
  const window = await windowWith(4, keptOf({ spots: {} }, gone))
  expect(window.unread().border).toBeUndefined()
  stop?.()
  // Where not all is loaded it may be further up: the way there tells that it is gone.
  const longer = await windowWith(200, keptOf({ spots: {} }, gone))
  expect(longer.unread().border?.isSeen).toBe(false)
  longer.actions.goToNews()
  await quiet()
  expect(longer.unread().border).toBeUndefined()
})

it('has the button go once it was followed, though nothing is drawn of what came', async () => {
  const window = await windowWith(2)
  window.look(false)
  window.come(2, 3)
  window.actions.goToNews()
  await quiet()
  expect(window.unread().border?.isSeen).toBe(true)
})

it('stores what was seen when the page ends', async () => {
  const storage = keptInMap()
  const window = await windowWith(2, storage)
  expect(storage.get('skein.seen:/home/mira/.chibi')).toBeUndefined()
  window.end()
  expect(storage.get('skein.seen:/home/mira/.chibi')).toBe(JSON.stringify(window.unread().spots))
})
