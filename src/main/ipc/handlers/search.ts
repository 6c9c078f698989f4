import type { Contract } from '../../../shared/ipc/contract'
import type { SearchId } from '../../../shared/ipc/conversations/search'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import type { FacetCounts } from '../../../shared/model/facet-counts'
import type { SearchCounts, SearchHit } from '../../../shared/model/search'
import type { CurrentHome } from '../current/current-home'
import { previewRows, rowOfHit } from '../limits/preview-rows'
import { throttled } from '../limits/throttle'

/** Rows around a hit that a preview takes its neighbours from: a result is shown with its call, which may be further up. */
const previewedRows = 24

/** Serves searches by the ids that the window gives them. */
export function searchHandlers(
  home: CurrentHome<'search' | 'transcripts'>,
  tell: Emitters<Contract['search']>,
): Handlers<Contract['search']> {
  const running = new Map<SearchId, AbortController>()

  /** One id, one search: a second one with it ends the first. */
  function begin(searchId: SearchId) {
    running.get(searchId)?.abort()
    const controller = new AbortController()
    running.set(searchId, controller)
    const isCurrent = () => running.get(searchId) === controller
    return {
      signal: controller.signal,
      isCurrent,
      end: () => {
        if (isCurrent()) running.delete(searchId)
      },
    }
  }

  return {
    async query({ searchId, query, limit, order, scope }) {
      const { search } = home()
      const { signal, isCurrent, end } = begin(searchId)
      let hits: SearchHit[] = []
      const found = throttled(() => {
        const some = hits
        hits = []
        if (isCurrent()) tell.found({ searchId, hits: some })
      })
      const progress = throttled((segments: SearchCounts) => {
        if (isCurrent()) tell.progress({ searchId, segments })
      })
      try {
        return await search.query(query, {
          limit,
          order,
          scope,
          signal,
          found(more) {
            for (const hit of more) hits.push(hit)
            found.ask(undefined)
          },
          progress: progress.ask,
        })
      } finally {
        found.stop()
        progress.stop()
        end()
      }
    },
    async cancel({ searchId }) {
      running.get(searchId)?.abort()
    },
    async facets({ searchId, query }) {
      const { search } = home()
      const { signal, isCurrent, end } = begin(searchId)
      const counted = throttled((facets: readonly FacetCounts[]) => {
        if (isCurrent()) tell.counted({ searchId, facets: [...facets] })
      })
      try {
        return await search.facets(query, { signal, counted: counted.ask })
      } finally {
        counted.stop()
        end()
      }
    },
    async explain({ searchId, query }) {
      const { search } = home()
      const { signal, end } = begin(searchId)
      try {
        return await search.explain(query, signal)
      } finally {
        end()
      }
    },
    async preview({ key, at, ...sought }) {
      const from = at === undefined ? 'start' : { around: at }
      const { rows, branches } = await home().transcripts.page(key, from, previewedRows)
      const hit = at === undefined ? null : rowOfHit(rows, at)
      return { ...previewRows(rows, hit, sought), isLeft: branches?.way !== undefined }
    },
  }
}
