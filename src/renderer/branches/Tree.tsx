import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { isoMs } from '../../shared/model/basics/time'
import { visibleText } from '../../shared/model/basics/visible'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { BranchNode } from '../../shared/model/family/family'
import { useSettings } from '../state/context'
import { useRem } from '../ui/behaviour/hooks'
import { LabelPill } from '../ui/controls/LabelPill'
import { SourceMark } from '../ui/controls/SourceMark'
import { exactTime, formatCount, formatQuantity } from '../ui/format/format'
import { Lanes } from './Lanes'
import { branchTitle, columnCount, type TreeRow } from './tree-rows'

/**
 * Tree of a family with one focus stop: up and down by row, left to the parent, right to the first child, Enter
 * opens.
 */
export function Tree(props: {
  readonly rows: readonly TreeRow[]
  readonly contextKey: LibraryKey
  readonly onGo: (node: BranchNode) => void
}) {
  const { rows, contextKey, onGo } = props
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const rem = useRem(textZoom)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const here = rows.findIndex(({ isHere }) => isHere)
  const [wanted, setWanted] = useState<string>()
  const found = rows.findIndex(({ node }) => node.id === wanted)
  const cursor = found >= 0 ? found : Math.max(0, here)
  const columns = columnCount(rows)

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 1.75 * rem,
    getItemKey: useCallback((index: number) => rows[index]?.node.id ?? index, [rows]),
    overscan: 12,
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), cursor])].sort((a, b) => a - b),
      [cursor],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have new heights
  useLayoutEffect(() => virtualizer.measure(), [rem])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is at another position in the tree
  useLayoutEffect(() => {
    setWanted(undefined)
    if (here >= 0) virtualizer.scrollToIndex(here, { align: 'auto' })
  }, [contextKey, here])

  function move(index: number | undefined): void {
    const row = index === undefined ? undefined : rows[index]
    if (row === undefined || index === undefined) return
    setWanted(row.node.id)
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const row = rows[cursor]
    const moves: Readonly<Record<string, () => void>> = {
      arrowdown: () => move(cursor + 1),
      arrowup: () => move(cursor - 1),
      arrowleft: () => move(row?.parentRow),
      arrowright: () => move(row?.firstChild),
      home: () => move(0),
      end: () => move(rows.length - 1),
      enter: () => row !== undefined && onGo(row.node),
      ' ': () => row !== undefined && onGo(row.node),
    }
    const act = moves[event.key.toLowerCase()]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div
      ref={scroller}
      className="branch-tree"
      role="tree"
      aria-label="Branches"
      tabIndex={0}
      aria-activedescendant={`${id}${cursor}`}
      onKeyDown={onKeyDown}
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
              row={row}
              columns={columns}
              isCursor={index === cursor}
              openSource={parseLibraryKey(contextKey).source}
              top={start}
              onGo={() => {
                setWanted(row.node.id)
                onGo(row.node)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

function Row(props: {
  readonly id: string
  readonly row: TreeRow
  readonly columns: number
  readonly isCursor: boolean
  readonly openSource: string
  readonly top: number
  readonly onGo: () => void
}) {
  const { row, isCursor } = props
  const { node, isHere, isOpenPath } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys for all of its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    <div
      id={props.id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={isHere}
      aria-label={`${branchTitle(node)}, ${formatQuantity(node.entries, 'entry', 'entries')}${labelWords(row)}${isOpenPath ? ', open' : ''}`}
      className={`branch-row ${isOpenPath ? 'open' : ''} ${isHere ? 'here' : ''} ${isCursor ? 'cursor' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
      title={tooltipOf(row)}
      onClick={props.onGo}
    >
      <Lanes row={row} columns={props.columns} />
      {node.source !== props.openSource && <SourceMark source={node.source} />}
      <span className="cut grow">{branchTitle(node)}</span>
      <RowLabels labels={row.labels} />
      <span className="branch-count number">{formatCount(node.entries)}</span>
    </div>
  )
}

/** The first label of a node, and how many more it has. */
function RowLabels({ labels }: Pick<TreeRow, 'labels'>) {
  const [first] = labels
  if (first === undefined) return null
  return (
    <span className="branch-labels">
      <LabelPill label={first} />
      {labels.length > 1 && <span className="t3 number">+{formatCount(labels.length - 1)}</span>}
    </span>
  )
}

function labelWords({ labels }: TreeRow): string {
  return labels.length === 0 ? '' : `, labelled ${wordsOf(labels)}`
}

function wordsOf(labels: TreeRow['labels']): string {
  return labels.map(({ word }) => visibleText(word)).join(', ')
}

/** Returns what a row has no room for: the whole title, its start, and the conversations that contain it. */
function tooltipOf({ node, labels }: TreeRow): string {
  const others = node.keys.length - 1
  const createdMs = isoMs(node.created)
  return [
    branchTitle(node),
    formatQuantity(node.entries, 'entry', 'entries'),
    ...(createdMs === undefined ? [] : [exactTime(createdMs)]),
    `${node.source}: ${node.key}${others > 0 ? ` and ${formatQuantity(others, 'more', 'more')}` : ''}`,
    ...(labels.length === 0 ? [] : [`Labels: ${wordsOf(labels)}`]),
  ].join('\n')
}
