import type { Api } from '../../../shared/ipc/contract'
import { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore, Route } from '../app/app'
import type { HistoryStore } from '../history/history'
import {
  conversationsShown,
  isSamePlace,
  isSameRoute,
  type Visit,
  type VisitedView,
} from '../history/visit'
import { placeHere } from '../history/visits'
import type { LibraryStore } from '../library/library'
import type { ReadingStore } from '../transcript/reading'
import type { TranscriptStore } from '../transcript/transcript'
import { type CoveringView, coveringView, type ViewStores, viewNames } from './follow-views'

/** Stores that tell where the window is. */
export interface PlaceStores extends ViewStores {
  readonly app: AppStore
  readonly history: HistoryStore
  readonly library: LibraryStore
  readonly reading: ReadingStore
  readonly transcript: TranscriptStore
}

/**
 * Records each place that the window shows: conversations, views over them, Settings, and lines that were gone to. What
 * changes within one task is one visit. Returns a function that stops it.
 */
export function followHistory(api: Api, stores: PlaceStores): () => void {
  const { app, history, reading, transcript } = stores
  let isMoving = false
  /** Route in the home before, until the window shows something of the present one. */
  let routeBefore: Route | undefined

  function follow(): void {
    if (isMoving || history.getState().isReturning || app.getState().place === routeBefore) return
    const now = shownPlace(stores)
    const here = placeHere(history.getState().visits)
    if (here !== undefined && isSamePlace(here, now)) {
      updateView(here, now)
      return
    }
    // The page still shows what is left.
    noteReading(stores)
    isMoving = true
    queueMicrotask(arrive)
  }

  function updateView(here: Visit, { view, settings }: Visit): void {
    const isSame = settings === here.settings && isSameView(here.view, view)
    if (!isSame) history.getState().update({ ...here, view, settings })
  }

  function arrive(): void {
    isMoving = false
    if (app.getState().place === routeBefore) return
    const now = shownPlace(stores)
    const here = placeHere(history.getState().visits)
    // A window that shows nothing yet has nothing to come back to.
    if (here === undefined && now.route.type === 'none' && now.view === undefined) return
    if (here === undefined || !isSamePlace(here, now))
      history.getState().record(now, here !== undefined && isUnderClosed(stores, here, now))
  }

  const ends = [
    app.subscribe((now, before) => {
      if (now.status?.home.path !== before.status?.home.path) {
        routeBefore = now.place
        history.getState().reset()
      }
      if (now.place !== before.place || now.settings !== before.settings) follow()
    }),
    ...viewNames.map((name) => stores[name].subscribe(follow)),
    transcript.subscribe((now, before) => {
      // The list is about to be drawn anew: where it was read is lost then.
      if (now.generation !== before.generation) noteReading(stores)
    }),
    reading.subscribe(({ landing }, before) => {
      const here = placeHere(history.getState().visits)
      if (landing === undefined || landing.id === before.landing?.id || here === undefined) return
      if (here.route.type !== 'conversation' || here.route.key !== landing.key) return
      const target = landing.place
      if (landing.by === 'opening') {
        history.getState().update({ ...here, target })
        return
      }
      const isThere =
        target.offset === here.target?.offset &&
        target.file === here.target.file &&
        target.entry === here.target.entry
      if (landing.by === 'returning' || isThere) return
      if (!landing.isJump) noteReading(stores, before.landing)
      history.getState().record({ ...shownPlace(stores), target }, false)
    }),
    api.contexts.onRenamed(({ from, to }) =>
      history.getState().renamed(from, LibraryKey.parse(to)),
    ),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Notes at the present place where its conversation is read, as long as the page shows it. */
export function noteReading(
  stores: PlaceStores,
  landing = stores.reading.getState().landing,
): void {
  const { history, reading } = stores
  const here = placeHere(history.getState().visits)
  if (here === undefined) return
  const titles = titlesOf(stores, here)
  const { folds } = reading.getState()
  // A landing that is on its way says nothing of where the reader wants to be.
  const spot = landing?.isDone === false ? undefined : reading.getState().spot()
  const isOfHere = here.route.type === 'conversation' && spot?.key === here.route.key
  history.getState().update({ ...here, titles, ...(isOfHere ? { spot, folds } : {}) })
}

/** Returns the titles of conversations that a place needs and that are gone. */
export function goneTitles({ library }: PlaceStores, place: Visit): readonly string[] {
  const { conversations, phase } = library.getState()
  if (phase !== 'ready') return []
  return conversationsShown(place).flatMap((key) => {
    const summary = conversations.find((known) => known.key === key)
    const title = summary?.title ?? place.titles.get(key)
    const isGone = summary === undefined || summary.gone === true
    // One that was never listed, such as a subagent's, can be opened all the same.
    return isGone && title !== undefined ? [title] : []
  })
}

/** Returns the place that is shown now. */
function shownPlace(stores: PlaceStores): Visit {
  const { place: route, settings } = stores.app.getState()
  const cover = coveringView(stores)
  const view = cover && shownView(stores, cover)
  const visit = { route, view, settings, target: undefined, spot: undefined, folds: {} }
  return { ...visit, titles: titlesOf(stores, { ...visit, titles: new Map() }) }
}

function shownView(stores: PlaceStores, type: CoveringView): VisitedView | undefined {
  switch (type) {
    case 'search':
      return { type, text: stores.search.getState().text }
    case 'lost':
      return { type }
    case 'map':
      return { type, look: stores.map.getState().look() }
    case 'compare': {
      const { points } = stores.compare.getState()
      return points && { type, points }
    }
    case 'statistics': {
      const { range, chosen } = stores.statistics.getState()
      return { type, range, chosen }
    }
  }
}

function titlesOf({ library }: PlaceStores, place: Visit): Visit['titles'] {
  const { conversations } = library.getState()
  const titles = new Map(place.titles)
  for (const key of conversationsShown(place)) {
    const summary = conversations.find((known) => known.key === key)
    if (summary !== undefined) titles.set(key, summary.title)
  }
  return titles
}

/** Returns true where a place appeared because a person closed what was over it, and went nowhere. */
function isUnderClosed(stores: PlaceStores, here: Visit, now: Visit): boolean {
  if (!isSameRoute(here.route, now.route)) return false
  if (here.settings !== undefined) return now.settings === undefined
  if (here.view === undefined) return false
  // A comparison that was opened from the map shows it again.
  if (here.view.type === 'compare' && now.view?.type === 'map') return true
  return now.view === undefined && !stores[here.view.type].getState().leavesFocus
}

function isSameView(a: VisitedView | undefined, b: VisitedView | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.type === 'map' && b.type === 'map') return isShallowEqual(a.look, b.look)
  return isShallowEqual(a, b)
}

function isShallowEqual(a: object, b: object): boolean {
  const entries = Object.entries(a)
  const others = new Map(Object.entries(b))
  return (
    entries.length === others.size && entries.every(([name, value]) => others.get(name) === value)
  )
}
