/** Change that a player reports of the open recording; times in ms. */
export type PlaybackChange =
  | { readonly type: 'position'; readonly ms: number }
  | { readonly type: 'duration'; readonly ms: number }
  | { readonly type: 'ended' }
  /** The recording cannot be read or played. */
  | { readonly type: 'broke' }

/** Player of one recording at a time; times in ms. */
export interface SoundPlayer {
  onChange: (change: PlaybackChange) => void
  open(url: string, fromMs: number, speed: number): void
  /** Resolves to false where it cannot be played. */
  play(): Promise<boolean>
  pause(): void
  seek(ms: number): void
  setSpeed(speed: number): void
  /** Closes the recording: no more is read, no more changes are reported. */
  close(): void
}

/** Opens a player over an audio element that is not part of the page. */
export function openSound(): SoundPlayer {
  const element = new Audio()
  let isOpen = false
  const tell = (change: PlaybackChange) => {
    if (isOpen) sound.onChange(change)
  }
  const sound: SoundPlayer = {
    onChange: () => {},
    open(url, fromMs, speed) {
      isOpen = true
      element.preload = 'auto'
      element.src = url
      element.defaultPlaybackRate = speed
      element.playbackRate = speed
      // Before it knows its duration, the element applies this later.
      if (fromMs > 0) element.currentTime = fromMs / 1000
    },
    async play() {
      try {
        await element.play()
        return true
      } catch (error) {
        // A pause or another recording before the first sound is no failure.
        return error instanceof DOMException && error.name === 'AbortError'
      }
    },
    pause: () => element.pause(),
    seek(ms) {
      element.currentTime = ms / 1000
    },
    setSpeed(speed) {
      element.defaultPlaybackRate = speed
      element.playbackRate = speed
    },
    close() {
      isOpen = false
      element.pause()
      element.removeAttribute('src')
      element.load()
    },
  }
  element.addEventListener('timeupdate', () =>
    tell({ type: 'position', ms: element.currentTime * 1000 }),
  )
  element.addEventListener('durationchange', () => {
    if (Number.isFinite(element.duration)) tell({ type: 'duration', ms: element.duration * 1000 })
  })
  element.addEventListener('ended', () => tell({ type: 'ended' }))
  element.addEventListener('error', () => tell({ type: 'broke' }))
  return sound
}
