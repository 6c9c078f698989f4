import { useEffect, useState } from 'react'
import type { Sent } from '../../../shared/model/run/sent'
import { type Comparison, compareInSteps } from './compare'

/** Longest work before the window may respond. */
const sliceMs = 8

interface Made {
  readonly before: Sent
  readonly after: Sent
  readonly comparison: Comparison
}

/** Compares two requests in slices of 8 ms, so that the window responds between them; undefined until it is done. */
export function useComparison(before: Sent, after: Sent): Comparison | undefined {
  const [made, setMade] = useState<Made>()
  useEffect(() => {
    const steps = compareInSteps(before, after)
    let timer = setTimeout(work)
    function work(): void {
      const endMs = performance.now() + sliceMs
      do {
        const step = steps.next()
        if (step.done) {
          setMade({ before, after, comparison: step.value })
          return
        }
      } while (performance.now() < endMs)
      timer = setTimeout(work)
    }
    return () => clearTimeout(timer)
  }, [before, after])
  return made?.before === before && made.after === after ? made.comparison : undefined
}
