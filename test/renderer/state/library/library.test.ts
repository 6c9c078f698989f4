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
