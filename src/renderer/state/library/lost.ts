import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { LostAndFound, LostLines } from '../../../shared/model/lost'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'

/** Limits on the damaged lines that are loaded, at first and at most: each may bring 4 KB of its bytes. */
export const lostLineLimits = { first: 100, most: 1000 } as const

/** Delay of a check after a change: an open view is current sooner than the number in the library's foot. */
const pauseMs = { open: 500, closed: 2000 } as const
/** Pause after a check as a multiple of its duration: checks read whole files and take a fifth of the time at most. */
const pausePerLook = 4

/** Damaged lines of one conversation: loading, shown or failed. */
export type DamagedLinesState =
  | { readonly type: 'loading'; readonly before: LostLines | undefined }
  | { readonly type: 'shown'; readonly found: LostLines }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** State and actions of the lost items' store. */
export interface LostState {
  readonly isOpen: boolean
  /** True where closing the view goes elsewhere, so that the focus does not return. */
  readonly leavesFocus: boolean
  /** The items found last; undefined before the first answer. */
  readonly found: LostAndFound | undefined
  readonly isLooking: boolean
  /** Why the last check failed; earlier items stay. */
  readonly failure: ErrorReport | undefined
  /** By the keys of conversations whose lines are unfolded. */
  readonly lines: Readonly<Record<string, DamagedLinesState>>
  /** By the keys of conversations that could not be forgotten. */
  readonly refusals: Readonly<Record<string, ErrorReport>>
  open(): void
  hide(leavesFocus?: boolean): void
  /** Checks now, and the disk too unless `again` is false; during a check, once more after it. */
  look(again?: boolean): Promise<void>
  /** Checks after a delay, so that a burst of changes costs one check. */
  lookSoon(): void
  showLines(key: LibraryKey, limit?: number): Promise<void>
  hideLines(key: LibraryKey): void
  /** Removes a gone conversation from the list; resolves to whether it was removed. */
  forget(key: LibraryKey): Promise<boolean>
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the lost items. */
export type LostStore = StoreApi<LostState>

const nothing = {
  isOpen: false,
  leavesFocus: false,
  found: undefined,
  isLooking: false,
  failure: undefined,
  lines: {},
  refusals: {},
} as const

/** Makes the store of the lost items and of their view. Checks after changes take at most a fifth of the time. */
export function createLostStore(api: Api, clock: StoreClock = browserClock): LostStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0
  let isAskedAgain = false
  let lookMs = 0
  let stopWaiting: (() => void) | undefined

  return createStore<LostState>()((set, get) => {
    function setLines(key: string, lines: DamagedLinesState | undefined): void {
      const { [key]: _, ...others } = get().lines
      set({ lines: lines === undefined ? others : { ...others, [key]: lines } })
    }

    async function lookOnce(mine: number, again: boolean): Promise<void> {
      const startedMs = clock.now()
      try {
        const found = await api.lost.list({ again })
        if (mine !== generation) return
        const before = get().found
        set({ found, failure: undefined })
        followLines(before, found)
      } catch (error) {
        if (mine === generation) set({ failure: toErrorReport(error) })
      }
      lookMs = clock.now() - startedMs
    }

    /** Reads shown lines again where their number changed. */
    function followLines(before: LostAndFound | undefined, now: LostAndFound): void {
      for (const key of Object.keys(get().lines) as LibraryKey[]) {
        const number = linesOf(now, key)
        if (number === 0) setLines(key, undefined)
        else if (number !== linesOf(before, key))
          void get().showLines(key, limitOf(get().lines[key]))
      }
    }

    return {
      ...nothing,

      open() {
        set({ isOpen: true, leavesFocus: false })
        void get().look()
      },

      hide(leavesFocus = false) {
        if (get().isOpen) set({ isOpen: false, leavesFocus, lines: {}, refusals: {} })
      },

      async look(again = true) {
        if (get().isLooking) {
          isAskedAgain = true
          return
        }
        stopWaiting?.()
        stopWaiting = undefined
        const mine = generation
        isAskedAgain = false
        set({ isLooking: true })
        await lookOnce(mine, again)
        if (mine !== generation) return
        set({ isLooking: false })
        if (isAskedAgain) get().lookSoon()
      },

      lookSoon() {
        if (get().isLooking) isAskedAgain = true
        if (get().isLooking || stopWaiting !== undefined) return
        const least = get().isOpen ? pauseMs.open : pauseMs.closed
        stopWaiting = clock.after(
          Math.max(least, lookMs * pausePerLook),
          () => void get().look(false),
        )
      },

      async showLines(key, limit = lostLineLimits.first) {
        const mine = generation
        const known = get().lines[key]
        const loading: DamagedLinesState = { type: 'loading', before: loadedLines(known) }
        setLines(key, loading)
        // After folding or another request this answer is not wanted any more.
        const isWanted = () => mine === generation && get().lines[key] === loading
        try {
          const found = await api.lost.lines({ key, limit })
          if (isWanted()) setLines(key, { type: 'shown', found })
        } catch (error) {
          if (isWanted()) setLines(key, { type: 'failed', failure: toErrorReport(error) })
        }
      },

      hideLines: (key) => setLines(key, undefined),

      async forget(key) {
        const mine = generation
        const { [key]: _, ...refusals } = get().refusals
        set({ refusals })
        try {
          await api.lost.forget({ key })
        } catch (error) {
          if (mine === generation)
            set({ refusals: { ...get().refusals, [key]: toErrorReport(error) } })
          return false
        }
        const { found } = get()
        if (mine === generation && found !== undefined)
          set({ found: { ...found, items: found.items.filter((item) => item.key !== key) } })
        return true
      },

      reset() {
        generation++
        stopWaiting?.()
        stopWaiting = undefined
        isAskedAgain = false
        lookMs = 0
        set(nothing)
      },
    }
  })
}

/** Returns the lines that are loaded, also while more are loading. */
export function loadedLines(lines: DamagedLinesState | undefined): LostLines | undefined {
  if (lines?.type === 'shown') return lines.found
  return lines?.type === 'loading' ? lines.before : undefined
}

function limitOf(lines: DamagedLinesState | undefined): number {
  const shown = loadedLines(lines)?.lines.length ?? 0
  return shown > lostLineLimits.first ? lostLineLimits.most : lostLineLimits.first
}

/** Returns the number of damaged lines of a conversation, from the list. */
function linesOf(found: LostAndFound | undefined, key: string): number {
  return found?.items.find((item) => item.kind === 'damaged' && item.key === key)?.lines ?? 0
}
