import {
  Bookmark,
  Box,
  Contrast,
  Ellipsis,
  Hash,
  ListFilter,
  type LucideIcon,
  MessageSquare,
  Rows3,
  Settings,
  Sun,
} from 'lucide-react'
import { useMemo } from 'react'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { tagsInUse } from '../../../shared/model/conversation/tag'
import { windowCommands } from '../../../shared/model/keys/window-commands'
import { smartListIds, smartLists } from '../../../shared/model/lists/smart-lists'
import type { Preferences } from '../../../shared/model/settings/settings'
import { type SettingsSection, settingsSections } from '../../state/app/app'
import {
  type Stores,
  useActions,
  useApp,
  useContexts,
  useLibraryState,
  useSearches,
  useStores,
} from '../../state/context'
import { showSavedSearch } from '../../state/search-state'
import { useBarStart } from '../../state/use-bar-start'
import { useCoveringView } from '../../state/use-covering-view'
import { focusSoon } from '../../ui/behaviour/focus'
import { formatQuantity } from '../../ui/format/format'
import { conversationActs } from '../acts/conversation-acts'
import { useRunCommand } from '../commands/use-run-command'
import { commandItems } from './palette-commands'
import type { PaletteGroup, PaletteItem } from './palette-items'

const appearance: readonly (readonly [string, LucideIcon, Partial<Preferences>])[] = [
  ['Theme: as the system', Sun, { theme: 'system' }],
  ['Theme: light', Sun, { theme: 'light' }],
  ['Theme: dark', Sun, { theme: 'dark' }],
  ['Contrast: as the system', Contrast, { contrast: 'system' }],
  ['Contrast: normal', Contrast, { contrast: 'normal' }],
  ['Contrast: more', Contrast, { contrast: 'more' }],
  ['Density: comfortable', Rows3, { density: 'comfortable' }],
  ['Density: compact', Rows3, { density: 'compact' }],
]

/** Returns everything that the palette offers now; `turn` is the one that had the focus before. */
export function usePaletteGroups(
  turn: Element | null,
  pickModel: () => void,
): readonly PaletteGroup[] {
  const stores = useStores()
  const actions = useActions()
  const runCommand = useRunCommand()
  const openKey = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const isConversation = openKey !== undefined
  const isSettings = useApp(({ settings }) => settings !== undefined)
  const cover = useCoveringView()
  const start = useBarStart()
  const hasBack = start.onBack !== undefined
  const hasForward = start.onForward !== undefined
  const archived = useContexts((state) => state.archived)
  const saved = useSearches((state) => state.saved)
  const conversations = useLibraryState((state) => state.conversations)
  const hasConversations = conversations.length > 0

  const here = useMemo<readonly PaletteItem[]>(() => {
    if (openKey === undefined) return []
    const row = conversations.find(({ key }) => key === openKey)
    const acts =
      row?.gone === true
        ? []
        : conversationActs(stores, actions, {
            key: openKey,
            openKey,
            row,
            isArchived: archived.has(openKey),
          })
    return [
      ...(turn === null
        ? []
        : [
            {
              id: 'turn',
              name: 'Actions on this message…',
              icon: Ellipsis,
              words: 'copy branch edit regenerate label source line sent',
              keys: ['Shift', 'F10'],
              run: () => openMenuOf(turn),
            },
          ]),
      ...acts
        // Comparing the open conversation is among the commands, with its key.
        .filter(({ label }) => label !== windowCommands.compare.name)
        .map(({ label, icon, choose }) => ({ id: `act ${label}`, name: label, icon, run: choose })),
    ]
  }, [stores, actions, openKey, conversations, archived, turn])

  const commands = useMemo<readonly PaletteItem[]>(
    () => [
      ...commandItems(
        { isConversation, hasConversations, isSettings, cover, hasBack, hasForward },
        runCommand,
      ),
      { id: 'model', name: 'Choose a model…', icon: Box, words: 'llm provider', run: pickModel },
    ],
    [
      isConversation,
      hasConversations,
      isSettings,
      cover,
      hasBack,
      hasForward,
      runCommand,
      pickModel,
    ],
  )

  const listed = useMemo<readonly PaletteItem[]>(
    () =>
      conversations.map(({ key, title, project, tags, source }) => ({
        id: `conversation ${key}`,
        name: title,
        icon: MessageSquare,
        source,
        hint: [
          ...(archived.has(key) ? ['archived'] : []),
          ...(project == null ? [] : [project]),
          sourceLabel(source),
        ].join(' · '),
        words: `${(tags ?? []).join(' ')} ${parseLibraryKey(key).key}`,
        run: () => {
          actions.openConversation(key)
          focusSoon('composer')
        },
      })),
    [actions, conversations, archived],
  )

  const lists = useMemo<readonly PaletteItem[]>(
    () => [
      ...smartListIds.map((id) => ({
        id: `list ${id}`,
        name: `List: ${smartLists[id].name}`,
        icon: ListFilter,
        hint: smartLists[id].holds,
        words: 'show conversations filter smart',
        run: () => showInLibrary(stores, () => stores.library.getState().setList(id)),
      })),
      ...tagsInUse(conversations).map(({ tag, count }) => ({
        id: `tag ${tag}`,
        name: `#${tag}`,
        icon: Hash,
        hint: formatQuantity(count, 'conversation'),
        words: `${tag} tag`,
        run: () => showInLibrary(stores, () => stores.library.getState().setTag(tag)),
      })),
      ...saved.map(({ id, name, query }) => ({
        id: `saved ${id}`,
        name,
        icon: Bookmark,
        hint: 'saved search',
        words: query,
        run: () => showInLibrary(stores, () => void showSavedSearch(stores, id)),
      })),
    ],
    [stores, conversations, saved],
  )

  const settings = useMemo<readonly PaletteItem[]>(
    () => [
      ...Object.entries(settingsSections).map(([section, name]) => ({
        id: `settings ${section}`,
        name: `Settings: ${name}`,
        icon: Settings,
        words: section === 'keyboard' ? 'shortcuts keys' : 'preferences',
        staysInSettings: true as const,
        run: () => stores.app.getState().openSettings(section as SettingsSection),
      })),
      ...appearance.map(([name, icon, change]) => ({
        id: name,
        name,
        icon,
        words: 'appearance mode',
        staysInSettings: true as const,
        run: () => void stores.settings.getState().setPreferences(change),
      })),
    ],
    [stores],
  )

  return useMemo(
    () => [
      { name: 'This conversation', items: here },
      { name: 'Commands', items: commands },
      { name: 'Conversations', items: listed },
      { name: 'Lists, tags and saved searches', items: lists },
      { name: 'Settings', items: settings },
    ],
    [here, commands, listed, lists, settings],
  )
}

function showInLibrary({ layout }: Stores, narrow: () => void): void {
  layout.getState().open('library')
  narrow()
  focusSoon('library')
}

/** Opens the menu of a turn as the menu key does. */
function openMenuOf(turn: Element): void {
  const { left, top } = turn.getBoundingClientRect()
  turn.dispatchEvent(
    new MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: left + 16,
      clientY: Math.max(top, 0) + 16,
    }),
  )
}
