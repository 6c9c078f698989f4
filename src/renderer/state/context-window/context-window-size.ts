import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { WindowSize } from '../../../shared/model/run/window-size'
import { browserClock, type StoreClock } from '../base/clock'

/** State and actions of the context window's size; in tokens. */
export interface ContextWindowSizeState {
  /** The measured conversation; undefined while no context is open. */
  readonly key: LibraryKey | undefined
  /** Of `key`; undefined before it is known, and where it cannot be measured. */
  readonly size: WindowSize | undefined
  /** Tokens of the draft. */
  readonly draft: number
  /** Measures a conversation from now on; only contexts are measured. */
  follow(key: LibraryKey | undefined): void
  /** Measures again soon; without a key, for changes that concern all: a setting, a model list. */
  foldChanged(key?: string): void
  /** Takes the changed draft; it is counted at the next pause of typing. */
  write(text: string, images: number): void
}
/** Store of the context window's size. */
export type ContextWindowSizeStore = StoreApi<ContextWindowSizeState>

/** Delay of a measurement, so that entries that come together cost only one. */
const gatherMs = 250
/** Length of a pause of typing. */
const pauseMs = 200

/**
 * Makes the store of how many tokens the next request and the draft take. A failed measurement leaves the size
 * undefined.
 */
export function createContextWindowSizeStore(
  api: Api,
  clock: StoreClock = browserClock,
): ContextWindowSizeStore {
  let stopMeasuring: (() => void) | undefined
  let stopCounting = () => {}
  let measured = 0
  let counted = 0
  return createStore<ContextWindowSizeState>()((set, get) => {
    async function measure(key: LibraryKey): Promise<void> {
      const mine = ++measured
      const size = await api.windowSize.of({ key }).catch(() => undefined)
      if (mine === measured) set({ size })
    }

    async function count(key: LibraryKey, text: string, images: number): Promise<void> {
      const mine = ++counted
      const draft = await api.windowSize.draft({ key, text, images }).catch(() => undefined)
      if (mine === counted && draft !== undefined) set({ draft })
    }

    return {
      key: undefined,
      size: undefined,
      draft: 0,

      follow(key) {
        const own = key !== undefined && parseLibraryKey(key).source === 'chibi' ? key : undefined
        stopMeasuring?.()
        stopMeasuring = undefined
        stopCounting()
        measured++
        counted++
        set({ key: own, size: undefined, draft: 0 })
        if (own !== undefined) void measure(own)
      },

      foldChanged(changed) {
        const { key } = get()
        if (key === undefined || (changed !== undefined && changed !== key)) return
        // A further change does not delay it: entries may come without a pause for minutes.
        stopMeasuring ??= clock.after(gatherMs, () => {
          stopMeasuring = undefined
          void measure(key)
        })
      },

      write(text, images) {
        const { key } = get()
        stopCounting()
        counted++
        if (text.trim() === '' && images === 0) return set({ draft: 0 })
        if (key === undefined) return
        stopCounting = clock.after(pauseMs, () => void count(key, text, images))
      },
    }
  })
}
