import { useCallback } from 'react'
import type { MenuCommand } from '../../state/app/app'
import { isPaneOpen } from '../../state/app/layout'
import { useActions, useStores } from '../../state/context'
import { stepHistory } from '../../state/history-steps'
import { openOutline } from '../../state/landmarks/go-to'
import { openFind } from '../../state/search-state'
import { coveringView } from '../../state/views'
import { focusOn, focusSoon } from '../../ui/behaviour/focus'
import { selectedTurns } from '../../ui/behaviour/selected-turns'
import { hasDialog } from './has-dialog'

/** Returns what runs a command of the window, where the present view lets it. */
export function useRunCommand(): (command: MenuCommand) => void {
  const stores = useStores()
  const { app, layout, library, search, preview, lost, map } = stores
  const { statistics, exporting, sources, palette } = stores
  const actions = useActions()
  return useCallback(
    (command: MenuCommand) => {
      const isReady = app.getState().status?.phase === 'ready'
      if (command.startsWith('zoom-'))
        return actions.zoom(command.slice(5) as 'in' | 'out' | 'reset')
      // No view or dialog opens over a dialog.
      if (hasDialog(stores)) return
      if (command === 'settings') return app.getState().openSettings('model')
      if (command === 'check-updates') {
        app.getState().openSettings('about')
        return void app.getState().checkForUpdates()
      }
      const isFirst = app.getState().status?.phase === 'first-run'
      if (command === 'import' && (isReady || isFirst)) {
        app.getState().openSettings('sources')
        return void sources.getState().import()
      }
      if (!isReady) return
      if (command === 'back' || command === 'forward') {
        const target = stepHistory(stores, actions, command === 'back' ? -1 : 1)
        if (target !== undefined) focusSoon(target)
        return
      }
      if (command === 'palette') return palette.getState().open()
      if (app.getState().settings !== undefined) return
      switch (command) {
        case 'new-conversation':
          actions.newConversation()
          return focusSoon('composer')
        case 'filter':
          layout.getState().open('library')
          return focusSoon('filter')
        case 'search':
          layout.getState().closeOverlay()
          search.getState().open('query')
          return focusSoon('search')
        case 'find': {
          const cover = coveringView(stores)
          if (cover === 'search') return focusSoon('search')
          if (cover === 'map') return focusSoon('map-search')
          if (cover !== undefined) return
          openFind(stores)
          return focusSoon('find')
        }
        case 'outline':
          if (coveringView(stores) === undefined) openOutline(stores)
          return
        case 'skim':
        case 'fold-tools': {
          if (coveringView(stores) !== undefined) return
          const { toggleSkimming, toggleTools } = stores.reading.getState()
          return command === 'skim' ? toggleSkimming() : toggleTools()
        }
        case 'lost-and-found':
          layout.getState().closeOverlay()
          lost.getState().open()
          return focusSoon('lost')
        case 'map': {
          const { place } = app.getState()
          if (place.type !== 'conversation') return
          layout.getState().closeOverlay()
          map.getState().open(place.key)
          return focusSoon('map')
        }
        case 'compare': {
          const { place } = app.getState()
          const cover = coveringView(stores)
          if (cover === 'map') actions.compareOnMap(map.getState().selected)
          else if (place.type === 'conversation' && cover === undefined)
            actions.compare({ key: place.key })
          else return
          return focusSoon('compare')
        }
        case 'statistics':
          layout.getState().closeOverlay()
          statistics.getState().open()
          return focusSoon('statistics')
        case 'export': {
          const { place } = app.getState()
          if (place.type === 'conversation' && coveringView(stores) === undefined)
            exporting.getState().open(place.key, selectedTurns())
          return
        }
        case 'export-all': {
          const [first] = library.getState().conversations
          if (first !== undefined) exporting.getState().openAll(first.key)
          return
        }
        case 'toggle-library':
        case 'toggle-details': {
          const pane = command === 'toggle-library' ? 'library' : 'details'
          const cover = coveringView(stores)
          // Beside the hits is their preview.
          if (pane === 'details' && cover === 'search') {
            const { isOpen, setOpen } = preview.getState()
            const hadFocus = document.activeElement?.closest('[data-pane="preview"]') != null
            setOpen(!isOpen)
            if (hadFocus && !focusOn('hits')) focusOn('search')
            return
          }
          // The details are of a conversation that a view now covers.
          if (pane === 'details' && cover !== undefined) return
          const middle = cover ?? 'composer'
          layout.getState().toggle(pane)
          return focusSoon(isPaneOpen(layout.getState(), pane) ? pane : middle)
        }
      }
    },
    [
      stores,
      app,
      layout,
      library,
      search,
      preview,
      lost,
      map,
      statistics,
      exporting,
      sources,
      palette,
      actions,
    ],
  )
}
