import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Returns the time in Unix ms, renewed every `tickMs`; it stops while `tickMs` is undefined. */
export function useNow(tickMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (tickMs === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [tickMs])
  return now
}

/** Returns true once `isOn` has been true for `delayMs`, so that short waits are never shown. */
export function useDelayedFlag(isOn: boolean, delayMs: number): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isOn) return setLong(false)
    const timer = setTimeout(() => setLong(true), delayMs)
    return () => clearTimeout(timer)
  }, [isOn, delayMs])
  return isOn && isLong
}

/** Returns the pixels of one rem, which include the text zoom. */
export function useRem(textZoom: number): number {
  const [rem, setRem] = useState(16)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom changes the root's font size
  useLayoutEffect(() => {
    setRem(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16)
  }, [textZoom])
  return rem
}

/** Follows the width of an element's content in pixels; 0 before it is drawn. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = of.current
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return width
}

/** Follows whether a media query matches. */
export function useMedia(query: string): boolean {
  const [isOn, setOn] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const follow = () => setOn(media.matches)
    follow()
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return isOn
}
