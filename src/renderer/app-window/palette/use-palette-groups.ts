import {
  ALargeSmall,
  ArrowLeft,
  ArrowRight,
  Bookmark,
  Box,
  ChartColumn,
  Command,
  Contrast,
  Download,
  Ellipsis,
  FoldVertical,
  GitCompareArrows,
  Hash,
  ListFilter,
  ListTree,
  type LucideIcon,
  Map as MapIcon,
  MessageSquare,
  PanelLeft,
  PanelRight,
  Rows3,
  Search,
  Settings,
  Share,
  SquarePen,
  Sun,
  TextSearch,
  TriangleAlert,
} from 'lucide-react'
import { useMemo } from 'react'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { tagsInUse } from '../../../shared/model/conversation/tag'
import type { Preferences } from '../../../shared/model/settings/settings'
import {
  keyCapsOf,
  type WindowCommand,
  windowCommandNames,
  windowCommands,
} from '../../../shared/model/window-commands'
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
import type { CoveringView } from '../../state/views'
import { focusSoon } from '../../ui/behaviour/focus'
import { formatQuantity } from '../../ui/format/format'
import { conversationActs } from '../acts/conversation-acts'
import { useRunCommand } from '../commands/use-run-command'
import type { PaletteGroup, PaletteItem } from './palette-items'

const commandIcons: Readonly<Record<WindowCommand, LucideIcon>> = {
  palette: Command,
  'new-conversation': SquarePen,
  filter: ListFilter,
  find: TextSearch,
  outline: ListTree,
  skim: Rows3,
  'fold-tools': FoldVertical,
  search: Search,
  'lost-and-found': TriangleAlert,
  map: MapIcon,
  statistics: ChartColumn,
  export: Share,
  import: Download,
  compare: GitCompareArrows,
  settings: Settings,
  'toggle-library': PanelLeft,
  'toggle-details': PanelRight,
  back: ArrowLeft,
  forward: ArrowRight,
  'zoom-in': ALargeSmall,
  'zoom-out': ALargeSmall,
  'zoom-reset': ALargeSmall,
}

/** Other words for commands: what other programs call the same. */
const commandWords: Partial<Readonly<Record<WindowCommand, string>>> = {
  'new-conversation': 'chat start create',
  filter: 'go to conversation open',
  skim: 'hide tools overview short',
  'fold-tools': 'expand collapse',
  outline: 'go to prompts jump line step',
  search: 'find in all conversations',
  'lost-and-found': 'damaged lines lost found errors',
  map: 'tree graph family',
  statistics: 'usage cost tokens',
  export: 'save as markdown html share',
  import: 'open file zip chatgpt claude',
  compare: 'diff branches',
  settings: 'preferences options configuration',
  'toggle-library': 'sidebar show hide',
  'toggle-details': 'sidebar show hide info',
  'zoom-in': 'zoom bigger',
  'zoom-out': 'zoom',
  'zoom-reset': 'zoom 100 %',
}

const aboutSettings: ReadonlySet<WindowCommand> = new Set([
  'settings',
  'import',
  'back',
  'forward',
  'zoom-in',
  'zoom-out',
  'zoom-reset',
])

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
      ...acts.map(({ label, icon, choose }) => ({
        id: `act ${label}`,
        name: label,
        icon,
        run: choose,
      })),
    ]
  }, [stores, actions, openKey, conversations, archived, turn])

  const commands = useMemo<readonly PaletteItem[]>(
    () => [
      ...windowCommandNames
        .filter((name) =>
          isOffered(name, { isConversation, isSettings, cover, hasBack, hasForward }),
        )
        .map((name): PaletteItem => {
          const keys = keyCapsOf(name)
          return {
            id: `command ${name}`,
            name: windowCommands[name].name,
            icon: commandIcons[name],
            words: commandWords[name] ?? '',
            ...(keys === undefined ? {} : { keys }),
            ...(aboutSettings.has(name) ? { staysInSettings: true } : {}),
            run: () => runCommand(name),
          }
        }),
      { id: 'model', name: 'Choose a model…', icon: Box, words: 'llm provider', run: pickModel },
    ],
    [isConversation, isSettings, cover, hasBack, hasForward, runCommand, pickModel],
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
      { name: 'Tags and saved searches', items: lists },
      { name: 'Settings', items: settings },
    ],
    [here, commands, listed, lists, settings],
  )
}

/** What is shown now, on which it depends what a command does. */
interface Shown {
  readonly isConversation: boolean
  readonly isSettings: boolean
  readonly cover: CoveringView | undefined
  readonly hasBack: boolean
  readonly hasForward: boolean
}

/** Returns false for what would do nothing in the present view, and for the palette itself. */
function isOffered(command: WindowCommand, shown: Shown): boolean {
  const { isConversation, isSettings, cover, hasBack, hasForward } = shown
  switch (command) {
    case 'palette':
      return false
    case 'find':
      return cover === undefined ? isConversation : cover === 'search' || cover === 'map'
    case 'outline':
    case 'skim':
    case 'fold-tools':
    case 'export':
      return isConversation && cover === undefined
    case 'map':
      return isConversation
    case 'compare':
      return cover === 'map' || (isConversation && cover === undefined)
    case 'back':
      return hasBack
    case 'forward':
      return hasForward
    case 'statistics':
      return cover !== 'statistics'
    case 'lost-and-found':
      return cover !== 'lost'
    case 'settings':
      return !isSettings
    case 'toggle-details':
      return cover === undefined || cover === 'search'
    default:
      return true
  }
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
