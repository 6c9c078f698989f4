import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { TranscriptPage } from '../../../shared/model/conversation/transcript'
import { toErrorReport } from '../base/failure'
import { appendPage, cursorAfter, cursorBefore, type PageRun, prependPage } from './pages'
import type { RowRequests } from './row-requests'

/** Rows loaded at each edge of the run. */
const edgeRows = 250

/** State of one edge of the run of pages. Each request has a `loading` of its own: the edge is the request's while it stands there. */
export type EdgeState =
  | { readonly type: 'rest' }
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** State of an edge that nothing is loaded at. */
export const atRest: EdgeState = { type: 'rest' }

/** The part of a transcript that grows at its edges. */
interface EdgesState {
  readonly key: LibraryKey | undefined
  readonly run: PageRun
  readonly before: EdgeState
  readonly after: EdgeState
  readonly moreBelow: boolean
  readonly branches: TranscriptPage['branches']
}

/** Store of such a transcript, and its requests. */
interface Edges {
  readonly requests: RowRequests
  get(): EdgesState
  set(change: Partial<EdgesState> | ((state: EdgesState) => Partial<EdgesState>)): void
}

/**
 * Makes the loading of the pages before and after the run. A page joins the rows only where its request still stands at its edge (other
 * rows that took their place set it at rest) and that edge is where it was: pages that were dropped there leave no gap, and a page
 * that is there already comes no second time.
 */
export function edgeLoading(api: Api, { requests, get, set }: Edges) {
  return {
    async loadBefore(): Promise<void> {
      const { key, run, before } = get()
      const cursor = cursorBefore(run)
      if (key === undefined || cursor === undefined || before.type === 'loading') return
      const mine: EdgeState = { type: 'loading' }
      set({ before: mine })
      try {
        const page = await api.transcript.page({ key, from: { before: cursor }, limit: edgeRows })
        set((state) => {
          if (state.before !== mine) return {}
          if (cursorBefore(state.run) !== cursor) return { before: atRest }
          return { run: prependPage(state.run, page), before: atRest }
        })
      } catch (error) {
        if (get().before === mine)
          set({ before: { type: 'failed', failure: toErrorReport(error) } })
      }
    },

    async loadAfter(): Promise<void> {
      const { key, run, after } = get()
      const cursor = cursorAfter(run)
      if (key === undefined || cursor === undefined || run.atEnd || after.type === 'loading') return
      const mine: EdgeState = { type: 'loading' }
      set({ after: mine })
      const collected = requests.collect()
      try {
        const page = await api.transcript.page({ key, from: { after: cursor }, limit: edgeRows })
        set((state) => {
          if (state.after !== mine) return {}
          if (cursorAfter(state.run) !== cursor) return { after: atRest }
          const grown = collected.after(appendPage(state.run, page), state.branches?.way)
          return { run: grown, after: atRest, moreBelow: !grown.atEnd && state.moreBelow }
        })
      } catch (error) {
        if (get().after === mine) set({ after: { type: 'failed', failure: toErrorReport(error) } })
      } finally {
        collected.end()
      }
    },
  }
}
