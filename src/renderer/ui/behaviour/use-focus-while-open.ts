import { useLayoutEffect, useRef } from 'react'
import { focusSoon, focusWhenDrawn } from './focus'

/**
 * Moves the focus into a view over the conversation when it opens, and back when it closes.
 *
 * @param enter sends the focus into the view
 * @param leaves tells, when the view has closed, that the focus goes elsewhere
 */
export function useFocusWhileOpen(enter: () => void, leaves: () => boolean): void {
  const latest = useRef({ enter, leaves })
  latest.current = { enter, leaves }
  useLayoutEffect(() => {
    const before = document.activeElement
    latest.current.enter()
    return () => {
      if (latest.current.leaves()) return
      if (before instanceof HTMLElement && before !== document.body && before.isConnected)
        // Elements under the view can take focus only once it is gone.
        focusWhenDrawn(() => before, { preventScroll: true })
      else focusSoon('composer')
    }
  }, [])
}
