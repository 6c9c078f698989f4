import type { BackgroundNotice } from '../../shared/ipc/app/background'

/** More is a flood; the oldest go. */
const most = 200
/** Of one notice; a stack or a page of a server is not read in a list. */
const mostCharacters = 2000

/** Sentences about what was put off or failed in the background since Skein was started, for a list that people can open. */
export interface BackgroundNotices {
  /** Takes down a sentence; the same one again counts up. */
  add(words: string): void
  /** The newest first. */
  list(): readonly BackgroundNotice[]
  /** Drops those up to this one. */
  dismiss(upTo: number): void
}

/** Makes an empty list. @param now Unix milliseconds @param changed hears the list after each change */
export function openBackgroundNotices(
  now: () => number,
  changed: (notices: readonly BackgroundNotice[]) => void,
): BackgroundNotices {
  let notices: readonly BackgroundNotice[] = []
  let lastId = 0

  return {
    add(text) {
      const words = Array.from(text.split('\n', 1)[0] ?? '')
        .slice(0, mostCharacters)
        .join('')
      if (words.trim() === '') return
      const before = notices.find((one) => one.words === words)
      const others = notices.filter((one) => one !== before)
      lastId += 1
      const notice = { id: lastId, atMs: now(), words, times: (before?.times ?? 0) + 1 }
      notices = [notice, ...others].slice(0, most)
      changed(notices)
    },
    list: () => notices,
    dismiss(upTo) {
      notices = notices.filter(({ id }) => id > upTo)
      changed(notices)
    },
  }
}
