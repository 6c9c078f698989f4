import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { fold } from '../../../shared/model/basics/fold'
import type { FacetCounts } from '../../../shared/model/facet-counts'
import { type FacetName, facetChoice, withoutFacets } from '../../../shared/model/query/facets'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'

/** Value of a facet in the panel. */
export interface FacetValue {
  readonly value: string
  /** Hits that the query has with it; undefined before they are counted. */
  readonly count: number | undefined
  readonly isChosen: boolean
}

/** Facet in the panel. */
export interface ShownFacet {
  readonly facet: FacetName
  readonly values: readonly FacetValue[]
  /** Further values, which are not listed. */
  readonly others: number
  readonly complete: boolean
}

/** State and actions of the facets store. */
export interface FacetsState {
  /** The panel is beside the hits; kept for the next start. */
  readonly isOpen: boolean
  /** The query that is counted, or was. */
  readonly query: string | undefined
  readonly phase: 'idle' | 'counting' | 'done' | 'failed'
  readonly facets: readonly ShownFacet[]
  readonly failure: ErrorReport | undefined
  setOpen(isOpen: boolean): void
  /** Counts a query. Ends the count before. */
  count(query: string): void
  /** Ends the count: another query is typed. */
  stop(): void
  foldCounted(searchId: string, facets: readonly FacetCounts[]): void
  /** Keeps what the query was before a choice, and what it is with it. */
  keepChoice(before: string, after: string): void
  /** Takes back the last choice; returns the query before it. Undefined where the query is not as that left it. */
  takeBack(text: string): string | undefined
  /** Clears everything: another home is open, or nothing is asked. */
  reset(): void
}
/** Store of the facets of the search. */
export type FacetsStore = StoreApi<FacetsState>

const name = 'skein.facets'
/** Choices that can be taken back. */
const mostChoices = 100

/** Makes the store of the facets. A new count ends the one before, whose late answer is dropped. */
export function createFacetsStore(api: Api, kept: KeyValueStorage): FacetsStore {
  /** Prefix of ids that no reloaded window has used before. */
  const window = Math.random().toString(36).slice(2, 10)
  let counts = 0
  let running: SearchId | undefined
  /** The last choices, the newest at the end. */
  let choices: readonly { readonly before: string; readonly after: string }[] = []

  return createStore<FacetsState>()((set, get) => {
    function cancel(): void {
      if (running === undefined) return
      const searchId = running
      running = undefined
      // Its answer is dropped.
      void api.search.cancel({ searchId }).catch(() => undefined)
    }

    async function run(query: string): Promise<void> {
      cancel()
      const searchId = SearchId.parse(`${window}-facets-${++counts}`)
      running = searchId
      set(({ facets, query: before }) => ({
        query,
        phase: 'counting',
        failure: undefined,
        // The values of a search without its facets stay where they are, whatever is chosen.
        facets: before !== undefined && isSameBase(before, query) ? waiting(facets, query) : [],
      }))
      try {
        const { facets } = await api.search.facets({ searchId, query })
        if (running !== searchId) return
        running = undefined
        set((state) => ({ phase: 'done', facets: joined(state.facets, facets, query) }))
      } catch (error) {
        if (running !== searchId) return
        running = undefined
        set({ phase: 'failed', failure: toErrorReport(error) })
      }
    }

    return {
      isOpen: kept.get(name) !== 'closed',
      query: undefined,
      phase: 'idle',
      facets: [],
      failure: undefined,

      setOpen(isOpen) {
        kept.set(name, isOpen ? 'open' : 'closed')
        set({ isOpen })
        if (!isOpen) get().stop()
      },

      count: (query) => void run(query),

      stop() {
        if (running === undefined) return
        cancel()
        set({ phase: 'idle' })
      },

      foldCounted(searchId, facets) {
        if (searchId !== running) return
        set((state) => ({ facets: joined(state.facets, facets, state.query ?? '') }))
      },

      keepChoice(before, after) {
        choices = [...choices, { before, after }].slice(-mostChoices)
      },

      takeBack(text) {
        const last = choices.at(-1)
        if (last?.after !== text) return undefined
        choices = choices.slice(0, -1)
        return last.before
      },

      reset() {
        cancel()
        choices = []
        set({ query: undefined, phase: 'idle', facets: [], failure: undefined })
      },
    }
  })
}

function isSameBase(a: string, b: string): boolean {
  return withoutFacets(a) === withoutFacets(b)
}

/** The values as they are known, by the choices of another query. */
function waiting(facets: readonly ShownFacet[], query: string): readonly ShownFacet[] {
  return facets.map((one) => ({
    ...one,
    complete: false,
    values: withChoice(
      one.values.map(({ value, count }) => ({ value, count })),
      facetChoice(query, one.facet),
    ),
  }))
}

/** Puts counts in place of those before. A value that has no hits any more stays, with none. */
function joined(
  before: readonly ShownFacet[],
  counted: readonly FacetCounts[],
  query: string,
): readonly ShownFacet[] {
  const names = new Set([...counted, ...before].map(({ facet }) => facet))
  return [...names].flatMap((facet): readonly ShownFacet[] => {
    const now = counted.find((one) => one.facet === facet)
    const known = before.find((one) => one.facet === facet)
    if (now === undefined) return known === undefined ? [] : [known]
    const has = new Set(now.values.map(({ value }) => fold(value)))
    const gone = (known?.values ?? []).filter(({ value }) => !has.has(fold(value)))
    const values = [...now.values, ...gone.map(({ value }) => ({ value, count: 0 }))]
    return [
      {
        facet,
        values: withChoice(values, facetChoice(query, facet)),
        others: now.others,
        complete: now.complete,
      },
    ]
  })
}

function withChoice(
  values: readonly { readonly value: string; readonly count: number | undefined }[],
  choice: readonly string[],
): readonly FacetValue[] {
  const chosen = new Set(choice.map((value) => fold(value)))
  const listed = values.map((one) => ({ ...one, isChosen: chosen.has(fold(one.value)) }))
  const missing = choice.filter((value) => !listed.some((one) => fold(one.value) === fold(value)))
  return [...listed, ...missing.map((value) => ({ value, count: undefined, isChosen: true }))]
}
