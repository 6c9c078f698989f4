import { SkipBack, SkipForward, Square } from 'lucide-react'
import { useEffect } from 'react'
import { isSameTrack } from '../../state/audio/audio'
import { useAudio, useStores, useTranscript } from '../../state/context'
import { Button, IconButton } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'
import type { ListItem } from '../items/use-items'
import { AudioSlider } from './AudioSlider'
import { PlaySign } from './SpeechLine'
import { tracksOf } from './speech'

const speeds = [1, 1.25, 1.5, 2]
/** Tracks before the last loaded one at which the next page is loaded, so that playback does not wait. */
const edgeTracks = 4

/** Player of the current track, at the transcript's foot; nothing while none plays. */
export function AudioBar(props: { readonly items: readonly ListItem[] }) {
  const { items } = props
  const { audio, reading } = useStores()
  useTracks(items)
  const track = useAudio((state) => state.current)
  const phase = useAudio((state) => state.phase)
  const isPlayingAll = useAudio((state) => state.isPlayingAll)
  const speed = useAudio((state) => state.speed)
  const tracks = useAudio((state) => state.tracks)
  if (track === undefined || phase === 'failed') return null
  const isOn = phase === 'playing' || phase === 'loading'
  const place = tracks.findIndex((one) => isSameTrack(track, one)) + 1
  const item = items.find((one) => one.type !== 'live' && one.key === track.itemKey)

  function show(): void {
    if (track === undefined || item === undefined || !('entry' in item)) return
    const { file, offset } = item.entry
    const place = { file, offset }
    const to = { key: track.key, place, marked: [], isJump: false, at: 'third' } as const
    reading.getState().land({ ...to, by: 'moving' })
  }
  const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
  return (
    <section className="audio-bar" aria-label="Player">
      <div className="audio-column">
        <div className="audio-buttons">
          <IconButton
            label="Recording before"
            icon={SkipBack}
            isDisabled={place <= 1}
            onClick={() => audio.getState().step(-1)}
          />
          <button
            type="button"
            className={`play ${isOn ? 'on' : ''}`}
            aria-label={isOn ? 'Pause' : 'Play'}
            onClick={() => audio.getState().toggle(track)}
          >
            <PlaySign isOn={isOn} />
          </button>
          <IconButton
            label="Next recording"
            icon={SkipForward}
            isDisabled={place === tracks.length}
            onClick={() => audio.getState().step(1)}
          />
        </div>
        <AudioSlider track={track} />
        <Button
          kind="ghost"
          isSmall
          tooltip="Show it in the transcript"
          isDisabled={item === undefined}
          onClick={show}
        >
          <span className="number">
            {formatCount(place)} of {formatCount(tracks.length)}
            {isPlayingAll ? ', playing all' : ''}
          </span>
        </Button>
        <Button
          kind="ghost"
          isSmall
          tooltip={`Speed; press for ${next}×`}
          onClick={() => audio.getState().setSpeed(next)}
        >
          <span className="number">{speed}×</span>
        </Button>
        <Button
          kind="ghost"
          isSmall
          icon={Square}
          className="audio-stop"
          onClick={() => audio.getState().stop()}
        >
          Stop
        </Button>
      </div>
    </section>
  )
}

/** Gives the tracks to the player, and stops it with the transcript. */
function useTracks(items: readonly ListItem[]): void {
  const { audio, transcript } = useStores()
  const key = useTranscript((state) => state.key)
  useEffect(() => {
    if (key !== undefined) audio.getState().setTracks(tracksOf(items, key))
  }, [audio, items, key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what plays belongs to the conversation that was open
  useEffect(
    () => () => {
      audio.getState().stop()
      audio.getState().setTracks([])
    },
    [audio, key],
  )
  const isNearEnd = useAudio(({ isPlayingAll, tracks, current }) => {
    const here = tracks.findIndex((track) => isSameTrack(current, track))
    return isPlayingAll && here >= tracks.length - edgeTracks
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may come that has no recordings
  useEffect(() => {
    const { run, after, loadAfter } = transcript.getState()
    if (isNearEnd && !run.atEnd && after.type === 'rest') void loadAfter()
  }, [isNearEnd, items, transcript])
}
