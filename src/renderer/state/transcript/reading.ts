import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { toErrorReport } from '../base/failure'
import type { Landing } from './landing'

/** The untouched source line of a row. */
export type RawLineState =
  | { readonly type: 'loading' }
  | { readonly type: 'shown'; readonly text: string; readonly line: number; readonly cut: boolean }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** Where a source line stands. */
export interface LineAddress {
  readonly file: string
  readonly offset: number
  readonly length: number
  /** Of the entry that is meant: after a rotation another line may stand there. */
  readonly id?: EntryId
}

export interface ReadingState {
  /** Folds that were opened or closed by hand, by item key and part. Kept here: rows that scroll away are taken off the page. */
  readonly folds: Readonly<Record<string, boolean>>
  /** Source lines that are on the screen, by their place. */
  readonly raws: Readonly<Record<string, RawLineState>>
  /** Items whose source lines are shown. */
  readonly rawShown: Readonly<Record<string, boolean>>
  /** Whether the reader is away from the transcript's end. */
  readonly isReadingUp: boolean
  /** Counts the times that the reader asked for the transcript's end. */
  readonly endRequests: number
  /** Where somebody went last in the open transcript. */
  readonly landing: Landing | undefined
  /** Why somebody is not where they wanted to go, in words. */
  readonly notThere: string | undefined
  land(landing: Omit<Landing, 'id' | 'isDone'>): void
  /** Takes note that a landing's turn is in view. */
  arrive(id: number): void
  missPlace(words: string): void
  dismissNotThere(): void
  setFold(name: string, isOpen: boolean): void
  toggleRaw(item: string, key: LibraryKey, places: readonly LineAddress[]): Promise<void>
  setReadingUp(isReadingUp: boolean): void
  askForEnd(): void
  reset(): void
}
export type ReadingStore = StoreApi<ReadingState>

/** The name of a source line in `raws`. */
export function lineAddressKey({ file, offset }: LineAddress): string {
  return `${file}:${offset}`
}

/** How the open transcript is being read: what is unfolded, what is shown raw, where the reader is. */
export function createReadingStore(api: Api): ReadingStore {
  let landings = 0
  return createStore<ReadingState>()((set, get) => {
    async function load(key: LibraryKey, place: LineAddress): Promise<void> {
      const name = lineAddressKey(place)
      const put = (line: RawLineState) => set(({ raws }) => ({ raws: { ...raws, [name]: line } }))
      put({ type: 'loading' })
      try {
        const { id, file, offset, length } = place
        const asked = { key, file, offset, length, ...(id === undefined ? {} : { entry: id }) }
        put({ type: 'shown', ...(await api.transcript.raw(asked)) })
      } catch (error) {
        put({ type: 'failed', failure: toErrorReport(error) })
      }
    }

    return {
      folds: {},
      raws: {},
      rawShown: {},
      isReadingUp: false,
      endRequests: 0,
      landing: undefined,
      notThere: undefined,
      land: (landing) =>
        set({ landing: { ...landing, id: ++landings, isDone: false }, notThere: undefined }),
      arrive: (id) =>
        set(({ landing }) => (landing?.id === id ? { landing: { ...landing, isDone: true } } : {})),
      missPlace: (notThere) => set({ notThere, landing: undefined }),
      dismissNotThere: () => set({ notThere: undefined }),
      setFold: (name, isOpen) => set(({ folds }) => ({ folds: { ...folds, [name]: isOpen } })),
      async toggleRaw(item, key, places) {
        const isShown = get().rawShown[item] !== true
        set(({ rawShown }) => ({ rawShown: { ...rawShown, [item]: isShown } }))
        if (!isShown) return
        const wanted = places.filter((place) => get().raws[lineAddressKey(place)]?.type !== 'shown')
        await Promise.all(wanted.map((place) => load(key, place)))
      },
      setReadingUp: (isReadingUp) => {
        if (isReadingUp !== get().isReadingUp) set({ isReadingUp })
      },
      askForEnd: () => set(({ endRequests }) => ({ endRequests: endRequests + 1 })),
      reset: () =>
        set({
          folds: {},
          raws: {},
          rawShown: {},
          isReadingUp: false,
          landing: undefined,
          notThere: undefined,
        }),
    }
  })
}
