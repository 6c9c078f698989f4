import { useMemo } from 'react'
import type { WindowCommand } from '../../../shared/model/keys/window-commands'
import { useActions, useApp, useContexts, useLibraryState, useStores } from '../../state/context'
import { useBarStart } from '../../state/use-bar-start'
import { useCoveringView } from '../../state/use-covering-view'
import type { ComposerCommand } from '../../ui/controls/composer-command'
import { conversationActs } from '../acts/conversation-acts'
import { useRunCommand } from '../commands/use-run-command'
import { commandItems } from './palette-commands'

/** Commands of the window that somebody who writes may want; those about panes, zoom and places have keys alone. */
const offered: ReadonlySet<WindowCommand> = new Set([
  'new-conversation',
  'search',
  'find',
  'outline',
  'map',
  'compare',
  'skim',
  'export',
  'settings',
])

/** Returns the commands of the window and the acts on the open conversation that make sense at the composer. */
export function useComposerCommands(): readonly ComposerCommand[] {
  const stores = useStores()
  const actions = useActions()
  const runCommand = useRunCommand()
  const openKey = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const row = useLibraryState(({ conversations }) =>
    conversations.find(({ key }) => key === openKey),
  )
  const isArchived = useContexts(({ archived }) => openKey !== undefined && archived.has(openKey))
  const cover = useCoveringView()
  const { onBack, onForward } = useBarStart()
  const hasBack = onBack !== undefined
  const hasForward = onForward !== undefined

  return useMemo(() => {
    const isConversation = openKey !== undefined
    const shown = {
      ...{ isConversation, hasConversations: isConversation, isSettings: false },
      ...{ cover, hasBack, hasForward },
    }
    const commands = commandItems(shown, runCommand).flatMap((item): ComposerCommand[] => {
      const name = item.id.replace(/^command /, '')
      return offered.has(name as WindowCommand) ? [{ ...item, slash: name }] : []
    })
    const acts =
      openKey === undefined
        ? []
        : conversationActs(stores, actions, { key: openKey, openKey, row, isArchived })
    return [
      ...commands,
      ...acts
        // What the window's commands do too is among those, with its key.
        .filter(({ command }) => command === undefined)
        .map(({ label, icon, takesAway, choose }) => ({
          id: `act ${label}`,
          name: label,
          icon,
          slash: (label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-'),
          takesAway,
          run: choose,
        })),
    ]
  }, [stores, actions, runCommand, openKey, row, isArchived, cover, hasBack, hasForward])
}
