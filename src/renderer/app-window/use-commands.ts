import { useEffect } from 'react'
import { keystrokeOf } from '../../shared/model/keys/keystroke'
import { type Actions, type Stores, useActions, useMenuCommand, useStores } from '../state/context'
import { closeFind, stepFind, stepHit } from '../state/search-state'
import { coveringView } from '../state/views'
import { focusNextPane, focusOn } from '../ui/behaviour/focus'
import { hasCommandModifier, isComposing } from '../ui/behaviour/keys'
import { useKeyTable } from '../ui/controls/command-keys'
import { hasDialog } from './commands/has-dialog'
import { useRunCommand } from './commands/use-run-command'
import { useHistoryKeys } from './history/use-history-keys'
import { useRecordedKeys } from './keys/use-recorded-keys'

/** Runs the commands of the menu, and the keys for them, which work wherever the focus is. */
export function useCommands(): void {
  const stores = useStores()
  const { app, find } = stores
  const actions = useActions()
  const run = useRunCommand()
  const table = useKeyTable()
  useMenuCommand(run)
  const isRecorded = useRecordedKeys()
  useHistoryKeys(run, isRecorded)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const keystroke = keystrokeOf(event, table.platform)
      const command = keystroke === undefined ? undefined : table.commandOf(keystroke)
      if (isRecorded()) {
        // Or the menu would run it.
        if (command !== undefined) event.preventDefault()
      } else if (command !== undefined) {
        // Or the menu would run the command a second time.
        event.preventDefault()
        run(command)
      } else if (hasCommandModifier(event)) {
        // The keys below mean nothing with Ctrl, Alt or Meta.
      } else if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
      } else if (event.key === 'F3') {
        event.preventDefault()
        const isCovered = app.getState().settings !== undefined || hasDialog(stores)
        const by = event.shiftKey ? -1 : 1
        const isFinding = find.getState().isOpen && coveringView(stores) === undefined
        if (!isCovered) void (isFinding ? stepFind : stepHit)(stores, actions, by)
      } else if (event.key === 'Escape' && !event.repeat && !isComposing(event)) {
        // One that is held closes one thing.
        goOut(stores, actions)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [run, isRecorded, table, app, find, stores, actions])
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
