import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { plural } from '../../shared/model/basics/plural'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useSettings, useStores } from '../state/context'
import { drawnRows } from '../ui/behaviour/drawn-rows'
import { type FocusTarget, focusTarget } from '../ui/behaviour/focus'
import { useRem } from '../ui/behaviour/hooks'
import { isKeyAlone } from '../ui/behaviour/keys'
import { ContextMenu, type MenuEntry } from '../ui/controls/ContextMenu'
import { LabelPill } from '../ui/controls/LabelPill'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount } from '../ui/format/format'
import { Lanes } from './Lanes'
import { isTyping, rowStartingWith, type TypedLetters, treeRowForKey, typed } from './tree-keys'
import {
  branchTitle,
  columnCount,
  rowTooltip,
  type TreeNode,
  type TreeRow,
  wordsOfLabels,
} from './tree-rows'

/** Properties of `Tree`. */
interface TreeProps<N extends TreeNode> {
  readonly rows: readonly TreeRow<N>[]
  readonly contextKey: LibraryKey
  /** Opens a node: Enter, and a press unless `onSelect` takes it. */
  readonly onGo: (node: N) => void
  /** The node under the cursor, where others move it as well. */
  readonly selected?: string | undefined
  /** Told when the cursor moves. With it a press selects, and a double press opens. */
  readonly onSelect?: (node: N) => void
  /** Takes a key before the tree does; returns whether it did. */
  readonly onKey?: (event: KeyboardEvent, node: N | undefined) => boolean
  /** Returns the badge at the end of a row, and the words for it after the row's name. */
  readonly badge?: (node: N) => { readonly shown: ReactNode; readonly said: string } | undefined
  /** The id of an element that describes the row under the cursor. */
  readonly describedBy?: string
  readonly focus?: FocusTarget
  /** Entries of the menu of a row. */
  readonly menuOf?: (node: N) => readonly MenuEntry[]
}

/**
 * Tree of a family with one focus stop: up and down by row, left to the parent, right to the first child, `[` and `]`
 * by the ends of branches, letters by title, Enter opens, F2 names.
 */
export function Tree<N extends TreeNode>(props: TreeProps<N>) {
  const { rows, contextKey, onGo, onSelect } = props
  const { branching, labels } = useStores()
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const rem = useRem(textZoom)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const letters = useRef<TypedLetters>(undefined)
  const here = rows.findIndex(({ isHere }) => isHere)
  const [moved, setMoved] = useState<string>()
  const wanted = onSelect === undefined ? moved : props.selected
  const found = rows.findIndex(({ node }) => node.id === wanted)
  const cursor = found >= 0 ? found : Math.max(0, here)
  const columns = columnCount(rows)

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 1.75 * rem,
    getItemKey: useCallback((index: number) => rows[index]?.node.id ?? index, [rows]),
    overscan: 12,
    rangeExtractor: useCallback((range: Range) => drawnRows(range, [cursor]), [cursor]),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have new heights
  useLayoutEffect(() => virtualizer.measure(), [rem])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is at another position in the tree
  useLayoutEffect(() => {
    setMoved(undefined)
    if (here >= 0) virtualizer.scrollToIndex(here, { align: 'auto' })
  }, [contextKey, here])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come and go do not scroll
  useLayoutEffect(() => {
    if (props.selected !== undefined && found >= 0)
      virtualizer.scrollToIndex(found, { align: 'auto' })
  }, [props.selected])

  function move(index: number | undefined): void {
    const row = index === undefined ? undefined : rows[index]
    if (row === undefined || index === undefined) return
    setMoved(row.node.id)
    onSelect?.(row.node)
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[cursor]
    if (isKeyAlone(event, 'F2') && row !== undefined) {
      event.preventDefault()
      props
        .menuOf?.(row.node)
        .find(({ keys }) => keys?.[0] === 'F2')
        ?.onChoose()
      return
    }
    const isLetter = event.key === ' ' && isTyping(letters.current, event.timeStamp)
    if (!isLetter && props.onKey?.(event, row?.node)) {
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const next = treeRowForKey(event.key, rows, cursor)
    if (event.key === 'Enter' || (event.key === ' ' && !isLetter)) {
      if (row !== undefined) onGo(row.node)
    } else if (next !== undefined) {
      letters.current = undefined
      move(next)
    } else if (event.key.length === 1) {
      letters.current = typed(letters.current, event.key, event.timeStamp)
      move(rowStartingWith(rows, cursor, letters.current.letters))
    } else return
    event.preventDefault()
  }

  /** The menu is of the row under the pointer; the menu key's is of the row with the cursor. */
  function setMenuRow(event: MouseEvent): void {
    const place = event.target instanceof Element ? event.target.closest('[data-row]') : null
    if (props.menuOf !== undefined && place !== null) move(Number(place.getAttribute('data-row')))
  }
  const tree = (
    <div
      ref={scroller}
      className="branch-tree"
      role="tree"
      aria-label="Branches"
      tabIndex={0}
      aria-activedescendant={rows.length === 0 ? undefined : `${id}${cursor}`}
      onKeyDown={onKeyDown}
      onContextMenu={setMenuRow}
      {...(props.focus === undefined ? {} : focusTarget(props.focus))}
    >
      <div
        className="branch-rows"
        role="presentation"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <Row
              key={key}
              id={`${id}${index}`}
              index={index}
              row={row}
              columns={columns}
              isCursor={index === cursor}
              isSelected={onSelect === undefined ? row.isHere : index === cursor}
              openSource={parseLibraryKey(contextKey).source}
              top={start}
              badge={props.badge?.(row.node)}
              describedBy={index === cursor ? props.describedBy : undefined}
              onPress={() => {
                move(index)
                if (onSelect === undefined) onGo(row.node)
              }}
              onDoublePress={() => onSelect !== undefined && onGo(row.node)}
            />
          )
        })}
      </div>
    </div>
  )
  const chosen = rows[cursor]?.node
  if (props.menuOf === undefined || chosen === undefined) return tree
  return (
    <ContextMenu
      label="Actions for this branch"
      entries={props.menuOf(chosen)}
      onClosed={() => {
        // A question that the menu opened has the focus already, and gives it back later.
        const isAsked =
          branching.getState().question !== undefined || labels.getState().question !== undefined
        if (!isAsked) scroller.current?.focus({ preventScroll: true })
      }}
    >
      {tree}
    </ContextMenu>
  )
}

function Row(props: {
  readonly id: string
  readonly index: number
  readonly row: TreeRow
  readonly columns: number
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly openSource: string
  readonly top: number
  readonly badge: { readonly shown: ReactNode; readonly said: string } | undefined
  readonly describedBy: string | undefined
  readonly onPress: () => void
  readonly onDoublePress: () => void
}) {
  const { row, isCursor, badge } = props
  const { node, isHere, isOpenPath } = row
  const isElsewhere = node.source !== props.openSource
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys for all of its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    <div
      id={props.id}
      data-row={props.index}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={props.isSelected}
      aria-describedby={props.describedBy}
      className={`branch-row ${isOpenPath ? 'open' : ''} ${isHere ? 'here' : ''} ${isCursor ? 'cursor' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
      title={rowTooltip(row)}
      onClick={props.onPress}
      onDoubleClick={props.onDoublePress}
    >
      <Lanes row={row} columns={props.columns} />
      {isElsewhere && (
        <span className="branch-source" aria-hidden="true">
          <SourceMark source={node.source} />
        </span>
      )}
      <span className="cut grow">{branchTitle(node)}</span>
      <RowLabels labels={row.labels} />
      {badge?.shown}
      <span className="branch-count number">
        {formatCount(node.entries)}
        <span className="unseen">
          {` ${plural(node.entries, 'entry', 'entries')}`}
          {isElsewhere && `, ${sourceLabel(node.source)}`}
          {isOpenPath && ', open'}
          {badge !== undefined && `, ${badge.said}`}
        </span>
      </span>
    </div>
  )
}

/** The first label of a node, and how many more it has. */
function RowLabels({ labels }: Pick<TreeRow, 'labels'>) {
  const [first, ...others] = labels
  if (first === undefined) return null
  return (
    <span className="branch-labels">
      <span className="unseen">labelled</span>
      <LabelPill label={first} />
      {others.length > 0 && (
        <>
          <span className="t3 number" aria-hidden="true">
            +{formatCount(others.length)}
          </span>
          <span className="unseen">{wordsOfLabels(others)}</span>
        </>
      )}
    </span>
  )
}
