import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Sent, SentAround } from '../../../shared/model/run/sent'
import { toErrorReport } from '../base/failure'

/** Value that is loading, loaded or failed. */
export type Loadable<T> =
  | { readonly type: 'loading' }
  | { readonly type: 'here'; readonly value: T }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** Tab of the view of a request. */
export type SentTab = 'request' | 'compare' | 'json'

/** Answer nearby whose request can be compared with. */
export type ComparisonTarget = keyof SentAround

/** State and actions of the view of a request. */
export interface SentState {
  /** The answer to the request; the view is open while there is one. */
  readonly answer: { readonly key: LibraryKey; readonly entryId: EntryId } | undefined
  readonly way: SentTab
  readonly sent: Loadable<Sent>
  /** Loaded with its tab, like `around` and `other`. */
  readonly body: Loadable<string>
  readonly around: Loadable<SentAround>
  /** The request that it is compared with. */
  readonly other: { readonly place: ComparisonTarget; readonly sent: Loadable<Sent> } | undefined
  /** The entry to go to after the view was closed, until `takeLeftFor`. */
  readonly leftFor: { readonly key: LibraryKey; readonly entry: EntryId } | undefined
  open(key: LibraryKey, entryId: EntryId): void
  close(): void
  /** Closes the view to go to an entry of the same conversation. */
  leaveFor(entry: EntryId): void
  /** Returns and clears `leftFor`. */
  takeLeftFor(): SentState['leftFor']
  look(way: SentTab): void
  compareWith(place: ComparisonTarget): void
}
/** Store of the view of a request. */
export type SentStore = StoreApi<SentState>

const loading = { type: 'loading' } as const
const nothing = {
  answer: undefined,
  way: 'request',
  sent: loading,
  body: loading,
  around: loading,
  other: undefined,
  leftFor: undefined,
} as const

/** Order of the comparison targets: the previous answer is wanted most often. */
const places = ['previous', 'beforeWindow', 'next', 'afterWindow'] as const

/** Lists the answers nearby that can be compared with, each entry once. */
export function comparisonTargets(around: SentAround): readonly ComparisonTarget[] {
  const seen = new Set<EntryId>()
  return places.filter((place) => {
    const id = around[place]?.entryId
    if (id === undefined || seen.has(id)) return false
    seen.add(id)
    return true
  })
}

/**
 * Makes the store of the request before an answer, and of the one that it is compared with. JSON and answers nearby
 * are loaded with their tab.
 */
export function createSentStore(api: Api): SentStore {
  /** Grow with each opened view and each comparison: answers for earlier ones are dropped. */
  let opened = 0
  let compared = 0

  return createStore<SentState>()((set, get) => {
    const isHere = (mine: number) => mine === opened && get().answer !== undefined

    async function loadBody(): Promise<void> {
      const { answer, body } = get()
      if (answer === undefined || body.type === 'here') return
      const mine = opened
      set({ body: loading })
      const asked = await askedOf(api.sent.body(answer))
      if (isHere(mine)) set({ body: asked })
    }

    async function loadAround(): Promise<void> {
      const { answer, around } = get()
      if (answer === undefined || around.type === 'here') return
      const mine = opened
      set({ around: loading })
      const asked = await askedOf(api.sent.around(answer))
      if (!isHere(mine)) return
      set({ around: asked })
      const first = asked.type === 'here' ? comparisonTargets(asked.value)[0] : undefined
      if (first !== undefined && get().other === undefined) get().compareWith(first)
    }

    async function loadSent(answer: NonNullable<SentState['answer']>): Promise<void> {
      const mine = opened
      const asked = await askedOf(api.sent.of(answer))
      if (isHere(mine)) set({ sent: asked })
    }

    return {
      ...nothing,

      open(key, entryId) {
        opened++
        compared++
        const answer = { key, entryId }
        set({ ...nothing, answer })
        void loadSent(answer)
      },

      close() {
        opened++
        compared++
        set(nothing)
      },

      leaveFor(entry) {
        const { answer, close } = get()
        if (answer === undefined) return
        close()
        set({ leftFor: { key: answer.key, entry } })
      },

      takeLeftFor() {
        const { leftFor } = get()
        if (leftFor !== undefined) set({ leftFor: undefined })
        return leftFor
      },

      look(way) {
        set({ way })
        if (way === 'json') void loadBody()
        if (way === 'compare') void loadAround()
      },

      compareWith(place) {
        const { answer, around } = get()
        const entryId = around.type === 'here' ? around.value[place]?.entryId : undefined
        if (answer === undefined || entryId === undefined) return
        const mine = ++compared
        set({ other: { place, sent: loading } })
        void askedOf(api.sent.of({ key: answer.key, entryId })).then((sent) => {
          if (mine === compared) set({ other: { place, sent } })
        })
      },
    }
  })
}

/** Turns the outcome of a call into a value. */
function askedOf<T>(call: Promise<T>): Promise<Loadable<T>> {
  return call.then(
    (value) => ({ type: 'here', value }),
    (error: unknown) => ({ type: 'failed', failure: toErrorReport(error) }),
  )
}
