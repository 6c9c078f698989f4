import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { RecordingStatus, recordingStatusUrl, recordingUrl } from './recording-status'
import { openSound, type SoundPlayer } from './sound-player'

export type { RecordingStatus } from './recording-status'

/** A recording of something that was said in a conversation. */
export interface Track {
  readonly key: LibraryKey
  /** The item of the transcript that shows it; with `key` it names the track. */
  readonly itemKey: string
  /** Its file's name, as the line has it. */
  readonly name: string
  /** As the line tells it; the recording itself knows better once it is open. */
  readonly durationMs: number | undefined
  /** "what was said at 10:30". */
  readonly said: string
}

export interface AudioState {
  /** The one that plays, waits or is about to play; one at a time. */
  readonly current: Track | undefined
  /** `failed`: it is not there, or cannot be played. */
  readonly phase: 'rest' | 'loading' | 'playing' | 'paused' | 'failed'
  readonly positionMs: number
  /** Of the current one; undefined while nobody knows. */
  readonly durationMs: number | undefined
  /** When one has ended the next one plays. */
  readonly isPlayingAll: boolean
  /** Times as fast as it was said. */
  readonly speed: number
  /** Those of the open transcript, in its order. */
  readonly tracks: readonly Track[]
  /** What came of looking for recordings, by the name of each recording. */
  readonly looks: Readonly<Record<string, RecordingStatus>>
  /** Takes note of what is open now: what plays goes on. */
  setTracks(tracks: readonly Track[]): void
  /** Looks whether a recording is there, once; nothing of it is read. */
  look(track: Track): void
  /** Plays a track, pauses it, or goes on with it. */
  toggle(track: Track): void
  /** Goes to a moment of a track; one that does not play waits there. */
  seek(track: Track, positionMs: number): void
  playAllFrom(track: Track): void
  /** To the next recording that is there, or the one before. */
  step(by: 1 | -1): void
  setSpeed(speed: number): void
  stop(): void
}
export type AudioStore = StoreApi<AudioState>

/** What the store asks outside of the window. */
export interface AudioDeps {
  openSound(): SoundPlayer
  /** Asks main for a recording. Never throws. */
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

/** The name under which `looks` has a track's recording. */
export function recordingKey({ key, name }: Pick<Track, 'key' | 'name'>): string {
  return `${key}\n${name}`
}

/** Whether two are the same track. */
export function isSameTrack(a: Track | undefined, b: Track): boolean {
  return a?.itemKey === b.itemKey && a.key === b.key
}

function durationIn(look: RecordingStatus | undefined): Pick<RecordingStatus, 'durationMs'> {
  return look?.durationMs === undefined ? {} : { durationMs: look.durationMs }
}

/** The recordings of the open conversation: which one plays, and which are there. */
export function createAudioStore(deps: AudioDeps = windowDeps): AudioStore {
  /** Made when the first one is played. */
  let sound: SoundPlayer | undefined
  /** Makes what an earlier track still tells void. */
  let request = 0
  /** The request whose recording is open. */
  let opened = 0

  return createStore<AudioState>()((set, get) => {
    async function lookFor(track: Track): Promise<RecordingStatus> {
      const url = recordingStatusUrl(track)
      const answer = url === undefined ? undefined : await deps.ask(url).catch(() => undefined)
      const told = RecordingStatus.safeParse(answer).data ?? { there: false, looked: [] }
      const name = recordingKey(track)
      // What the recording told of its length when it was open is better than nothing.
      const look = { ...durationIn(get().looks[name]), ...told }
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

    /** Opens a track at a moment; nothing else plays from now on. */
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
      // Somebody may have paused it meanwhile, or gone to another moment.
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

    /** What a recording itself tells of its length is kept. */
    function lasts(durationMs: number): void {
      const { current, looks } = get()
      if (current === undefined || durationMs <= 0) return
      const name = recordingKey(current)
      const look = looks[name] ?? { there: true, looked: [] }
      set({ durationMs, looks: { ...looks, [name]: { ...look, durationMs } } })
    }

    /** The recording stopped by itself: gone, or nothing that can be played. */
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

    /** Plays the next recording in a direction that is not known to be missing; false where there is none. */
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
        // Most conversations have none, and items come with every word that streams in.
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
