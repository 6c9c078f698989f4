import type { CSSProperties } from 'react'
import { isSameTrack, recordingKey, type Track } from '../../state/audio/audio'
import { useAudio, useStores } from '../../state/context'
import { playTime } from './play-time'

/** Step of an arrow key. */
const stepMs = 1000

/** Slider with the position and duration of a recording, for pointer and arrow keys. */
export function AudioSlider(props: { readonly track: Track }) {
  const { track } = props
  const { audio } = useStores()
  const isCurrent = useAudio((state) => isSameTrack(state.current, track))
  const positionMs = useAudio((state) => (isCurrent ? state.positionMs : 0))
  const current = useAudio((state) => (isCurrent ? state.durationMs : undefined))
  const known = useAudio(({ looks }) => looks[recordingKey(track)]?.durationMs)
  const durationMs = current ?? known ?? track.durationMs
  const shownMs = Math.min(positionMs, durationMs ?? positionMs)
  const share = durationMs === undefined || durationMs === 0 ? 0 : shownMs / durationMs
  const of = durationMs === undefined ? '' : ` of ${playTime(durationMs)}`
  return (
    <>
      <input
        type="range"
        className={`audio-slider ${isCurrent ? '' : 'rest'}`}
        aria-label={`Position in ${track.said}`}
        aria-valuetext={`${playTime(shownMs)}${of}`}
        min={0}
        max={Math.max(stepMs, Math.ceil(durationMs ?? 0))}
        step={stepMs / 10}
        value={Math.round(shownMs)}
        disabled={durationMs === undefined}
        style={{ '--share': share } as CSSProperties}
        onChange={(event) => audio.getState().seek(track, Number(event.target.value))}
        onKeyDown={(event) => {
          const by = steps[event.key]
          if (by === undefined || durationMs === undefined) return
          event.preventDefault()
          const to = Math.max(0, Math.min(durationMs, shownMs + by * stepMs))
          audio.getState().seek(track, to)
        }}
      />
      <span className="audio-time number">
        {isCurrent && playTime(shownMs)}
        {isCurrent && durationMs !== undefined && ' / '}
        {durationMs !== undefined && playTime(durationMs)}
      </span>
    </>
  )
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}
