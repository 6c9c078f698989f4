import { useEffect, useRef } from 'react'
import { isRecordingKeys } from '../../ui/behaviour/keys'

/**
 * Returns a function that tells whether the key being handled is for a field that records keys, or is still held from there: no command
 * runs by it, also not by the one that it was given to a moment ago.
 */
export function useRecordedKeys(): () => boolean {
  const isRecorded = useRef(false)
  useEffect(() => {
    // Before all other listeners: the field lets none of its keys through to those of the window.
    const onKeyDown = (event: KeyboardEvent) => {
      if (isRecordingKeys(event)) isRecorded.current = true
      else if (!event.repeat) isRecorded.current = false
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return useRef(() => isRecorded.current).current
}
