import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useActions, useSearch, useSettings, useStores } from '../state/context'
import { type ListedHit, openHit } from '../state/search-state'
import { drawnRows } from '../ui/behaviour/drawn-rows'
import { focusOn, focusSoon, focusTarget } from '../ui/behaviour/focus'
import { useNow, useRem, useWidth } from '../ui/behaviour/hooks'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { HitHead } from './HitHead'
import { HitRow } from './HitRow'
import { cursorRow, hitListRows } from './hit-rows'
import { useHitCursor } from './use-hit-cursor'
import { useSteadyScroll } from './use-steady-scroll'

const minuteMs = 60_000
/** Share of a line's width that may be before the first highlight. */
const shareBeforeMark = 0.4

/** Virtual list of hits under their conversations, with one focus stop; it does not move while more come in. */
export function HitList() {
  const stores = useStores()
  const { search } = stores
  const actions = useActions()
  const hits = useSearch(({ shown }) => shown.hits)
  const waiting = useSearch(({ shown }) => shown.waiting.length)
  const selected = useSearch((state) => state.selected)
  const asked = useSearch((state) => state.asked)
  const isStale = useSearch((state) => state.isStale)
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const now = useNow(minuteMs)
  const rem = useRem(textZoom)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const [hasFocus, setFocus] = useState(false)
  const folded = useSearch((state) => state.folded)
  const rows = useMemo(() => hitListRows(hits, folded), [hits, folded])
  const sizeOf = useCallback(
    (index: number) => (rows[index]?.type === 'head' ? 2 : 2.75) * rem,
    [rows, rem],
  )
  const heads = useMemo(
    () => rows.flatMap(({ type }, index) => (type === 'head' ? [index] : [])),
    [rows],
  )
  const selectedHit = hits.find(({ id }) => id === selected)
  const cursorAt = useMemo(() => cursorRow(rows, selectedHit), [rows, selectedHit])
  const id = useId()

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: sizeOf,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 8,
    paddingEnd: 0.5 * rem,
    scrollPaddingStart: 2 * rem,
    rangeExtractor: useCallback(
      (range: Range) =>
        drawnRows(range, [heads.findLast((index) => index <= range.startIndex) ?? 0, cursorAt]),
      [heads, cursorAt],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have new heights
  useLayoutEffect(() => virtualizer.measure(), [sizeOf])
  const sticky = heads.findLast((index) => index <= (virtualizer.range?.startIndex ?? 0))

  const open = useCallback(
    (found: ListedHit) => {
      void openHit(stores, actions, found)
      if (found.hit.field === 'title') focusSoon('composer')
    },
    [stores, actions],
  )
  /** The hit that was selected as the pointer went down: the focus that follows may select another. */
  const pressedFrom = useRef<number>(undefined)
  const press = useCallback(
    (found: ListedHit) => {
      // Beside its preview a hit is selected first; a double click opens it.
      if (stores.preview.getState().isOpen && pressedFrom.current !== found.id)
        search.getState().select(found.id)
      else open(found)
    },
    [stores, search, open],
  )
  const cursor = useHitCursor({
    rows,
    cursorAt,
    select: (id) => search.getState().select(id),
    fold: (group, isFolded) => search.getState().setFolded(group, isFolded),
    open,
    scrollTo: virtualizer.scrollToIndex,
    onTop() {
      if (search.getState().shown.waiting.length > 0) search.getState().showWaiting()
      else focusOn('search')
    },
  })
  const steady = useSteadyScroll({ rows, sizeOf, scroller, selected, asked })

  // On return the selected hit is visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the list opens
  useLayoutEffect(() => {
    if (cursor.index >= 0) virtualizer.scrollToIndex(cursor.index, { align: 'center' })
  }, [])

  const unitsBeforeMark = Math.max(8, Math.floor((width / (0.5 * rem)) * shareBeforeMark))
  return (
    // On the pointer's way to the button over the hits, the held hit stays.
    <div className="hits-frame" onPointerLeave={() => steady.point(undefined)}>
      {waiting > 0 && (
        <div className="hits-newer">
          <Button
            isSmall
            icon={ArrowUp}
            onClick={() => {
              search.getState().showWaiting()
              virtualizer.scrollToOffset(0)
              steady.letGo()
            }}
          >
            {`${formatQuantity(waiting, 'newer', 'newer')}`}
          </Button>
        </div>
      )}
      <div
        ref={scroller}
        className={`scroll hits ${isStale ? 'stale' : ''}`}
        role="listbox"
        aria-label="Hits"
        tabIndex={0}
        aria-activedescendant={cursor.found === undefined ? undefined : `${id}${cursor.found.id}`}
        onKeyDown={cursor.onKeyDown}
        onPointerDownCapture={() => {
          pressedFrom.current = search.getState().selected
        }}
        onFocus={() => {
          setFocus(true)
          if (cursor.found === undefined) search.getState().select(hits[0]?.id)
        }}
        onBlur={() => setFocus(false)}
        onScroll={steady.onScroll}
        {...focusTarget('hits')}
      >
        <div
          className="hit-rows"
          role="presentation"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start, size, key }) => {
            const row = rows[index]
            if (row === undefined) return null
            const isSticky = index === sticky
            const place = isSticky
              ? { position: 'sticky' as const, top: 0, height: size }
              : { transform: `translateY(${start}px)`, height: size }
            return row.type === 'head' ? (
              <HitHead
                key={key}
                first={row.first}
                count={row.count}
                isSticky={isSticky}
                isFolded={row.isFolded}
                id={`${id}${row.first.id}`}
                isSelected={row.isFolded && row.first.id === cursor.found?.id}
                isCursor={hasFocus && row.isFolded && row.first.id === cursor.found?.id}
                position={row.position + 1}
                total={hits.length}
                style={place}
              />
            ) : (
              <HitRow
                key={key}
                id={`${id}${row.found.id}`}
                found={row.found}
                nowMs={now}
                unitsBeforeMark={unitsBeforeMark}
                isSelected={row.found.id === selected}
                isCursor={hasFocus && row.found.id === selected}
                position={row.position + 1}
                total={hits.length}
                style={place}
                onPress={press}
                onPoint={steady.point}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
