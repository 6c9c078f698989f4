import { useCallback, useEffect } from 'react'
import type { AppStore, MenuCommand } from '../state/app'
import { useActions, useMenuCommand, useStores } from '../state/context'
import { isPaneOpen, type LayoutStore } from '../state/layout'
import { focusNextPane, focusOn, focusSoon } from '../ui/focus'
import { isComposing } from '../ui/keys'

/** Keys that work everywhere, and the same commands from the menu. */
export function useCommands(): void {
  const { app, layout } = useStores()
  const actions = useActions()
  const run = useCallback(
    (command: MenuCommand) => {
      const isReady = app.getState().status?.phase === 'ready'
      if (command.startsWith('zoom-'))
        return actions.zoom(command.slice(5) as 'in' | 'out' | 'reset')
      if (command === 'settings') return app.getState().openSettings('model')
      if (!isReady || app.getState().settings !== undefined) return
      switch (command) {
        case 'new-conversation':
          actions.newConversation()
          return focusSoon('composer')
        case 'filter':
          layout.getState().open('library')
          return focusSoon('filter')
        case 'toggle-library':
        case 'toggle-details': {
          const pane = command === 'toggle-library' ? 'library' : 'details'
          layout.getState().toggle(pane)
          return focusSoon(isPaneOpen(layout.getState(), pane) ? pane : 'composer')
        }
      }
    },
    [app, layout, actions],
  )
  useMenuCommand(run)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (command !== undefined) {
        // So that the menu does not do the same once more.
        event.preventDefault()
        run(command)
      } else if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
      } else if (event.key === 'Escape' && !isComposing(event)) {
        goOut(app, layout)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [run, app, layout])
}

function commandOf(event: KeyboardEvent): MenuCommand | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey) return undefined
  const key = event.key.toLowerCase()
  if (event.altKey) return key === 'b' ? 'toggle-details' : undefined
  const commands: Readonly<Record<string, MenuCommand>> = {
    n: 'new-conversation',
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

/** Esc: out of Settings, from a control of a turn to the turn, out of a pane that lies over others, else to the composer. */
function goOut(app: AppStore, layout: LayoutStore): void {
  const here = document.activeElement
  const turn = here?.closest<HTMLElement>('[data-item]')
  if (app.getState().settings !== undefined) {
    app.getState().closeSettings()
  } else if (turn != null && turn !== here) {
    turn.focus({ preventScroll: true })
  } else {
    layout.getState().closeOverlay()
    focusOn('composer')
  }
}
