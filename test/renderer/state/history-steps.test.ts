import { afterEach, describe, expect, it } from 'vitest'
import { createApi } from '../../../src/renderer/api'
import { createActions } from '../../../src/renderer/state/actions'
import { placeHere } from '../../../src/renderer/state/history/visits'
import { stepHistory } from '../../../src/renderer/state/history-steps'
import { createStores, followMain } from '../../../src/renderer/state/stores'
import type { LinePoint } from '../../../src/renderer/state/transcript/landing'
import { coveringView } from '../../../src/renderer/state/views'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { quiet } from '../../support/quiet'
import { createMemoryHome, type MemoryHomeOptions, summaryOf } from '../harness/memory-home'
import { answered, rowsOf, said } from '../harness/rows'
import { keptInMap } from './support/map-storage'
import { quietHome } from './support/quiet-home'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')
const long = LibraryKey.parse('long')

const longRows = rowsOf(Array.from({ length: 400 }, (_, n) => said(`row ${n}`)))
const lineOf = (at: number): LinePoint => {
  const row = longRows[at]
  if (row?.type !== 'entry') throw new Error('no entry there')
  return { file: row.entry.file, offset: row.entry.offset }
}

function homeOfThree(): MemoryHomeOptions {
  const home = quietHome()
  const summary = summaryOf('long', { updated: '2026-11-26T09:00:00.000Z', title: 'A long talk' })
  const branch = summaryOf('garden-2', { updated: '2026-11-25T09:00:00.000Z' })
  const [first, ...rest] = home.contexts
  if (first === undefined) throw new Error('no context')
  return {
    ...home,
    contexts: [
      { ...first, family: 'garden' },
      ...rest,
      { summary, rows: longRows },
      { summary: branch, rows: rowsOf([said('hi'), answered('other')]), family: 'garden' },
    ],
  }
}

let stop: (() => void) | undefined
afterEach(() => stop?.())

async function windowOf() {
  const home = createMemoryHome(homeOfThree())
  const api = createApi(home.api.transport)
  const stores = createStores(api, keptInMap())
  stop = followMain(api, stores)
  const actions = createActions(stores, keptInMap())
  await actions.start()
  await quiet()
  const { app, history, map, reading, transcript } = stores
  /** What the list of the page would measure. */
  let measured: { readonly place: LinePoint; readonly at: number } | undefined
  const measure = () => {
    const { key, generation } = transcript.getState()
    if (key === undefined) return undefined
    const layout = `${generation} ${measured?.at}`
    return measured === undefined
      ? ({ key, layout, type: 'end' } as const)
      : ({ key, layout, type: 'line', inView: [], ...measured } as const)
  }
  reading.getState().measureBy(measure)
  return {
    ...{ home, api, stores, actions, app, history, map, reading },
    read(at: number | undefined, px = 40) {
      measured = at === undefined ? undefined : { place: lineOf(at), at: px }
      const { landing, arrive } = reading.getState()
      if (landing !== undefined) arrive(landing.id)
    },
    async step(by: -1 | 1) {
      const focus = stepHistory(stores, actions, by)
      await quiet()
      return focus
    },
    /** What is shown, from the top: Settings, a view, the conversation. */
    shown() {
      const { place, settings } = app.getState()
      const route = place.type === 'conversation' ? place.key : place.type
      return [settings, coveringView(stores), route].filter((one) => one !== undefined).join(' > ')
    },
    places: () =>
      history
        .getState()
        .visits.places.map(({ route, view, settings }) =>
          [settings, view?.type, route.type === 'conversation' ? route.key : route.type]
            .filter((one) => one !== undefined)
            .join(' > '),
        ),
  }
}

type Window = Awaited<ReturnType<typeof windowOf>>

async function open(window: Window, key: LibraryKey): Promise<void> {
  window.actions.openConversation(key)
  await quiet()
}

describe('back and forward', () => {
  it('lead through conversations, views and Settings, and to each of them as it was left', async () => {
    const window = await windowOf()
    const { stores, app, map, step, shown } = window
    await open(window, kitchen)
    map.getState().open(garden)
    await quiet()
    const node = map.getState().map?.nodes[0]?.id
    map.getState().select(node)
    map.getState().setFilter({ mine: true })
    stores.statistics.getState().open()
    stores.statistics.getState().setRange('30d')
    await quiet()
    app.getState().openSettings('model')
    await quiet()
    app.getState().openSettings('keyboard')
    await quiet()
    const all = [
      'garden',
      'kitchen',
      'map > kitchen',
      'statistics > kitchen',
      'keyboard > statistics > kitchen',
    ]
    expect(window.places()).toEqual(all)
    stores.statistics.getState().setRange('year')
    map.getState().setFilter({ mine: false })
    const seen = [shown()]
    for (let n = 0; n < 6; n++) {
      await step(-1)
      seen.push(shown())
    }
    expect(seen).toEqual([...all.toReversed(), 'garden', 'garden'])
    await step(1)
    await step(1)
    expect([shown(), map.getState().key, map.getState().selected]).toEqual([
      'map > kitchen',
      garden,
      node,
    ])
    expect(map.getState().filter.mine).toBe(true)
    await step(1)
    expect([shown(), stores.statistics.getState().range]).toEqual(['statistics > kitchen', 'year'])
    await step(1)
    expect([shown(), await step(1), shown()]).toEqual([
      'keyboard > statistics > kitchen',
      undefined,
      'keyboard > statistics > kitchen',
    ])
  })

  it('lead to where a conversation was read, to the pixel, and to what was unfolded there', async () => {
    const window = await windowOf()
    const { reading, step, shown, read } = window
    await open(window, long)
    reading.getState().setFold('a tool', true)
    read(37, -120)
    await open(window, kitchen)
    read(undefined)
    expect(reading.getState().folds).toEqual({})
    await step(-1)
    expect(shown()).toBe('long')
    expect(reading.getState().landing).toMatchObject({
      place: lineOf(37),
      at: -120,
      by: 'returning',
      marked: [],
    })
    expect(reading.getState().folds).toEqual({ 'a tool': true })
    expect(await step(1)).toBe('composer')
    expect([shown(), reading.getState().landing]).toEqual(['kitchen', undefined])
  })

  it('lead back from a line that was gone to in the same conversation', async () => {
    const window = await windowOf()
    const { actions, reading, step, places, read } = window
    await open(window, long)
    read(395, 12)
    await actions.openAt(long, lineOf(20))
    read(20, 200)
    expect(places()).toEqual(['garden', 'long', 'long'])
    await actions.openAt(long, lineOf(20))
    read(20, 200)
    expect(places().length).toBe(3)
    await step(-1)
    expect(reading.getState().landing).toMatchObject({ place: lineOf(395), at: 12 })
    read(395, 12)
    await step(1)
    expect(reading.getState().landing).toMatchObject({ place: lineOf(20), at: 200 })
  })

  it('count a line of another conversation, or one that was chosen on the map, as one visit', async () => {
    const window = await windowOf()
    const { actions, map, step, places, shown, read } = window
    await actions.openAt(long, lineOf(20))
    await quiet()
    read(20)
    map.getState().open(long)
    await quiet()
    await actions.openAt(long, lineOf(300))
    await quiet()
    read(300)
    expect(places()).toEqual(['garden', 'long', 'map > long', 'long'])
    await step(-1)
    await step(-1)
    expect([shown(), window.reading.getState().landing?.place]).toEqual(['long', lineOf(20)])
  })

  it('open a view again that was closed, since closing it is a step back', async () => {
    const window = await windowOf()
    const { stores, app, map, step, shown, places } = window
    map.getState().open(garden)
    await quiet()
    await stores.compare.getState().open({ key: garden }, { key: kitchen })
    await quiet()
    stores.compare.getState().hide()
    await quiet()
    expect(shown()).toBe('map > garden')
    map.getState().hide()
    await quiet()
    app.getState().openSettings('sources')
    app.getState().closeSettings()
    await quiet()
    expect(places()).toEqual(['garden', 'map > garden', 'compare > garden'])
    await step(1)
    await step(1)
    expect([shown(), stores.compare.getState().points?.right]).toEqual([
      'compare > garden',
      { key: kitchen },
    ])
    stores.compare.getState().hide()
    await quiet()
    expect([shown(), placeHere(window.history.getState().visits)?.view?.type]).toEqual([
      'map > garden',
      'map',
    ])
  })

  it('pass conversations that are gone, and say which', async () => {
    const window = await windowOf()
    const { home, history, step, shown, actions } = window
    await open(window, long)
    window.map.getState().open(long)
    await quiet()
    await open(window, kitchen)
    home.changeLibrary({ conversations: [], gone: ['long'] })
    await quiet()
    await step(-1)
    expect([shown(), history.getState().skipped]).toEqual(['garden', ['A long talk']])
    expect(window.places()).toEqual(['garden', 'kitchen'])
    home.changeLibrary({ conversations: [], gone: ['kitchen'] })
    await quiet()
    expect([await step(1), shown(), history.getState().skipped]).toEqual([
      undefined,
      'garden',
      ['kitchen'],
    ])
    actions.newConversation()
    await quiet()
    expect([history.getState().skipped, window.places()]).toEqual([[], ['garden', 'draft']])
  })

  it('know a conversation by its new name', async () => {
    const window = await windowOf()
    const { home, step, shown, places } = window
    await open(window, kitchen)
    home.api.tell.contexts.renamed({ from: garden, to: LibraryKey.parse('yard') })
    await quiet()
    expect(places()).toEqual(['yard', 'kitchen'])
    const context = home.contexts.get('garden')
    if (context === undefined) throw new Error('no context')
    const summary = { ...context.summary, key: LibraryKey.parse('yard') }
    home.contexts.set('yard', { ...context, summary })
    home.changeLibrary({ conversations: [summary], gone: ['garden'] })
    await quiet()
    await step(-1)
    expect(shown()).toBe('yard')
  })

  it('show a search with its query, and end with the home', async () => {
    const window = await windowOf()
    const { stores, step, shown, history } = window
    stores.search.getState().open('query')
    stores.search.getState().setText('soup')
    await quiet()
    await open(window, kitchen)
    stores.search.getState().setText('beans')
    expect([await step(-1), shown(), stores.search.getState().text]).toEqual([
      'search',
      'search > garden',
      'soup',
    ])
    const { status } = stores.app.getState()
    if (status === undefined) throw new Error('no home')
    stores.app.setState({ status: { ...status, home: { ...status.home, path: '/elsewhere' } } })
    await quiet()
    expect(history.getState().visits.places).toEqual([])
    stores.search.getState().reset()
  })
})
