import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { RecordingStatus } from '../../../shared/model/conversation/recording'
import { type PlayedStatus, recordingStatusUrl, recordingUrl } from './recording-status'
import { openSound, type SoundPlayer } from './sound-player'

export type { PlayedStatus } from './recording-status'

/** Recording of an entry of a conversation. */
export interface Track {
  readonly key: LibraryKey
  /** The item of the transcript that shows it; with `key` it names the track. */
  readonly itemKey: string
  /** The name of its file, as in the source line. */
  readonly name: string
  /** As in the source line; the open recording replaces it. */
  readonly durationMs: number | undefined
  /** "what was said at 10:30". */
  readonly said: string
}

/** State and actions of the audio store. Times are in ms. */
export interface AudioState {
  /** The track that plays, is paused or is about to play. */
  readonly current: Track | undefined
  /** `failed`: the recording is missing, or cannot be played. */
  readonly phase: 'rest' | 'loading' | 'playing' | 'paused' | 'failed'
  readonly positionMs: number
  /** Of the current track; undefined while unknown. */
  readonly durationMs: number | undefined
  /** True where the next track follows when one ends. */
  readonly isPlayingAll: boolean
  /** Playback rate; 1 is the recorded speed. */
  readonly speed: number
  /** Tracks of the open transcript, in its order. */
  readonly tracks: readonly Track[]
  /** Status of the recordings that were checked, by `recordingKey`. */
  readonly looks: Readonly<Record<string, PlayedStatus>>
  /** Replaces the tracks; a track that plays continues. */
  setTracks(tracks: readonly Track[]): void
  /** Checks once whether a recording exists, without reading it. */
  look(track: Track): void
  /** Plays, pauses or resumes a track. */
  toggle(track: Track): void
  /** Moves to a time in a track; one that is not playing is opened and paused there. */
  seek(track: Track, positionMs: number): void
  playAllFrom(track: Track): void
  /** Plays the next or the previous track that is not known to be missing. */
  step(by: 1 | -1): void
  setSpeed(speed: number): void
  stop(): void
}
/** Store of the recordings of the open conversation and of playback. */
export type AudioStore = StoreApi<AudioState>

/** Dependencies of the audio store outside of the stores: the player, and requests to main. */
export interface AudioDeps {
  openSound(): SoundPlayer
  /** Asks main for the status of a recording. Never rejects. */
  ask(url: string): Promise<unknown>
}

const windowDeps: AudioDeps = {
  openSound,
  ask: (url) =>
    fetch(url).then(
      (response) => response.json(),
      () => undefined,
    ),
}

const atRest = {
  current: undefined,
  phase: 'rest',
  positionMs: 0,
  durationMs: undefined,
  isPlayingAll: false,
} as const

/** Returns the key of a track's recording in `looks`. */
export function recordingKey({ key, name }: Pick<Track, 'key' | 'name'>): string {
  return `${key}\n${name}`
}

/** Returns true where two tracks are of the same item of the same conversation. */
export function isSameTrack(a: Track | undefined, b: Track): boolean {
  return a?.itemKey === b.itemKey && a.key === b.key
}

function durationIn(status: PlayedStatus | undefined): Pick<PlayedStatus, 'durationMs'> {
  return status?.durationMs === undefined ? {} : { durationMs: status.durationMs }
}

/** Makes the store that plays the open conversation's recordings, one at a time, and knows which of them exist. */
export function createAudioStore(deps: AudioDeps = windowDeps): AudioStore {
  /** Made when the first track is played. */
  let sound: SoundPlayer | undefined
  /** Grows with each track: answers for an earlier one are dropped. */
  let request = 0
  /** The request whose recording is open. */
  let opened = 0

  return createStore<AudioState>()((set, get) => {
    async function lookFor(track: Track): Promise<RecordingStatus> {
      const url = recordingStatusUrl(track)
      const answer = url === undefined ? undefined : await deps.ask(url).catch(() => undefined)
      const reported = RecordingStatus.safeParse(answer).data ?? { there: false, looked: [] }
      const name = recordingKey(track)
      // A duration that the recording had when it was open stays unless main has one.
      const look = { ...durationIn(get().looks[name]), ...reported }
      set(({ looks }) => ({ looks: { ...looks, [name]: look } }))
      return look
    }

    function soundNow(): SoundPlayer {
      if (sound !== undefined) return sound
      const made = deps.openSound()
      sound = made
      made.onChange = (change) => {
        if (get().current === undefined) return
        if (change.type === 'position') set({ positionMs: change.ms })
        else if (change.type === 'duration') lasts(change.ms)
        else if (change.type === 'ended') ended()
        else void broke()
      }
      return made
    }

    /** Opens a track at a time in it and ends all other playback. */
    async function open(track: Track, positionMs: number, plays: boolean): Promise<void> {
      const mine = ++request
      sound?.close()
      const { durationMs } = track
      set({ current: track, phase: plays ? 'loading' : 'paused', positionMs, durationMs })
      const look = await lookFor(track)
      if (mine !== request) return
      const url = recordingUrl(track)
      if (!look.there || url === undefined) return fail()
      if (look.durationMs !== undefined) set({ durationMs: look.durationMs })
      // It may have been paused or moved meanwhile.
      const { phase, positionMs: from, speed } = get()
      soundNow().open(url, from, speed)
      opened = mine
      if (phase === 'loading') await play()
    }

    async function play(): Promise<void> {
      const mine = request
      if (opened !== mine) return set({ phase: 'loading' })
      set({ phase: 'playing' })
      const isPlaying = await soundNow().play()
      if (mine === request && !isPlaying && get().phase === 'playing') void broke()
    }

    /** Stores the duration that the open recording has. */
    function lasts(durationMs: number): void {
      const { current, looks } = get()
      if (current === undefined || durationMs <= 0) return
      const name = recordingKey(current)
      const look = looks[name] ?? { there: true, looked: [] }
      set({ durationMs, looks: { ...looks, [name]: { ...look, durationMs } } })
    }

    /** Handles a recording that stopped by itself: it is gone, or cannot be played. */
    async function broke(): Promise<void> {
      const { current } = get()
      if (current === undefined || get().phase === 'failed') return
      const mine = request
      const look = await lookFor(current)
      if (mine !== request) return
      if (look.there)
        set(({ looks }) => ({
          looks: { ...looks, [recordingKey(current)]: { ...look, isBroken: true } },
        }))
      fail()
    }

    function fail(): void {
      sound?.close()
      if (get().isPlayingAll && goBy(1)) return
      set({ phase: 'failed', isPlayingAll: false, positionMs: 0 })
    }

    function ended(): void {
      if (!get().isPlayingAll || !goBy(1)) get().stop()
    }

    /** Plays the next track in a direction that is not known to be missing; false where there is none. */
    function goBy(by: 1 | -1): boolean {
      const { tracks, current, looks } = get()
      const here = tracks.findIndex((track) => isSameTrack(current, track))
      if (here === -1) return false
      for (let at = here + by; at >= 0 && at < tracks.length; at += by) {
        const track = tracks[at]
        if (track === undefined || looks[recordingKey(track)]?.there === false) continue
        void open(track, 0, true)
        return true
      }
      return false
    }

    return {
      ...atRest,
      speed: 1,
      tracks: [],
      looks: {},
      setTracks(tracks) {
        // Most conversations have no tracks, and this runs with every delta.
        if (tracks.length > 0 || get().tracks.length > 0) set({ tracks })
      },
      look(track) {
        if (get().looks[recordingKey(track)] === undefined) void lookFor(track)
      },
      toggle(track) {
        const { current, phase } = get()
        if (!isSameTrack(current, track) || phase === 'failed') {
          set({ isPlayingAll: false })
          void open(track, 0, true)
        } else if (phase === 'playing' || phase === 'loading') {
          sound?.pause()
          set({ phase: 'paused' })
        } else if (phase === 'paused') void play()
      },
      seek(track, positionMs) {
        if (!isSameTrack(get().current, track)) {
          set({ isPlayingAll: false })
          void open(track, positionMs, false)
          return
        }
        if (opened === request) sound?.seek(positionMs)
        set({ positionMs })
      },
      playAllFrom(track) {
        const { current, phase } = get()
        set({ isPlayingAll: true })
        if (!isSameTrack(current, track) || phase === 'failed') void open(track, 0, true)
        else if (phase === 'paused') void play()
      },
      step(by) {
        goBy(by)
      },
      setSpeed(speed) {
        sound?.setSpeed(speed)
        set({ speed })
      },
      stop() {
        request++
        sound?.close()
        set(atRest)
      },
    }
  })
}
