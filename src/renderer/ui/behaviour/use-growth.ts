import { type RefObject, useLayoutEffect } from 'react'

/** Keeps a field as high as its text, within the limits of its style. */
export function useGrowth(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text makes the height
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    const grow = () => {
      element.style.height = '0'
      element.style.height = `${element.scrollHeight}px`
    }
    grow()
    let width = element.clientWidth
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return
      width = element.clientWidth
      grow()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [field, text])
}
