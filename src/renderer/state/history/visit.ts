import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Route, SettingsSection } from '../app/app'
import type { ComparePoints } from '../compare/compare'
import type { MapLook } from '../map/map'
import type { StatisticsChoices } from '../statistics/statistics'
import type { StatisticsRange } from '../statistics/time-ranges'
import type { LinePoint, ReadingSpot } from '../transcript/landing'

/** A view over the conversation, with what it showed. */
export type VisitedView =
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'lost' }
  | { readonly type: 'map'; readonly look: MapLook }
  | { readonly type: 'compare'; readonly points: ComparePoints }
  | {
      readonly type: 'statistics'
      readonly range: StatisticsRange
      readonly chosen: StatisticsChoices
    }

/** A place that was visited: a conversation and where it was read, a view over it, or Settings. */
export interface Visit {
  /** Route of the middle pane, below a view and Settings. */
  readonly route: Route
  /** The line that was gone to in the conversation; undefined where it was opened at its end. */
  readonly target: LinePoint | undefined
  /** Where the conversation was read when the place was left; undefined while that is not known. */
  readonly spot: ReadingSpot | undefined
  /** Folds that were opened or closed by hand. */
  readonly folds: Readonly<Record<string, boolean>>
  readonly view: VisitedView | undefined
  readonly settings: SettingsSection | undefined
  /** Titles of the listed conversations that the place shows, by their keys. */
  readonly titles: ReadonlyMap<LibraryKey, string>
}

/** Returns true for one place, wherever it is read and whatever is selected there. */
export function isSamePlace(a: Visit, b: Visit): boolean {
  return nameOfPlace(a) === nameOfPlace(b)
}

/** Returns true where two routes show the same. */
export function isSameRoute(a: Route, b: Route): boolean {
  return nameOfRoute(a) === nameOfRoute(b)
}

/** Returns the conversations without which a place cannot be shown. */
export function conversationsShown({ route, view, settings }: Visit): readonly LibraryKey[] {
  if (settings !== undefined) return []
  if (view === undefined) return route.type === 'conversation' ? [route.key] : []
  if (view.type === 'map') return view.look.key === undefined ? [] : [view.look.key]
  if (view.type !== 'compare') return []
  const { left, right } = view.points
  return [left.key, ...(right === undefined ? [] : [right.key])]
}

/** Returns a place with the new name of a conversation. */
export function renamedVisit(visit: Visit, from: string, to: LibraryKey): Visit {
  const renamed = (key: LibraryKey) => (key === from ? to : key)
  const { route, view, titles } = visit
  return {
    ...visit,
    route: route.type === 'conversation' ? { ...route, key: renamed(route.key) } : route,
    view: view && renamedView(view, renamed),
    titles: new Map([...titles].map(([key, title]) => [renamed(key), title])),
  }
}

function renamedView(view: VisitedView, renamed: (key: LibraryKey) => LibraryKey): VisitedView {
  if (view.type === 'map') {
    const { key, straightKey } = view.look
    const look = {
      ...view.look,
      key: key && renamed(key),
      straightKey: straightKey && renamed(straightKey),
    }
    return { ...view, look }
  }
  if (view.type !== 'compare') return view
  const { left, right } = view.points
  return {
    ...view,
    points: {
      left: { ...left, key: renamed(left.key) },
      right: right && { ...right, key: renamed(right.key) },
    },
  }
}

function nameOfPlace({ route, view, settings }: Visit): string {
  return JSON.stringify([nameOfRoute(route), view && nameOfView(view), settings !== undefined])
}

function nameOfRoute(route: Route): string {
  return route.type === 'conversation' ? `conversation ${route.key}` : route.type
}

function nameOfView(view: VisitedView): string {
  if (view.type === 'map') return `map ${view.look.key}`
  if (view.type !== 'compare') return view.type
  const { left, right } = view.points
  // The same two sides, whichever is on the left.
  const sides = [left, right].map((side) => side && [side.key, side.entry ?? ''].join('@'))
  return `compare ${JSON.stringify(sides.sort())}`
}
