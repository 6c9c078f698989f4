import {
  CodeXml,
  Copy,
  FileClock,
  GitBranch,
  GitBranchPlus,
  Link,
  Pencil,
  RotateCcw,
  Tag,
  TextQuote,
  X,
} from 'lucide-react'
import { cloneElement, type MouseEvent, type ReactElement, useState } from 'react'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { formatConversationLink } from '../../../shared/model/conversation-link'
import { useStores } from '../../state/context'
import type { LabelSpot } from '../../state/transcript-state'
import { labelSpot } from '../../state/transcript-state'
import { ContextMenu, type MenuEntry } from '../../ui/controls/ContextMenu'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, type Item, sourceLinesOf } from '../items/items'
import { labelPointOf } from '../items/label-points'
import { sentAnswerIdOf } from '../items/sent-answer'
import type { ListItem } from '../items/use-items'
import { isOwnContext, type TurnActions, useTurnActions } from '../parts/use-turn-actions'
import { turnElementOf } from './use-list-keys'

type Menu = {
  readonly item: Item
  readonly selection: string
  /** The answer whose request can be shown. */
  readonly answer: EntryId | undefined
  /** The address by which other programs open it in Skein. */
  readonly link: string | undefined
  /** The entry that can be labelled. */
  readonly spot: LabelSpot | undefined
  /** Something comes after it that a branch would leave. */
  readonly leavesMore: boolean
}

/** Context menu of all turns, by the right button or the menu key, with every action on the turn. */
export function TurnMenu(props: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLElement
  readonly children: ReactElement<{ onContextMenu?: (event: MouseEvent) => void }>
}) {
  const { items, scroller } = props
  const stores = useStores()
  const { branching, transcript, labels } = stores
  const acts = useTurnActions()
  const [menu, setMenu] = useState<Menu>()

  function onContextMenu(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined
    const key = target?.closest('[data-item]')?.getAttribute('data-item')
    const item = items.find((known) => known.key === key)
    // Fields keep the system's menu.
    const isField = target?.closest('textarea, input') != null
    if (item === undefined || item.type === 'live' || item.type === 'unwritten' || isField) {
      event.preventDefault()
      return
    }
    const { key: open } = transcript.getState()
    const answer =
      open !== undefined && isOwnContext(open) ? sentAnswerIdOf(items, item) : undefined
    const point = labelPointOf(item)
    const spot =
      open === undefined || point === undefined
        ? undefined
        : labelSpot(stores, open, point, item.key)
    const link =
      open === undefined || point === undefined
        ? undefined
        : formatConversationLink({ key: open, entry: point.entry })
    const leavesMore = open !== undefined && hasMoreAfter(item.key)
    setMenu({
      item,
      answer,
      link,
      spot,
      leavesMore,
      selection: window.getSelection()?.toString() ?? '',
    })
  }

  function hasMoreAfter(itemKey: string): boolean {
    return !transcript.getState().run.atEnd || items.at(-1)?.key !== itemKey
  }

  function focusAgain(): void {
    // A question has the focus already, and gives it back later.
    if (menu === undefined || labels.getState().question !== undefined) return
    if (branching.getState().question !== undefined) return
    const turn = turnElementOf(scroller, menu.item.key)
    const field = turn?.querySelector<HTMLElement>('.message-field')
    ;(field ?? turn)?.focus({ preventScroll: true })
  }
  return (
    <ContextMenu
      label="Message actions"
      entries={menu === undefined ? [] : entriesOf(menu, acts)}
      onClosed={focusAgain}
    >
      {cloneElement(props.children, { onContextMenu })}
    </ContextMenu>
  )
}

function entriesOf(
  { item, selection, answer, link, spot, leavesMore }: Menu,
  acts: TurnActions,
): readonly MenuEntry[] {
  const point = branchPointOf(item)
  const places = sourceLinesOf(item)
  // A refused clipboard is not shown here; the button in the turn shows it.
  const copy = (text: string) => void navigator.clipboard.writeText(text).catch(() => undefined)
  return [
    ...(selection === ''
      ? []
      : [{ label: 'Copy selection', icon: TextQuote, onChoose: () => copy(selection) }]),
    { label: 'Copy', icon: Copy, keys: ['C'], onChoose: () => copy(copyTextOf(item)) },
    ...(link === undefined ? [] : [{ label: 'Copy link', icon: Link, onChoose: () => copy(link) }]),
    ...(point === undefined
      ? []
      : [
          {
            label: 'Branch here',
            icon: GitBranch,
            keys: ['B'],
            onChoose: () => acts.branch(item.key, point),
          },
          ...(leavesMore
            ? [
                {
                  label: 'Branch with a summary…',
                  icon: GitBranchPlus,
                  onChoose: () => acts.askBranch(item.key, point, { type: 'branch' }),
                },
              ]
            : []),
        ]),
    ...(point?.speaker === 'user'
      ? [
          {
            label: 'Edit',
            icon: Pencil,
            keys: ['E'],
            onChoose: () => acts.openEdit(item.key, point),
          },
        ]
      : []),
    ...(point?.speaker === 'agent'
      ? [
          {
            label: 'Regenerate',
            icon: RotateCcw,
            onChoose: () => acts.regenerate(item.key, point),
          },
        ]
      : []),
    ...(spot === undefined
      ? []
      : [{ label: 'Label…', icon: Tag, keys: ['L'], onChoose: () => acts.label(spot) }]),
    ...(spot?.shown === undefined
      ? []
      : [{ label: 'Remove label', icon: X, onChoose: () => acts.removeLabel(spot) }]),
    ...(places.length === 0
      ? []
      : [
          {
            label: 'Source line',
            icon: CodeXml,
            keys: ['R'],
            onChoose: () => acts.toggleRaw(item.key, places),
          },
        ]),
    ...(answer === undefined
      ? []
      : [
          {
            label: 'Sent to the model…',
            icon: FileClock,
            keys: ['W'],
            onChoose: () => acts.showSent(answer),
          },
        ]),
  ]
}
