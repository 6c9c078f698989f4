import {
  ALargeSmall,
  ArrowLeft,
  ArrowRight,
  ChartColumn,
  Command,
  Download,
  FolderOutput,
  FoldVertical,
  GitCompareArrows,
  ListFilter,
  ListTree,
  type LucideIcon,
  Map as MapIcon,
  PanelLeft,
  PanelRight,
  RefreshCw,
  Rows3,
  Search,
  Settings,
  Share,
  SquarePen,
  TextSearch,
  TriangleAlert,
} from 'lucide-react'
import {
  type WindowCommand,
  windowCommandNames,
  windowCommands,
} from '../../../shared/model/keys/window-commands'
import type { CoveringView } from '../../state/views'
import type { PaletteItem } from './palette-items'

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
  'export-all': FolderOutput,
  import: Download,
  compare: GitCompareArrows,
  settings: Settings,
  'check-updates': RefreshCw,
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
  'export-all': 'save everything library zip folder',
  import: 'open file zip chatgpt claude',
  compare: 'diff branches',
  settings: 'preferences options configuration',
  'check-updates': 'new version release upgrade about',
  'toggle-library': 'sidebar show hide',
  'toggle-details': 'sidebar show hide info',
  'zoom-in': 'zoom bigger',
  'zoom-out': 'zoom',
  'zoom-reset': 'zoom 100 %',
}

const aboutSettings: ReadonlySet<WindowCommand> = new Set([
  'settings',
  'check-updates',
  'import',
  'back',
  'forward',
  'zoom-in',
  'zoom-out',
  'zoom-reset',
])

/** The present view, on which it depends what a command does. */
interface Shown {
  readonly isConversation: boolean
  /** The library has a conversation. */
  readonly hasConversations: boolean
  readonly isSettings: boolean
  readonly cover: CoveringView | undefined
  readonly hasBack: boolean
  readonly hasForward: boolean
}

/** Makes the items of the commands that do something in the present view. */
export function commandItems(
  shown: Shown,
  run: (command: WindowCommand) => void,
): readonly PaletteItem[] {
  return windowCommandNames
    .filter((name) => isOffered(name, shown))
    .map((name) => ({
      id: `command ${name}`,
      name: windowCommands[name].name,
      icon: commandIcons[name],
      words: commandWords[name] ?? '',
      keys: name,
      ...(aboutSettings.has(name) ? { staysInSettings: true } : {}),
      run: () => run(name),
    }))
}

/** Returns false for what would do nothing in the present view, and for the palette itself. */
function isOffered(command: WindowCommand, shown: Shown): boolean {
  const { isConversation, hasConversations, isSettings, cover, hasBack, hasForward } = shown
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
    case 'export-all':
      return hasConversations
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
