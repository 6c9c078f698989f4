import { useMemo } from 'react'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { useCompletion, useTranscript } from '../../state/context'
import { isRunActive, type LiveRun, liveItemKey } from '../../state/run-state'
import { cursorBefore, type PageRun } from '../../state/transcript-state'
import { buildItems } from './build-items'
import type { Item } from './items'

/** What the list shows: items of rows, then what is not an entry yet. */
export type ListItem =
  | Item
  | { readonly type: 'live'; readonly key: string; readonly run: LiveRun; readonly isHead: boolean }
  /** A failure that could not be written into the transcript. */
  | { readonly type: 'unwritten'; readonly key: string; readonly run: LiveRun }

/** The items of the open transcript. Those of rows are made when rows come, not when text streams in. */
export function useItems(): readonly ListItem[] {
  const run = useTranscript((state) => state.run)
  const shownAs = useTranscript((state) => state.shownAs)
  const beforeFailed = useTranscript((state) => state.before.type === 'failed')
  const live = useLive()
  // With the page before out of reach, what waited for it is shown as far as it is known.
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

/** The rows at which pages begin. */
function pageStartsOf({ pages }: PageRun): readonly number[] {
  let start = 0
  return pages.map(({ rows }) => {
    const own = start
    start += rows.length
    return own
  })
}

/** The run of the open conversation, while it shows something that no entry shows. */
export function useLive(): LiveRun | undefined {
  const key = useTranscript((state) => state.key)
  return useCompletion(({ runs }) => (key === undefined ? undefined : runs[key]))
}

/** Rows looked at: the answer and what may follow it before its run has ended. */
const lastRows = 8

/** Whether the answer that streams in is a row already: a page that was read in between can bring it. */
function holdsAnswer(rows: readonly TranscriptRow[], { answerId }: LiveRun): boolean {
  return (
    answerId !== undefined &&
    rows.slice(-lastRows).some((row) => row.type === 'entry' && row.entry.id === answerId)
  )
}

function liveItems(run: LiveRun, items: readonly Item[]): readonly ListItem[] {
  const previous = items.at(-1)
  const hasText = run.content !== '' || run.reasoning !== ''
  // After the first answer an empty one shows nothing: the run is about to end, or its next text is about to come.
  const isShown = hasText || (isRunActive(run) && run.part === 0 && !run.isErrorAppended)
  const isHead = previous?.type !== 'agent' && previous?.type !== 'tool'
  return [
    ...(isShown ? [{ type: 'live' as const, key: liveItemKey(run), run, isHead }] : []),
    ...(run.phase === 'failed' && !run.isErrorAppended && run.failure !== undefined
      ? [{ type: 'unwritten' as const, key: `failure:${run.runId}`, run }]
      : []),
  ]
}
