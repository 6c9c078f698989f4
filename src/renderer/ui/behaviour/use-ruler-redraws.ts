import { useEffect, useState } from 'react'

/** Returns a number that grows when the colours of the window or the size of a scroller change: a ruler beside it is drawn anew. */
export function useRulerRedraws(scroller: HTMLElement): number {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const again = () => setLooks((count) => count + 1)
    const sizes = new ResizeObserver(again)
    sizes.observe(scroller)
    const themes = new MutationObserver(again)
    themes.observe(document.documentElement, { attributes: true })
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((one) =>
      matchMedia(one),
    )
    for (const query of queries) query.addEventListener('change', again)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      for (const query of queries) query.removeEventListener('change', again)
    }
  }, [scroller])
  return looks
}
