/** Attention that somebody can pay to the window. */
export interface Attention {
  /** True where the window is in front and shows something. */
  isInFront(): boolean
  /** Calls `act` after each change; the returned function ends it. */
  follow(act: () => void): () => void
  /** Calls `act` when the page ends; the returned function ends it. */
  followEnd(act: () => void): () => void
}

/** Attention of a window that is always in front; without a page, as in tests, there is none that goes behind. */
const alwaysInFront: Attention = {
  isInFront: () => true,
  follow: () => () => undefined,
  followEnd: () => () => undefined,
}

/** Returns the attention of the browser's window. */
export function browserAttention(): Attention {
  if (typeof document === 'undefined') return alwaysInFront
  return {
    isInFront: () => document.visibilityState === 'visible' && document.hasFocus(),
    follow(act) {
      // A window that is left tells so before the page knows it.
      const soon = () => setTimeout(act)
      document.addEventListener('visibilitychange', soon)
      window.addEventListener('focus', soon)
      window.addEventListener('blur', soon)
      return () => {
        document.removeEventListener('visibilitychange', soon)
        window.removeEventListener('focus', soon)
        window.removeEventListener('blur', soon)
      }
    },
    followEnd(act) {
      window.addEventListener('pagehide', act)
      return () => window.removeEventListener('pagehide', act)
    },
  }
}
