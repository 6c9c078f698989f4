import { useLayoutEffect, useMemo, useRef } from 'react'
import { useReading, useStores } from '../../state/context'
import type { LinePoint, ReadingSpot, ReadPlace } from '../../state/transcript-state'
import { indexOfLine } from '../items/index-of-line'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'
import { type HiddenKind, skimItems } from './skim-items'

/** Pixels from the top at which a prompt is shown whose answer was read in parts that are hidden now. */
const promptPixels = 16

/**
 * Returns the items that are shown: all of them, or those of a skimmed transcript with what is hidden of it. The reader's place stays
 * where it is, to the pixel; where its turn is hidden, the one before it is shown, and going back leads to where the reader was.
 */
export function useSkimming(all: readonly ListItem[]): {
  readonly items: readonly ListItem[]
  /** Undefined where everything is shown. */
  readonly hidden: ReadonlyMap<HiddenKind, number> | undefined
} {
  const { reading, transcript } = useStores()
  const isSkimming = useReading((state) => state.isSkimming)
  const landing = useReading((state) => state.landing)
  const toggledAt = useReading((state) => state.toggledAt)
  const since = useReading((state) => state.skimsSince)
  /** Keys of items that the reader went to since: they are shown. */
  const wanted = useRef(new Set<string>())
  const skimmed = useMemo(() => {
    if (!isSkimming) {
      wanted.current.clear()
      return undefined
    }
    const isNew = landing !== undefined && landing.id > since
    const target = !isNew ? undefined : all[indexOfLine(all, landing.place)]
    if (target !== undefined) wanted.current.add(target.key)
    return skimItems(all, ({ key }) => wanted.current.has(key))
  }, [all, isSkimming, landing, since])
  const items = skimmed?.items ?? all

  /** Where the reader was before the skimming, and where that left them. */
  const left = useRef<{ readonly spot: ReadingSpot; readonly to: ReadPlace }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useLayoutEffect(() => {
    const { key } = transcript.getState()
    if (toggledAt === undefined || key === undefined || toggledAt.key !== key) return
    if (toggledAt.type === 'end') {
      left.current = undefined
      reading.getState().askForEnd()
      return
    }
    const shownBefore = left.current
    const isBack =
      !isSkimming && shownBefore !== undefined && isAmong(toggledAt.inView, shownBefore.to)
    const to =
      isBack && shownBefore.spot.type === 'line'
        ? shownBefore.spot
        : (placeShown(toggledAt, items) ?? placeBefore(toggledAt.place, all, items))
    left.current = isSkimming && to !== undefined ? { spot: toggledAt, to } : undefined
    if (to === undefined) return
    const { place, at, within } = to
    const options = { marked: [], keepsFocus: true, isJump: true, by: 'returning' } as const
    reading.getState().land({ key, place, at, within, ...options })
  }, [toggledAt])
  return { items, hidden: skimmed?.hidden }
}

type LineSpot = Extract<ReadingSpot, { readonly type: 'line' }>

/** The turn of the reader, else the first one in view, that is among the items. */
function placeShown(spot: LineSpot, items: readonly ListItem[]): ReadPlace | undefined {
  return [spot, ...spot.inView].find(({ place }) => indexOfLine(items, place) >= 0)
}

/** The last item that is shown before a line. */
function placeBefore(
  place: LinePoint,
  all: readonly ListItem[],
  items: readonly ListItem[],
): ReadPlace | undefined {
  const shown = new Set(items.map(({ key }) => key))
  const before = all
    .slice(0, indexOfLine(all, place))
    .findLast((item) => item.type !== 'day' && shown.has(item.key))
  if (before === undefined || before.type === 'live' || before.type === 'unwritten')
    return undefined
  const [line] = sourceLinesOf(before)
  if (line === undefined) return undefined
  const { file, offset, id } = line
  return { place: { file, offset, entry: id }, at: promptPixels }
}

function isAmong(places: readonly ReadPlace[], { place, at }: ReadPlace): boolean {
  return places.some(
    (one) =>
      one.place.file === place.file &&
      one.place.offset === place.offset &&
      Math.abs(one.at - at) <= 1,
  )
}
