/** What a recording tells while it is open. */
export type PlaybackChange =
  | { readonly type: 'position'; readonly ms: number }
  | { readonly type: 'duration'; readonly ms: number }
  | { readonly type: 'ended' }
  /** It cannot be read, or not be played. */
  | { readonly type: 'broke' }

/** Plays one recording at a time. */
export interface SoundPlayer {
  onChange: (change: PlaybackChange) => void
  open(url: string, fromMs: number, speed: number): void
  /** False where it cannot be played. */
  play(): Promise<boolean>
  pause(): void
  seek(ms: number): void
  setSpeed(speed: number): void
  /** Lets it go: nothing more is read, nothing more is told. */
  close(): void
}

/** The window's loudspeaker: one audio element that is not on the page. */
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
      // Before the element knows its length it keeps the place for then.
      if (fromMs > 0) element.currentTime = fromMs / 1000
    },
    async play() {
      try {
        await element.play()
        return true
      } catch (error) {
        // A pause, or another recording, that came before the first sound is no fault.
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
