import { expect, it } from 'vitest'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { summaryOf } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { openWindow } from '../support/open-window'
import { quietHome } from '../support/quiet-home'

const parts = { ...quietHome(), listsInParts: true }

function found(title: string, updated: string, more: Partial<ConversationSummary> = {}) {
  const key = LibraryKey.parse(`pi:${title}`)
  return {
    ...summaryOf(title, { key, source: 'pi', updated }),
    provisional: true as const,
    ...more,
  }
}

const titles = (rows: readonly ConversationSummary[]) => rows.map(({ title }) => title)

it('a list that comes in parts is being loaded until main says that it is whole', async () => {
  const { home, stores } = await openWindow(parts)
  const library = () => stores.library.getState()
  expect([library().phase, library().listing]).toEqual(['loading', 'finding'])

  const late = found('late', '2030-01-01T00:00:00.000Z')
  home.changeLibrary({ conversations: [late], gone: [], listing: { state: 'reading' } })
  expect([library().phase, library().listing, library().total]).toEqual(['loading', 'reading', 3])
  expect(library().conversations[0]).toMatchObject({ title: 'late', provisional: true })

  const { provisional: _, ...read } = { ...late, title: 'Read' }
  home.changeLibrary({ conversations: [read], gone: [], listing: { state: 'done' } })
  expect([library().phase, library().listing, library().listedInParts]).toEqual([
    'ready',
    undefined,
    3,
  ])
  expect(library().conversations[0]).not.toHaveProperty('provisional')
  // What a list reads was there before: nobody is writing to it.
  expect(library().live.size).toBe(0)
})

it('a list whose end is told before its pages are there is whole with them', async () => {
  const { home, stores } = await openWindow(parts)
  home.hold()
  const loaded = stores.library.getState().load()
  home.changeLibrary({ conversations: [], gone: [], listing: { state: 'done' } })
  expect(stores.library.getState().phase).toBe('loading')
  home.release()
  await loaded
  expect(stores.library.getState().phase).toBe('ready')
})

it('a list that fails before its end says why', async () => {
  const { home, stores } = await openWindow(parts)
  const failure = { code: 'unreadable', message: 'The contexts cannot be listed.' } as const
  home.changeLibrary({ conversations: [], gone: [], listing: { state: 'failed', failure } })
  expect(stores.library.getState()).toMatchObject({ phase: 'failed', failure })
})

it('a held row keeps its place while the list is being read, and takes its own when it is let go', async () => {
  const { home, stores } = await openWindow(parts)
  const library = () => stores.library.getState()
  const rows = ['a', 'b', 'c'].map((title, n) => found(title, `2030-01-0${9 - n}T00:00:00.000Z`))
  home.changeLibrary({ conversations: rows, gone: [], listing: { state: 'finding' } })
  const b = library().conversations[1]
  library().hold(b?.key)
  const old = found('b', '2001-01-01T00:00:00.000Z', { title: 'B, read' })
  home.changeLibrary({ conversations: [old], gone: [], listing: { state: 'finding' } })
  expect(titles(library().conversations).slice(0, 3)).toEqual(['a', 'B, read', 'c'])

  library().hold(undefined)
  expect(titles(library().conversations).slice(0, 2)).toEqual(['a', 'c'])
  expect(library().conversations.find(({ title }) => title === 'B, read')?.updated).toBe(
    '2001-01-01T00:00:00.000Z',
  )
})

it('what was open the last time is opened when it is found, unless something else is open by then', async () => {
  const kept = keptInMap()
  kept.set('skein.last:/home/mira/.chibi', 'pi:late')
  const { home, stores } = await openWindow(parts, kept)
  const place = () => stores.app.getState().place
  expect(place()).toEqual({ type: 'none' })
  const late = [found('late', '2001-01-01T00:00:00.000Z')]
  home.changeLibrary({ conversations: late, gone: [], listing: { state: 'finding' } })
  expect(place()).toEqual({ type: 'conversation', key: 'pi:late' })

  const other = await openWindow(parts, kept)
  other.actions.openConversation(LibraryKey.parse('garden'))
  other.home.changeLibrary({ conversations: late, gone: [], listing: { state: 'done' } })
  await quiet()
  expect(other.stores.app.getState().place).toEqual({ type: 'conversation', key: 'garden' })
})

it('the newest is opened where what was open the last time is not there any more', async () => {
  const kept = keptInMap()
  kept.set('skein.last:/home/mira/.chibi', 'pi:gone')
  const { home, stores } = await openWindow(parts, kept)
  home.changeLibrary({ conversations: [], gone: [], listing: { state: 'done' } })
  expect(stores.app.getState().place).toEqual({ type: 'conversation', key: 'garden' })
})

it('a held row takes no older place when it is let go than it has by then, and does not come back once it is gone', async () => {
  const { home, stores } = await openWindow(parts)
  const library = () => stores.library.getState()
  const tell = (
    conversations: ConversationSummary[],
    more: { gone?: string[]; listing?: { state: 'finding' | 'done' } } = {},
  ) => home.changeLibrary({ conversations, gone: [], ...more })
  const b = found('b', '2030-01-02T00:00:00.000Z')
  const c = found('c', '2030-01-01T00:00:00.000Z')
  tell([b, c], { listing: { state: 'finding' } })
  const readLate = (row: ConversationSummary) => ({ ...row, updated: '2001-01-01T00:00:00.000Z' })

  library().hold(b.key)
  tell([readLate(b)], { listing: { state: 'finding' } })
  tell([], { gone: [b.key] })
  library().hold(c.key)
  expect(library().conversations.map(({ key }) => key)).not.toContain(b.key)

  tell([readLate(c)], { listing: { state: 'done' } })
  tell([{ ...c, title: 'C, written to', updated: '2031-01-01T00:00:00.000Z' }])
  library().hold(undefined)
  expect(library().conversations[0]).toMatchObject({
    title: 'C, written to',
    updated: '2031-01-01T00:00:00.000Z',
  })
})

it('a list that fails while its pages are asked for stays failed', async () => {
  const { home, stores } = await openWindow()
  home.hold()
  const loaded = stores.library.getState().load()
  const failure = { code: 'unreadable', message: 'The contexts cannot be listed.' } as const
  home.changeLibrary({ conversations: [], gone: [], listing: { state: 'failed', failure } })
  home.release()
  await loaded
  expect(stores.library.getState()).toMatchObject({ phase: 'failed', failure })
})

it('all are counted where the end of a list is told before its last pages come, and their number never goes back', async () => {
  const { home, stores } = await openWindow(parts)
  home.hold()
  const loaded = stores.library.getState().load()
  const totals: number[] = []
  const stop = stores.library.subscribe(({ total }) => totals.push(total))
  const rows = ['a', 'b', 'c'].map((title) => found(title, '2030-01-01T00:00:00.000Z'))
  home.changeLibrary({ conversations: rows, gone: [], listing: { state: 'done' } })
  home.release()
  await loaded
  stop()
  expect(totals).toEqual([...totals].sort((one, other) => one - other))
  expect(stores.library.getState()).toMatchObject({ phase: 'ready', total: 5, listedInParts: 5 })
})
