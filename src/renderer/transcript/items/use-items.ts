import { useMemo } from 'react'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { useCompletion, useTranscript } from '../../state/context'
import { isRunActive, type LiveRun, liveItemKey } from '../../state/run-state'
import { cursorBefore, type PageRun } from '../../state/transcript-state'
import { buildItems } from './build-items'
import { type Item, isOfAnswer } from './items'

/** Item of the list: one of rows, or text that is not an entry yet. */
export type ListItem =
  | Item
  | { readonly type: 'live'; readonly key: string; readonly run: LiveRun; readonly isHead: boolean }
  /** A failure that could not be written into the transcript. */
  | { readonly type: 'unwritten'; readonly key: string; readonly run: LiveRun }

/** Returns the items of the open transcript. Those of rows are built when rows come, not with each delta. */
export function useItems(): readonly ListItem[] {
  const run = useTranscript((state) => state.run)
  const shownAs = useTranscript((state) => state.shownAs)
  const beforeFailed = useTranscript((state) => state.before.type === 'failed')
  const live = useLive()
  // Where the page before failed to load, held rows are shown as far as they are known.
  const hasBefore = cursorBefore(run) !== undefined && !beforeFailed
  const items = useMemo(
    () => buildItems(run.rows, { hasBefore, shownAs, pageStarts: pageStartsOf(run) }),
    [run, hasBefore, shownAs],
  )
  const isEntry = live !== undefined && holdsAnswer(run.rows, live)
  return useMemo(
    () =>
      live === undefined || !run.atEnd || isEntry ? items : [...items, ...liveItems(live, items)],
    [items, live, run.atEnd, isEntry],
  )
}

/** Returns the indices of the rows at which pages begin. */
function pageStartsOf({ pages }: PageRun): readonly number[] {
  let start = 0
  return pages.map(({ rows }) => {
    const own = start
    start += rows.length
    return own
  })
}

/** Returns the last run of the open conversation; undefined without one. */
export function useLive(): LiveRun | undefined {
  const key = useTranscript((state) => state.key)
  return useCompletion(({ runs }) => (key === undefined ? undefined : runs[key]))
}

/** Most rows from the end: the answer and what may follow it before its run has ended. */
const lastRows = 8

/** Returns true where the streaming answer is a row already, from a page that was read meanwhile. */
function holdsAnswer(rows: readonly TranscriptRow[], { answerId }: LiveRun): boolean {
  return (
    answerId !== undefined &&
    rows.slice(-lastRows).some((row) => row.type === 'entry' && row.entry.id === answerId)
  )
}

function liveItems(run: LiveRun, items: readonly Item[]): readonly ListItem[] {
  const previous = items.at(-1)
  const hasText = run.content !== '' || run.reasoning !== ''
  // After the first answer an empty one shows nothing: the run is about to end, or more text to come.
  const isShown = hasText || (isRunActive(run) && run.part === 0 && !run.isErrorAppended)
  const isHead = !isOfAnswer(previous)
  return [
    ...(isShown ? [{ type: 'live' as const, key: liveItemKey(run), run, isHead }] : []),
    ...(run.phase === 'failed' && !run.isErrorAppended && run.failure !== undefined
      ? [{ type: 'unwritten' as const, key: `failure:${run.runId}`, run }]
      : []),
  ]
}
