import {
  Archive,
  ArchiveRestore,
  Delete,
  Eraser,
  Eye,
  EyeOff,
  FileText,
  FolderPen,
  FoldVertical,
  GitCompareArrows,
  Link,
  type LucideIcon,
  Palette,
  Pencil,
  Pin,
  PinOff,
  Sparkles,
  SquareTerminal,
  Tags,
  Trash2,
} from 'lucide-react'
import {
  type ConversationSummary,
  type LibraryKey,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import { formatConversationLink } from '../../../shared/model/conversation-link'
import { ContinuableSource } from '../../../shared/model/export'
import type { WindowCommand } from '../../../shared/model/keys/window-commands'
import type { Actions, Stores } from '../../state/context'
import type { ContextQuestion, TitleQuestion } from '../../state/context-state'

/** Action on a whole conversation. */
export interface ConversationAct {
  readonly label: string
  readonly icon: LucideIcon
  /** The window's command that does the same with the open conversation, where there is one. */
  readonly command?: WindowCommand
  /** It takes the conversation out of the library's list. */
  readonly takesAway?: boolean
  readonly choose: () => void
}

/** Conversation that can be acted on, and what its actions depend on. */
interface ActedOn {
  readonly key: LibraryKey
  /** The open conversation, with which it can be compared. */
  readonly openKey: LibraryKey | undefined
  readonly row: ConversationSummary | undefined
  readonly isArchived: boolean
}

/** Lists what can be done with a conversation as a whole. Titles, tags and pins can be given to those of every source. */
export function conversationActs(
  stores: Stores,
  actions: Actions,
  acted: ActedOn,
): readonly ConversationAct[] {
  const ofAll = [
    pinActOf(actions, acted),
    ...givenActsOf(stores, acted),
    colorActOf(stores, acted),
    hideActOf(actions, acted),
    compareActOf(actions, acted),
    ...linkActOf(acted),
    ...continueActOf(stores, acted.key),
  ]
  return parseLibraryKey(acted.key).source === 'chibi'
    ? [...ofAll, ...contextActsOf(stores, actions, acted)]
    : ofAll
}

function pinActOf({ setPinned }: Actions, { key, row }: ActedOn): ConversationAct {
  const isPinned = row?.pinned === true
  return {
    label: isPinned ? 'Unpin' : 'Pin',
    icon: isPinned ? PinOff : Pin,
    choose: () => void setPinned(key, !isPinned),
  }
}

function colorActOf({ contexts }: Stores, { key }: ActedOn): ConversationAct {
  return {
    label: 'Color…',
    icon: Palette,
    choose: () => contexts.getState().ask('color', key),
  }
}

function hideActOf({ changeOne }: Actions, { key, row }: ActedOn): ConversationAct {
  const isHidden = row?.hidden === true
  return {
    label: isHidden ? 'Show in the library' : 'Hide',
    icon: isHidden ? Eye : EyeOff,
    takesAway: !isHidden,
    choose: () => void changeOne({ type: isHidden ? 'unhidden' : 'hidden' }, key),
  }
}

/** Titles and tags are labels, kept apart from the files. */
function givenActsOf({ titles, tags }: Stores, { key, row }: ActedOn): readonly ConversationAct[] {
  const open = (type: TitleQuestion) => titles.getState().open(type, key)
  const isOwn = row?.titled?.by === 'person'
  return [
    { label: 'Rename…', icon: Pencil, choose: () => open('write') },
    ...(isOwn ? [] : [{ label: 'Generate title…', icon: Sparkles, choose: () => open('ask') }]),
    ...(row?.titled === undefined
      ? []
      : [
          { label: 'Remove title', icon: Delete, choose: () => void titles.getState().remove(key) },
        ]),
    { label: 'Tags…', icon: Tags, choose: () => tags.getState().open(key, 'menu') },
  ]
}

/** Compares with the open conversation; of that one, asks with what. */
function compareActOf({ compare }: Actions, { key, openKey }: ActedOn): ConversationAct {
  const act = { icon: GitCompareArrows, command: 'compare' } as const
  return openKey === undefined || openKey === key
    ? { ...act, label: 'Compare with…', choose: () => compare({ key }) }
    : {
        ...act,
        label: 'Compare with open conversation',
        choose: () => compare({ key: openKey }, { key }),
      }
}

/** Copies the address by which other programs open the conversation in Skein. */
function linkActOf({ key }: ActedOn): readonly ConversationAct[] {
  const link = formatConversationLink({ key })
  if (link === undefined) return []
  // A refused clipboard is not shown here, as with the text of a turn.
  const choose = () => void navigator.clipboard.writeText(link).catch(() => undefined)
  return [{ label: 'Copy link', icon: Link, choose }]
}

/** Copies the command by which the conversation's own program goes on with it, where there is one. */
function continueActOf({ contexts }: Stores, key: LibraryKey): readonly ConversationAct[] {
  if (!ContinuableSource.safeParse(parseLibraryKey(key).source).success) return []
  const write = (text: string) => navigator.clipboard.writeText(text)
  return [
    {
      label: 'Copy command to continue',
      icon: SquareTerminal,
      choose: () => void contexts.getState().copyCommand(key, write),
    },
  ]
}

function contextActsOf(
  { contexts }: Stores,
  { setArchived }: Actions,
  { key, isArchived }: ActedOn,
): readonly ConversationAct[] {
  const ask = (type: ContextQuestion) => contexts.getState().ask(type, key)
  return [
    { label: 'Rename folder…', icon: FolderPen, choose: () => ask('rename') },
    { label: 'System prompt…', icon: FileText, choose: () => ask('prompt') },
    { label: 'Summarize earlier messages…', icon: FoldVertical, choose: () => ask('compact') },
    { label: 'Start fresh for the model…', icon: Eraser, choose: () => ask('clear') },
    {
      label: isArchived ? 'Unarchive' : 'Archive',
      icon: isArchived ? ArchiveRestore : Archive,
      takesAway: !isArchived,
      choose: () => void setArchived(key, !isArchived),
    },
    { label: 'Move to trash…', icon: Trash2, takesAway: true, choose: () => ask('destroy') },
  ]
}
