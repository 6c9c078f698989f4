import { useCallback, useEffect } from 'react'
import type { MenuCommand } from '../state/app/app'
import { isPaneOpen } from '../state/app/layout'
import { type Actions, type Stores, useActions, useMenuCommand, useStores } from '../state/context'
import { stepHistory } from '../state/history-steps'
import { openOutline } from '../state/landmarks/go-to'
import { closeFind, openFind, stepFind, stepHit } from '../state/search-state'
import { coveringView } from '../state/views'
import { focusNextPane, focusOn, focusSoon } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { hasDialog } from './has-dialog'
import { useHistoryKeys } from './history/use-history-keys'

/** Runs the commands of the menu, and the keys for them, which work wherever the focus is. */
export function useCommands(): void {
  const stores = useStores()
  const { app, layout, search, find, preview, lost, map, statistics, exporting, sources } = stores
  const actions = useActions()
  const run = useCallback(
    (command: MenuCommand) => {
      const isReady = app.getState().status?.phase === 'ready'
      if (command.startsWith('zoom-'))
        return actions.zoom(command.slice(5) as 'in' | 'out' | 'reset')
      // No view or dialog opens over a dialog.
      if (hasDialog(stores)) return
      if (command === 'settings') return app.getState().openSettings('model')
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
            exporting.getState().open(place.key)
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
    [stores, app, layout, search, preview, lost, map, statistics, exporting, sources, actions],
  )
  useMenuCommand(run)
  useHistoryKeys(run)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (command !== undefined) {
        // Or the menu would run the command a second time.
        event.preventDefault()
        run(command)
      } else if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
      } else if (event.key === 'F3') {
        event.preventDefault()
        const isCovered = app.getState().settings !== undefined || hasDialog(stores)
        const by = event.shiftKey ? -1 : 1
        const isFinding = find.getState().isOpen && coveringView(stores) === undefined
        if (!isCovered) void (isFinding ? stepFind : stepHit)(stores, actions, by)
      } else if (event.key === 'Escape' && !isComposing(event)) {
        goOut(stores, actions)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [run, app, find, stores, actions])
}

const shifted: Readonly<Record<string, MenuCommand>> = {
  f: 'search',
  l: 'lost-and-found',
  m: 'map',
  d: 'compare',
  s: 'statistics',
  k: 'skim',
}

function commandOf(event: KeyboardEvent): MenuCommand | undefined {
  if (!(event.ctrlKey || event.metaKey)) return undefined
  const key = event.key.toLowerCase()
  if (event.shiftKey) return event.altKey ? undefined : shifted[key]
  if (event.altKey) return key === 'b' ? 'toggle-details' : undefined
  const commands: Readonly<Record<string, MenuCommand>> = {
    n: 'new-conversation',
    e: 'export',
    f: 'find',
    g: 'outline',
    k: 'filter',
    b: 'toggle-library',
    ',': 'settings',
    '=': 'zoom-in',
    '+': 'zoom-in',
    '-': 'zoom-out',
    '0': 'zoom-reset',
  }
  return commands[key]
}

/** Esc: closes Settings, else the view over the conversation, else finding in it, else moves from a control of a turn to the turn, else closes an overlay pane and focuses the composer. */
function goOut(stores: Stores, actions: Actions): void {
  const { app, layout, find } = stores
  // A dialog handles its own Esc; one that closed a tooltip in it does not reach the view below.
  if (hasDialog(stores)) return
  const here = document.activeElement
  const turn = here?.closest<HTMLElement>('[data-item]')
  const cover = layout.getState().overlay === undefined ? coveringView(stores) : undefined
  if (app.getState().settings !== undefined) {
    app.getState().closeSettings()
  } else if (cover !== undefined) {
    stores[cover].getState().hide()
  } else if (find.getState().isOpen && layout.getState().overlay === undefined) {
    void closeFind(stores, actions).then((isAtMatch) => {
      if (!isAtMatch) focusOn('transcript')
    })
  } else if (turn != null && turn !== here) {
    turn.focus({ preventScroll: true })
  } else {
    layout.getState().closeOverlay()
    if (!focusOn('composer')) focusOn(coveringView(stores) ?? 'search')
  }
}
