import { Info, ListMusic } from 'lucide-react'
import { Fragment, memo, useEffect, useMemo, useState } from 'react'
import type { Entry } from '../../../shared/model/conversation/entry'
import { isSameTrack, type PlayedStatus, recordingKey, type Track } from '../../state/audio/audio'
import { useAudio, useStores, useTranscript } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'
import { Tooltip } from '../../ui/controls/Tooltip'
import { AudioSlider } from './AudioSlider'
import { type SpeechFacts, trackOf } from './speech'

/** Line with an entry's recording and the facts of its speech. */
export const SpeechLine = memo(function SpeechLine(props: {
  readonly itemKey: string
  readonly entry: Entry
  readonly speech: SpeechFacts
}) {
  const { itemKey, entry, speech } = props
  const key = useTranscript((state) => state.key)
  const track = useMemo(
    () =>
      key === undefined || speech.audio === undefined
        ? undefined
        : trackOf(key, itemKey, entry, speech.audio),
    [key, itemKey, entry, speech.audio],
  )
  const [isOpen, setOpen] = useState(false)
  const { error, facts } = speech
  // The player shows the length.
  const more = track === undefined ? facts : facts.filter(({ name }) => name !== 'Length')
  const hasMore = error !== undefined || more.length > 0
  if (track === undefined && speech.words.length === 0 && !hasMore) return null
  return (
    <>
      <div className="speech">
        {track !== undefined && <Player track={track} />}
        {speech.words.length > 0 && (
          <Tooltip text={speech.words.join('\n')}>
            <span className="speech-words cut">{speech.words.join(' · ')}</span>
          </Tooltip>
        )}
        {error !== undefined && <span className="err-t cut">{error}</span>}
        {hasMore && (
          <IconButton
            label={isOpen ? 'Hide how it was said' : 'Show how it was said'}
            icon={Info}
            size="medium"
            isExpanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isOpen && (
        <dl className="speech-facts">
          {error !== undefined && (
            <>
              <dt>Error</dt>
              <dd className="err-t">{error}</dd>
            </>
          )}
          {facts.map(({ name, value }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </>
  )
})

function Player(props: { readonly track: Track }) {
  const { track } = props
  const { audio } = useStores()
  const look = useAudio(({ looks }) => looks[recordingKey(track)])
  const phase = useAudio((state) => (isSameTrack(state.current, track) ? state.phase : 'rest'))
  const isPlayingAll = useAudio((state) => state.isPlayingAll && isSameTrack(state.current, track))
  useEffect(() => audio.getState().look(track), [audio, track])
  const isOn = phase === 'playing' || phase === 'loading'
  const isGone = look !== undefined && (!look.there || look.isBroken === true)
  return (
    <>
      <button
        type="button"
        className={`play ${isOn ? 'on' : ''}`}
        aria-label={isOn ? `Pause ${track.said}` : `Play ${track.said}`}
        onClick={() => audio.getState().toggle(track)}
      >
        <PlaySign isOn={isOn} />
      </button>
      {isGone ? (
        <MissingWords look={look} />
      ) : (
        <>
          <AudioSlider track={track} />
          <IconButton
            label={isPlayingAll ? 'Playing all from here' : 'Play all from here'}
            icon={ListMusic}
            size="medium"
            isPressed={isPlayingAll}
            onClick={() =>
              isPlayingAll ? audio.getState().stop() : audio.getState().playAllFrom(track)
            }
          />
        </>
      )}
    </>
  )
}

/** Sign of a play button: a triangle, or two bars while it plays. */
export function PlaySign(props: { readonly isOn: boolean }) {
  return (
    <svg className="play-sign" viewBox="0 0 16 16" aria-hidden="true">
      {props.isOn ? <path d="M4.5 3h2.5v10H4.5zM9 3h2.5v10H9z" /> : <path d="M5 3v10l8-5z" />}
    </svg>
  )
}

function MissingWords(props: { readonly look: PlayedStatus }) {
  const { look } = props
  const where = look.looked.join(' and ')
  const words = look.there
    ? 'The recording cannot be played'
    : look.reason === undefined
      ? 'The recording is missing'
      : `The recording cannot be opened: ${look.reason}`
  const full = look.there || where === '' ? words : `${words}. Looked for: ${where}`
  return (
    <Tooltip text={full}>
      <span className="speech-missing cut">{full}</span>
    </Tooltip>
  )
}
