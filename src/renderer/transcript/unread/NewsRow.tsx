import { useEffect, useRef } from 'react'
import { useStores } from '../../state/context'
import { useNewsWords } from './use-news-words'

/** Border before what came while nobody looked; tells when it is in view. */
export function NewsRow(props: { readonly sinceMs: number }) {
  const { unread } = useStores()
  const row = useRef<HTMLDivElement>(null)
  const words = useNewsWords(props.sinceMs)
  useEffect(() => {
    if (row.current === null) return
    const observer = new IntersectionObserver((seen) =>
      unread.getState().setBorderInView(seen.at(-1)?.isIntersecting === true),
    )
    observer.observe(row.current)
    return () => {
      observer.disconnect()
      unread.getState().setBorderInView(false)
    }
  }, [unread])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a thematic break has no text
    <div ref={row} className="news" role="separator" aria-label={words}>
      {words}
    </div>
  )
}
