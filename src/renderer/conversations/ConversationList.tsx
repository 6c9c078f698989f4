import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import {
  useActions,
  useApp,
  useCompletion,
  useFamilies,
  useLayout,
  useLibraryState,
  useStores,
  useUnread,
} from '../state/context'
import { isRunActive } from '../state/run-state'
import { hasNews } from '../state/transcript-state'
import { drawnRows } from '../ui/behaviour/drawn-rows'
import { focusLibrarySoon, focusSoon, focusTarget } from '../ui/behaviour/focus'
import { useRem } from '../ui/behaviour/hooks'
import { hasCommandModifier, isKeyAlone } from '../ui/behaviour/keys'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount } from '../ui/format/format'
import { ConversationRow } from './ConversationRow'
import { hasSeveralChosen, useRowChoice } from './chosen/use-row-choice'
import { FamilyRow } from './FamilyRow'
import { memberWords } from './member-words'
import { type JoinedRow, type LibraryRow, rowShowing } from './order/groups'
import { useKeptPlace } from './use-kept-place'
import { useListCursor } from './use-list-cursor'

/** Virtual list of conversations with one focus stop and sticky heads. */
export function ConversationList(props: {
  readonly rows: readonly LibraryRow[]
  readonly nowMs: number
  readonly density: 'comfortable' | 'compact'
  readonly textZoom: number
}) {
  const { rows, nowMs, density, textZoom } = props
  const { openConversation } = useActions()
  const { layout, contexts, titles, families, library, chosen: severalChosen } = useStores()
  const selected = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const live = useLibraryState((state) => state.live)
  const isListing = useLibraryState(({ phase }) => phase === 'loading')
  const running = useRunning()
  const spots = useUnread((state) => state.spots)
  const watched = useUnread((state) => state.watched)
  const grouping = useLayout((state) => state.grouping)
  const sort = useLayout((state) => (state.grouping === 'title' ? 'title' : state.sort))
  const distinctions = useFamilies((state) => state.distinctions)
  const familyOf = useFamilies((state) => state.familyOf)
  const scroller = useRef<HTMLDivElement>(null)
  const [hasFocus, setFocus] = useState(false)
  /** The row that the pointer is on. */
  const [pointed, setPointed] = useState<string>()
  const rem = useRem(textZoom)
  const rowHeight = (density === 'compact' ? 1.5 : 1.75) * rem
  const headHeight = 1.5 * rem
  const heads = useMemo(
    () => rows.flatMap(({ type }, index) => (type === 'head' ? [index] : [])),
    [rows],
  )
  // A list without families is a list box; with one it is a tree.
  const isTree = useMemo(() => rows.some(({ type }) => type === 'family'), [rows])
  const words = useMemo(
    () =>
      new Map(
        rows.flatMap((row) =>
          row.type === 'family' && row.isOpen ? [...memberWords(row.members, distinctions)] : [],
        ),
      ),
    [rows, distinctions],
  )
  const id = useId()
  /** The cursor's row, which is drawn wherever the list is scrolled. */
  const cursorKey = useRef<string>(undefined)

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(
      (index: number) => (rows[index]?.type === 'head' ? headHeight : rowHeight),
      [rows, headHeight, rowHeight],
    ),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 8,
    paddingEnd: 0.25 * rem,
    scrollPaddingStart: headHeight,
    rangeExtractor: useCallback(
      (range: Range) =>
        drawnRows(range, [
          heads.findLast((index) => index <= range.startIndex) ?? 0,
          rows.findIndex(({ key }) => key === cursorKey.current),
        ]),
      [heads, rows],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have new heights
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, headHeight])

  const open = useCallback(
    (summary: ConversationSummary, movesFocus: boolean) => {
      // A library over the transcript closes with the choice, so the focus must move.
      const isOver = layout.getState().overlay === 'library'
      openConversation(summary.key)
      if (movesFocus || isOver) focusSoon('composer')
    },
    [openConversation, layout],
  )
  const toggle = useCallback(
    (row: JoinedRow, isOpen: boolean) =>
      families.getState().toggle(
        row.members.map(({ key }) => key),
        isOpen,
      ),
    [families],
  )
  const cursor = useListCursor({
    rows,
    selected,
    open,
    toggle,
    scrollTo: virtualizer.scrollToIndex,
  })
  cursorKey.current = cursor.key
  const choice = useRowChoice({ rows, cursor: cursor.key, moveTo: cursor.moveTo })
  // With its last row the list goes; the focus must not go with it.
  useLayoutEffect(() => {
    const list = scroller.current
    return () => {
      if (list?.contains(document.activeElement)) focusLibrarySoon()
    }
  }, [])
  const held = pointed ?? (hasFocus ? cursor.key : undefined)
  useEffect(() => library.getState().hold(held), [library, held])
  useKeptPlace({
    rows,
    scroller,
    heightOf: ({ type }) => (type === 'head' ? headHeight : rowHeight),
    // While the list is being read, rows come above the reader's place.
    when: isListing ? rows : familyOf,
    held: isListing ? held : undefined,
  })
  const chosen = rowShowing(rows, selected)?.key
  // The selected row stays visible in the new order.
  useWhenChanged(`${grouping} ${sort}`, () => {
    const index = rows.findIndex(({ key }) => key === cursor.key)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
  })
  /** Opens the menu of a row, or of all that are chosen where it is one of several. */
  function openMenuOf(row: LibraryRow | undefined, x: number, y: number): void {
    if (row === undefined || row.type === 'head' || row.summary.gone) return
    const areSeveral =
      choice.isChosen(row) === true && hasSeveralChosen(rows, severalChosen.getState().keys)
    if (areSeveral) severalChosen.getState().openMenu(x, y)
    else contexts.getState().openMenu(row.summary.key, x, y)
  }

  /** Opens the menu of the row at the cursor, right below it. */
  function openMenuHere(): void {
    const shown = scroller.current?.querySelector(`[id="${id}${cursor.position}"]`)
    if (shown == null) return
    const { left, bottom } = shown.getBoundingClientRect()
    openMenuOf(
      rows.find(({ key }) => key === cursor.key),
      left + rem,
      bottom,
    )
  }

  /** Handles the right button on a row, and a menu asked for by key. */
  function openMenu(event: MouseEvent): void {
    event.preventDefault()
    if (event.target === scroller.current) {
      openMenuHere()
      return
    }
    const key = keyAt(event.target)
    openMenuOf(
      rows.find((one) => one.key === key),
      event.clientX,
      event.clientY,
    )
  }

  /** Handles the menu's keys, and F2 for another title; all other keys go to the cursor. */
  function onKeyDown(event: KeyboardEvent): void {
    const isMenu =
      event.key === 'ContextMenu' ||
      (event.key === 'F10' && event.shiftKey && !hasCommandModifier(event))
    if (!isMenu && !isKeyAlone(event, 'F2')) {
      if (!choice.onKeyDown(event)) cursor.onKeyDown(event)
      return
    }
    event.preventDefault()
    if (isMenu) {
      openMenuHere()
      return
    }
    const row = rows.find(({ key }) => key === cursor.key)
    if (row === undefined || row.type === 'head' || row.summary.gone) return
    titles.getState().open('write', row.summary.key)
  }

  const sticky = heads.findLast((index) => index <= (virtualizer.range?.startIndex ?? 0))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a list box or a tree
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have what it is given
    <div
      ref={scroller}
      className="scroll library-list"
      role={isTree ? 'tree' : 'listbox'}
      aria-label="Conversations"
      tabIndex={0}
      aria-activedescendant={cursor.position === undefined ? undefined : `${id}${cursor.position}`}
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      onClickCapture={(event) => choice.onClickCapture(event, keyAt(event.target))}
      onContextMenu={openMenu}
      onPointerOver={(event) => setPointed(isListing ? keyAt(event.target) : undefined)}
      onPointerLeave={() => setPointed(undefined)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      {...focusTarget('library')}
    >
      <div
        className="library-rows"
        role="presentation"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start, size, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          const place =
            index === sticky
              ? { position: 'sticky' as const, top: 0, height: size }
              : { transform: `translateY(${start}px)`, height: size }
          return row.type === 'head' ? (
            <div
              key={key}
              className={`library-head ${index === sticky ? 'sticky' : ''}`}
              role="presentation"
              style={place}
              title={row.title === undefined ? undefined : visibleText(row.title)}
            >
              {row.source !== undefined && (
                <span className="library-mark" aria-hidden="true">
                  <SourceMark source={row.source} />
                </span>
              )}
              <span className="grow cut">{visibleText(row.name)}</span>
              <span className="number">{formatCount(row.count)}</span>
            </div>
          ) : row.type === 'family' ? (
            <FamilyRow
              key={key}
              id={`${id}${row.position}`}
              row={row}
              nowMs={nowMs}
              isSelected={row.key === chosen}
              hasNews={!row.isOpen && row.members.some((one) => hasNews({ spots, watched }, one))}
              isChosen={choice.isChosen(row)}
              isLive={row.members.some((one) => live.has(one.key) || running.has(one.key))}
              isUnderDate={grouping === 'date'}
              sort={sort}
              isCursor={hasFocus && row.key === cursor.key}
              under={headAbove(rows, index)}
              style={place}
              onOpen={cursor.onFamily}
              onToggle={toggle}
            />
          ) : (
            <ConversationRow
              key={key}
              id={`${id}${row.position}`}
              summary={row.summary}
              nowMs={nowMs}
              isSelected={row.key === selected}
              isChosen={choice.isChosen(row)}
              isGrowing={live.has(row.key)}
              isRunning={running.has(row.key)}
              hasNews={hasNews({ spots, watched }, row.summary)}
              isUnderDate={
                grouping === 'date' && row.family === undefined && row.summary.pinned !== true
              }
              sort={sort}
              isCursor={hasFocus && row.key === cursor.key}
              member={row.family === undefined ? undefined : words.get(row.key)}
              isInTree={isTree}
              under={headAbove(rows, index)}
              position={row.inSet}
              total={row.setSize}
              style={place}
              onOpen={cursor.onClick}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Returns the key of the row that an element is in. */
function keyAt(target: EventTarget): string | undefined {
  const element = target instanceof Element ? target : undefined
  return element?.closest<HTMLElement>('[data-key]')?.dataset.key
}

/** Returns the name of the head right above a row. */
function headAbove(rows: readonly LibraryRow[], index: number): string | undefined {
  const above = rows[index - 1]
  return above?.type === 'head' ? visibleText(above.name) : undefined
}

/** Returns the conversations with an active run; the same set until that changes. */
function useRunning(): ReadonlySet<string> {
  const keys = useCompletion(({ runs }) =>
    JSON.stringify(Object.keys(runs).filter((key) => isRunActive(runs[key]))),
  )
  return useMemo(() => new Set(JSON.parse(keys) as string[]), [keys])
}

/** Acts after a value changed, before the change is painted; not at first. */
function useWhenChanged(value: unknown, act: () => void): void {
  const before = useRef(value)
  useLayoutEffect(() => {
    if (before.current === value) return
    before.current = value
    act()
  })
}
