import {
  Archive,
  ArchiveRestore,
  Eye,
  EyeOff,
  type LucideIcon,
  Palette,
  Pin,
  PinOff,
  Share,
  Tags,
  Trash2,
} from 'lucide-react'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { useActions, useChosen, useContexts, useStores } from '../../state/context'
import { formatCount } from '../../ui/format/format'
import { useChosenRows } from './use-chosen-rows'

/** An act on all chosen conversations, as the bar and the menu offer it. */
export interface ChosenAct {
  /** Stays the same while its label changes. */
  readonly id: 'pin' | 'tag' | 'color' | 'hide' | 'archive' | 'export' | 'trash'
  readonly label: string
  readonly icon: LucideIcon
  readonly isDisabled?: boolean
  readonly choose: () => void
}

/** Returns what can be done with the chosen conversations. Those that have it already are left as they are, so that an undo does not change them. */
export function useChosenActs(): readonly ChosenAct[] {
  const rows = useChosenRows()
  const { chosen, exporting } = useStores()
  const { changeChosen } = useActions()
  const isBusy = useChosen((state) => state.work !== undefined)
  const archived = useContexts((state) => state.archived)
  const contexts = rows.filter(({ key }) => parseLibraryKey(key).source === 'chibi')
  const arePinned = rows.every(({ pinned }) => pinned === true)
  const areHidden = rows.every(({ hidden }) => hidden === true)
  const areArchived = contexts.length > 0 && contexts.every(({ key }) => archived.has(key))
  const ofContexts = ofThem(contexts.length, rows.length)
  return [
    {
      id: 'pin',
      label: arePinned ? 'Unpin' : 'Pin',
      icon: arePinned ? PinOff : Pin,
      isDisabled: isBusy,
      choose: () =>
        void changeChosen(
          { type: arePinned ? 'unpinned' : 'pinned' },
          rows.filter(({ pinned }) => arePinned || pinned !== true).map(({ key }) => key),
        ),
    },
    {
      id: 'tag',
      label: 'Tag…',
      icon: Tags,
      isDisabled: isBusy,
      choose: () => chosen.getState().ask('tag'),
    },
    {
      id: 'color',
      label: 'Color…',
      icon: Palette,
      isDisabled: isBusy,
      choose: () => chosen.getState().ask('color'),
    },
    {
      id: 'hide',
      label: areHidden ? 'Show in the library' : 'Hide',
      icon: areHidden ? Eye : EyeOff,
      isDisabled: isBusy,
      choose: () =>
        void changeChosen(
          { type: areHidden ? 'unhidden' : 'hidden' },
          rows.filter(({ hidden }) => areHidden || hidden !== true).map(({ key }) => key),
        ),
    },
    {
      id: 'archive',
      label: `${areArchived ? 'Unarchive' : 'Archive'}${ofContexts}`,
      icon: areArchived ? ArchiveRestore : Archive,
      isDisabled: isBusy || contexts.length === 0,
      choose: () =>
        void changeChosen(
          { type: areArchived ? 'unarchived' : 'archived' },
          contexts.filter(({ key }) => areArchived || !archived.has(key)).map(({ key }) => key),
        ),
    },
    {
      id: 'export',
      label: 'Export…',
      icon: Share,
      choose: () => exporting.getState().openSeveral(rows.map(({ key }) => key)),
    },
    {
      id: 'trash',
      label: `Move to trash${ofContexts}…`,
      icon: Trash2,
      isDisabled: isBusy || contexts.length === 0,
      choose: () => chosen.getState().ask('trash'),
    },
  ]
}

/** Says of how many it is where other systems' conversations are among them: their files are never changed. */
function ofThem(contexts: number, all: number): string {
  return contexts === all ? '' : ` ${formatCount(contexts)} of ${formatCount(all)}`
}
