import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { WindowSize } from '../../../shared/model/run/window-size'
import { browserClock, type StoreClock } from '../base/clock'

export interface ContextWindowSizeState {
  /** The conversation that is measured: none, while none of ours is open. */
  readonly key: LibraryKey | undefined
  /** Of `key`; undefined before it is known, and where it cannot be. */
  readonly size: WindowSize | undefined
  /** Tokens of what is being written. */
  readonly draft: number
  /** Measures a conversation from now on; another system's is not measured. */
  follow(key: LibraryKey | undefined): void
  /** Measures again, soon; any conversation's change where no key is given: a setting, a list of models. */
  foldChanged(key?: string): void
  /** What is being written is another text now. Counted at the next pause of typing. */
  write(text: string, images: number): void
}
export type ContextWindowSizeStore = StoreApi<ContextWindowSizeState>

/** Entries come in groups: one look is enough for those of so many milliseconds. */
const gatherMs = 250
/** A pause of typing. */
const pauseMs = 200

/** What the next request of the open conversation takes of the model's window. What cannot be measured is not shown. */
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
        // Not put off by the next one: entries may come without a pause for minutes.
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
