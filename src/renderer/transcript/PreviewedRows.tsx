import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import type { Entry } from '../../shared/model/conversation/entry'
import { rowKey } from '../../shared/model/conversation/transcript'
import type { HitPreview } from '../../shared/model/hit-preview'
import { PreviewPiecesProvider, useStores } from '../state/context'
import { ErrorBoundary } from '../ui/notes/ErrorBoundary'
import { type Reveal, RevealProvider } from '../ui/text/reveal'
import { soughtWords } from './find/sought'
import { buildItems } from './items/build-items'
import { foldsAround } from './items/folds'
import { elementMatchRanges, endOfFirstMatches, foldWords } from './items/highlights'
import type { Item } from './items/items'
import { PreviewedParts, previewedItems } from './items/previewed'
import { usePreviewHighlights } from './list/use-preview-highlights'
import { ItemView } from './turns/ItemView'

/** Rows of the previewed hit as turns of a transcript, scrolled to the first of its words, which are marked. */
export function PreviewedRows(props: {
  readonly rows: HitPreview
  /** Words and matches to mark. */
  readonly marked: readonly string[]
}) {
  return (
    <PreviewPiecesProvider>
      <Turns {...props} />
    </PreviewPiecesProvider>
  )
}

const shownAs: ReadonlyMap<string, string> = new Map()
/** Share of the preview's height that is above the match. */
const shareAbove = 1 / 3

function Turns(props: { readonly rows: HitPreview; readonly marked: readonly string[] }) {
  const { rows: preview, marked } = props
  const { reading } = useStores()
  const list = useRef<HTMLDivElement>(null)
  const words = useMemo(() => foldWords(marked), [marked])
  const hit = placeOf(preview)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is of the rows
  const { items, hitKey } = useMemo(
    () => previewedItems(buildItems(preview.rows, { hasBefore: false, shownAs }), hit),
    [preview],
  )
  const reveal = useMemo<Reveal | undefined>(
    () => (words.length === 0 ? undefined : (text) => endOfFirstMatches(text, words)),
    [words],
  )
  const partOf = usePartOf(preview)
  usePreviewHighlights(list, words)

  // Folds around the match are open before it is scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each preview
  useLayoutEffect(() => {
    const item = items.find(({ key }) => key === hitKey)
    if (item === undefined || hit === undefined) return
    for (const name of foldsAround(item, hit, soughtWords(words).holds))
      reading.getState().setFold(name, true)
  }, [preview])
  useScrollToMatch(list, preview, hitKey, words)

  return (
    <div ref={list} className="previewed-rows">
      <PreviewedParts value={partOf}>
        {items.map((item, index) => (
          <div key={item.key} className={rowClass(items, index, hitKey)}>
            <RevealProvider value={item.key === hitKey ? reveal : undefined}>
              <ErrorBoundary what="This entry" of={item}>
                <ItemView item={item} isLast={false} />
              </ErrorBoundary>
            </RevealProvider>
          </div>
        ))}
      </PreviewedParts>
    </div>
  )
}

function rowClass(items: readonly Item[], index: number, hitKey: string | undefined): string {
  const isHit = items[index]?.key === hitKey
  return `previewed-row ${index === 0 ? 'first' : ''} ${index === items.length - 1 ? 'last' : ''} ${isHit ? 'of-hit' : ''}`
}

/** Returns the line of the hit. */
function placeOf({ rows, hit }: HitPreview) {
  const row = hit === null ? undefined : rows[hit]
  if (row === undefined) return undefined
  if (row.type === 'damaged') return { file: row.damaged.file, offset: row.damaged.offset }
  const { file, offset, id } = row.entry
  return { file, offset, id, entry: id }
}

function usePartOf({ rows, parts }: HitPreview) {
  const byRow = useMemo(
    () =>
      new Map(
        rows.flatMap((row, index) => {
          const part = parts[index]
          return part == null ? [] : [[rowKey(row), part] as const]
        }),
      ),
    [rows, parts],
  )
  return useCallback((entry: Entry) => byRow.get(rowKey({ type: 'entry', entry })), [byRow])
}

/** Brings the first match into view, else the top of the hit's turn. The focus stays where it is. */
function useScrollToMatch(
  list: React.RefObject<HTMLDivElement | null>,
  preview: HitPreview,
  hitKey: string | undefined,
  words: readonly string[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each preview
  useLayoutEffect(() => {
    // Folds that the effect before has opened are drawn by then.
    const frame = requestAnimationFrame(() => {
      const rows = list.current
      const scroller = rows?.parentElement
      if (rows == null || scroller == null) return
      const turn = rows.querySelector('.of-hit')
      const match = turn === null ? undefined : elementMatchRanges(turn, words)[0]
      const target = match ?? turn
      if (target == null) {
        scroller.scrollTop = 0
        return
      }
      const above = target === turn ? 0 : scroller.clientHeight * shareAbove
      const top = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      scroller.scrollTop += top - above
    })
    return () => cancelAnimationFrame(frame)
  }, [preview, hitKey])
}
