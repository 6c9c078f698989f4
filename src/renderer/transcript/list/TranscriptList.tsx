import { measureElement, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  useContextWindowStart,
  useFind,
  useReading,
  useStores,
  useTranscript,
} from '../../state/context'
import { cursorBefore, type OpeningPlace } from '../../state/transcript-state'
import { drawnRows } from '../../ui/behaviour/drawn-rows'
import { formatByteSize } from '../../ui/format/format'
import { ErrorBoundary } from '../../ui/notes/ErrorBoundary'
import { BlockDrawingProvider } from '../../ui/text/drawing/use-drawn-blocks'
import { RevealProvider } from '../../ui/text/reveal'
import { MatchRuler } from '../find/MatchRuler'
import { useMatchHighlights } from '../find/use-match-highlights'
import { contextWindowBorder, OutsideContextWindow } from '../items/context-window-border'
import { indexOfLine } from '../items/index-of-line'
import type { ListItem } from '../items/use-items'
import { LandmarkRuler } from '../outline/LandmarkRuler'
import { ItemView } from '../turns/ItemView'
import { useNewsSide } from '../unread/use-news-side'
import { edgesWanted } from './edges-wanted'
import { estimatedHeight } from './estimated-height'
import type { ReadingAnchor } from './reading-anchor'
import { TurnMenu } from './TurnMenu'
import { topOfListItem } from './top-of-item'
import { useBlockDrawing } from './use-block-drawing'
import { useFollowAudio } from './use-follow-audio'
import { useLanding } from './use-landing'
import { useListKeys } from './use-list-keys'
import { useMeasuredSpot } from './use-measured-spot'
import { type UnloadedScale, usePlacesBeyond, useUnloadedSpace } from './use-unloaded-space'

/** Pixels from the end within which a reader counts as being there. */
const endThreshold = 24

/**
 * Virtual list of the transcript, in a scroller that is on the page already.
 * It opens at its end, keeps the reader's position to the pixel whatever grows or arrives above, and follows new
 * rows only at the end.
 */
export function TranscriptList(props: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLDivElement
  readonly rem: number
  readonly opensAt: OpeningPlace
  /** Generation of the rows. */
  readonly generation: number
  readonly scale: UnloadedScale
}) {
  const { items, scroller, rem, opensAt, generation, scale } = props
  const { transcript, reading } = useStores()
  const hasBefore = useTranscript((state) => cursorBefore(state.run) !== undefined)
  const isReadingBefore = useTranscript((state) => state.before.type === 'loading')
  const bytesBefore = useTranscript((state) => state.run.bytesBefore)
  const border = contextWindowBorder(
    items,
    { bytesBefore },
    useContextWindowStart(({ start }) => start),
  )
  const endRequests = useReading((state) => state.endRequests)
  /** The focused item, which stays on the page wherever the reader scrolls. */
  const [focused, setFocused] = useState<string>()
  const isAtEnd = useRef(opensAt === 'end')

  const focusedIndex = focused === undefined ? -1 : items.findIndex(({ key }) => key === focused)
  const estimate = useCallback(
    (index: number) => estimatedHeight(items[index], rem, scroller.clientWidth),
    [items, rem, scroller],
  )
  const heightOf = (some: readonly ListItem[]) => some.reduce((sum, _, at) => sum + estimate(at), 0)
  // Where a reader scrolled to what was not loaded, nothing moves: a thumb that is dragged would take it amiss.
  const [firstAbove] = useState(() => {
    if (typeof opensAt === 'string' || opensAt.isAtTop !== true) return undefined
    const before = items.slice(0, indexOfLine(items, opensAt))
    return scroller.scrollTop - Math.round(1.5 * rem) - heightOf(before)
  })
  const space = useUnloadedSpace(scale, () => heightOf(items), firstAbove)
  const padding = Math.round(1.5 * rem)
  const latestAnchor = useRef<ReadingAnchor>(undefined)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    measureElement(row, entry, instance) {
      // What grew above what is read, and what grew below it, are two changes.
      if (entry !== undefined) latestAnchor.current?.settleWithin(row)
      return measureElement(row, entry, instance)
    },
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: estimate,
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    rangeExtractor: useCallback((range: Range) => drawnRows(range, [focusedIndex]), [focusedIndex]),
    overscan: 6,
    paddingStart: space.above + padding,
    paddingEnd: space.below + Math.round(rem),
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endThreshold,
    initialRect: { width: scroller.clientWidth, height: scroller.clientHeight },
    initialOffset: () => {
      if (opensAt === 'start') return 0
      const index = opensAt === 'end' ? items.length : indexOfLine(items, opensAt)
      const above = space.above + Math.round((opensAt === 'end' ? 2.5 : 1.5) * rem)
      const top = items.slice(0, index).reduce((sum, _, at) => sum + estimate(at), above)
      if (opensAt !== 'end' && opensAt.isAtTop === true)
        return space.above === 0 ? scroller.scrollTop : top
      return Math.max(0, top - scroller.clientHeight / (opensAt === 'end' ? 1 : 3))
    },
  })
  const { drawing, anchor } = useBlockDrawing({ virtualizer, scroller, rem, padding })
  latestAnchor.current = anchor
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item) => anchor.scrollsBy(item)

  const noteEnd = useCallback(() => {
    // Other rows took their place, and are not drawn yet.
    if (transcript.getState().generation !== generation) return
    const distance = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    isAtEnd.current = distance <= endThreshold && transcript.getState().run.atEnd
    reading.getState().setReadingUp(!isAtEnd.current, generation)
  }, [scroller, transcript, reading, generation])

  useLayoutEffect(() => {
    scroller.addEventListener('scroll', noteEnd, { passive: true })
    // The end stays visible when the composer grows or the pane gets narrower.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scroller.scrollTop = scroller.scrollHeight
    })
    observer.observe(scroller)
    // Rows that are all in view do not scroll.
    const first = opensAt === 'end' ? undefined : requestAnimationFrame(noteEnd)
    return () => {
      scroller.removeEventListener('scroll', noteEnd)
      observer.disconnect()
      if (first !== undefined) cancelAnimationFrame(first)
    }
  }, [scroller, noteEnd, opensAt])

  const { isBeyond, isFar } = usePlacesBeyond({ scroller, space, scale, firstKey: items[0]?.key })
  useMeasuredSpot({ items, scroller, isAtEnd })

  const answered = useRef(opensAt === 'end' ? -1 : endRequests)
  useLayoutEffect(() => {
    if (answered.current === endRequests) return
    answered.current = endRequests
    virtualizer.scrollToEnd()
  }, [endRequests, virtualizer])

  const rows = virtualizer.getVirtualItems()
  // The item with the focus is drawn wherever the reader is.
  const near = rows.filter(({ index }) => index !== focusedIndex)
  const first = near[0]?.index ?? 0
  const last = near.at(-1)?.index ?? 0
  useEffect(() => {
    // Pages that come one after the other would never end there.
    if (isFar()) return
    const { run, before, after } = transcript.getState()
    const wanted = edgesWanted({
      first,
      last,
      items: items.length,
      rows: run.rows.length,
      hasBefore: cursorBefore(run) !== undefined,
      hasAfter: !run.atEnd,
    })
    if (wanted.before && before.type === 'rest') void transcript.getState().loadBefore()
    if (wanted.after && after.type === 'rest') void transcript.getState().loadAfter()
  }, [first, last, items, transcript, isFar])

  const { onKeyDown } = useListKeys({ items, virtualizer, scroller })
  const landing = useLanding({ items, virtualizer, scroller })
  const playing = useFollowAudio({ items, virtualizer, scroller })
  useNewsSide(items, virtualizer.range?.startIndex)
  const isFinding = useFind((state) => state.isOpen && state.asked !== undefined)
  useMatchHighlights({ items, scroller })
  const topOfItem = useCallback((index: number) => topOfListItem(virtualizer, index), [virtualizer])

  return (
    <TurnMenu items={items} scroller={scroller}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the turns inside */}
      <div
        className="transcript-rows"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocused(itemKeyAt(event.target))}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) setFocused(undefined)
        }}
      >
        <LandmarkRuler
          items={items}
          scroller={scroller}
          topOfItem={topOfItem}
          totalPixels={virtualizer.getTotalSize()}
          space={space}
        />
        <MatchRuler
          items={items}
          scroller={scroller}
          topOfItem={topOfItem}
          totalPixels={virtualizer.getTotalSize()}
        />
        {hasBefore && (
          <div className="transcript-edge" style={{ top: `calc(${space.above}px + 0.25rem)` }}>
            {isReadingBefore ? 'Reading earlier entries' : 'Earlier entries are not loaded'},{' '}
            {formatByteSize(bytesBefore)} above
          </div>
        )}
        {isBeyond && (
          <p className="transcript-beyond t3 small" role="status">
            Reading the entries here
          </p>
        )}
        {rows.map((row) => {
          const item = items[row.index]
          if (item === undefined) return null
          const isOut = border.isOut(item, row.index)
          const isLanded = landing.itemKey === item.key
          // Who looks for words needs all of them, and who lands within a turn all that is above.
          const isWhole = isFinding || (isLanded && landing.isWithin)
          return (
            <div
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              className={`${rowClass(items, row.index, hasBefore)} ${
                landing.isGlowing && isLanded ? 'landed' : ''
              } ${playing === item.key ? 'sounding' : ''} ${isOut ? 'out' : ''}`}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <BlockDrawingProvider value={isWhole ? undefined : drawing}>
                <RevealProvider value={isLanded ? landing.reveal : undefined}>
                  <ErrorBoundary what="This entry" of={item}>
                    <OutsideContextWindow value={isOut}>
                      <ItemView item={item} isLast={row.index === items.length - 1} />
                    </OutsideContextWindow>
                  </ErrorBoundary>
                </RevealProvider>
              </BlockDrawingProvider>
            </div>
          )
        })}
      </div>
    </TurnMenu>
  )
}

/** Returns classes for the ends of the strand: the transcript's first turn, which may follow its day, and the last one. */
function rowClass(items: readonly ListItem[], index: number, hasBefore: boolean): string {
  const isFirst = index === 0 && !hasBefore
  const begins = !hasBefore && (index === 0 || (index === 1 && items[0]?.type === 'day'))
  const isLast = index === items.length - 1
  return `transcript-row ${isFirst ? 'first' : ''} ${begins ? 'begins' : ''} ${isLast ? 'last' : ''}`
}

function itemKeyAt(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest('[data-item]')?.getAttribute('data-item') ?? undefined
}
