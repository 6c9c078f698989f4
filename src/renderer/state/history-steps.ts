import type { Actions } from './actions'
import { goneTitles, noteReading } from './follow/follow-history'
import { type CoveringView, coveringView } from './follow/follow-views'
import { isSameRoute, type Visit, type VisitedView } from './history/visit'
import { placeHere } from './history/visits'
import type { Stores } from './stores'

/**
 * Shows the place before the present one, or after it, as it was left: a conversation where it was read, a view with what
 * was chosen in it. Places whose conversation is gone are passed. Returns what takes the focus; undefined where it goes
 * to the line that is shown, or back to where it was.
 */
export function stepHistory(
  stores: Stores,
  actions: Actions,
  by: -1 | 1,
): CoveringView | 'composer' | undefined {
  const { history } = stores
  noteReading(stores)
  const from = placeHere(history.getState().visits)
  const to = history.getState().step(by, (place) => goneTitles(stores, place))
  if (from === undefined || to === undefined) return undefined
  let focus: CoveringView | 'composer' | undefined
  history.getState().returning(() => {
    focus = show(stores, actions, from, to)
  })
  return focus
}

function show(
  stores: Stores,
  actions: Actions,
  from: Visit,
  to: Visit,
): CoveringView | 'composer' | undefined {
  const { app, layout, reading } = stores
  layout.getState().closeOverlay()
  if (to.settings === undefined) app.getState().closeSettings()
  else app.getState().openSettings(to.settings)
  const isSame = isSameRoute(app.getState().place, to.route)
  const isAsLeft = isSame && reading.getState().spot()?.layout === to.spot?.layout
  const cover = coveringView(stores)
  // What is under Settings, or under the view, is as it was left.
  if (isAsLeft && from.settings !== to.settings && cover === to.view?.type) return undefined
  if (isAsLeft && cover !== undefined && to.view === undefined) {
    stores[cover].getState().hide()
    if (coveringView(stores) === undefined) return undefined
  }
  const canShow = goneTitles(stores, { ...to, view: undefined, settings: undefined }).length === 0
  const isNeeded = !isSame || to.view === undefined
  const focus = canShow && isNeeded ? showRoute(stores, actions, to) : undefined
  if (to.view !== undefined) showView(stores, to.view)
  return to.settings === undefined ? (to.view?.type ?? focus) : undefined
}

/** Shows a conversation where it was read. */
function showRoute(stores: Stores, actions: Actions, to: Visit): 'composer' | undefined {
  const { app, reading, transcript } = stores
  const { route, spot, target } = to
  if (route.type !== 'conversation') {
    if (route.type === 'draft') actions.newConversation()
    else app.getState().show(route)
    return 'composer'
  }
  const at = spot?.type === 'line' ? spot : undefined
  const place = at?.place ?? (spot === undefined ? target : undefined)
  const options = { isReturn: true, ...(at === undefined ? {} : { at: at.at, within: at.within }) }
  if (place === undefined) actions.openConversation(route.key)
  else void actions.openAt(route.key, place, options)
  // The rows of another conversation come later: they are drawn with these folds.
  if (transcript.getState().phase === 'loading') reading.setState({ folds: to.folds })
  return place === undefined ? 'composer' : undefined
}

function showView(stores: Stores, view: VisitedView): void {
  switch (view.type) {
    case 'search': {
      const { text, setText, open } = stores.search.getState()
      if (text !== view.text) setText(view.text)
      open(text === view.text && text !== '' ? 'hits' : 'query')
      break
    }
    case 'lost':
      stores.lost.getState().open()
      break
    case 'map':
      stores.map.getState().openAs(view.look)
      break
    case 'compare':
      void stores.compare.getState().open(view.points.left, view.points.right)
      break
    case 'statistics':
      stores.statistics.getState().openAs(view.range, view.chosen)
  }
}
