import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { LabelColor } from '../../../shared/model/conversation/label'
import { withoutTag, withTag } from '../../../shared/model/conversation/tag'
import type { Library } from '../../library/library'
import type { Titled, Titling } from '../../llm/titles'
import type { TitleStore } from '../../store/given-titles'

/** Titles, tags, pins and colours that people give to conversations of any system, and titles that a model gives. */
export interface HomeTitles {
  /** Gives a person's title; null takes it away. @throws AppError `not-found`, `bad-argument`, `read-only`, `disk-full`, `io` */
  set(key: LibraryKey, title: string | null): Promise<void>
  /** Returns what a model would be sent, and where. @throws AppError `not-found`, `unreadable`, `no-model`, `no-key` */
  preview: Titling['preview']
  /** Has a model give a title, one question at a time for a conversation. @throws AppError `busy`, `not-found`, `unreadable`, `no-model`, `no-key` */
  ask(key: LibraryKey): Promise<Titled>
  /** Stops a question. Does nothing where there is none. */
  cancel(key: LibraryKey): void
  /** Resolves to all tags of the conversation. @param at its place among them; last without it @throws AppError `not-found`, `bad-argument`, `read-only`, `disk-full`, `io` */
  addTag(key: LibraryKey, tag: string, at?: number): Promise<readonly string[]>
  /** Resolves to the tags that are left. @throws AppError as `addTag` */
  removeTag(key: LibraryKey, tag: string): Promise<readonly string[]>
  /** Pins a conversation to the top of the library, or takes the pin away. @throws AppError as `addTag` */
  setPinned(key: LibraryKey, isPinned: boolean): Promise<void>
  /** Gives a conversation a colour; null takes it away. @throws AppError as `addTag` */
  setColor(key: LibraryKey, color: LabelColor | null): Promise<void>
  /** Leaves a conversation out of the library's list, or no longer. @throws AppError as `addTag` */
  setHidden(key: LibraryKey, isHidden: boolean): Promise<void>
}

/** The same, for who closes the home. */
export interface OpenTitles extends HomeTitles {
  /** Stops all questions; resolves when nobody waits for an answer any more. */
  close(): Promise<void>
}

interface HomeTitlesDeps {
  readonly library: () => Pick<Library, 'find'>
  readonly given: Pick<TitleStore, 'changeTags' | 'setPinned' | 'setColor' | 'setHidden'>
  readonly titling: Pick<Titling, 'set' | 'preview' | 'ask'>
  /** A conversation has another title, or other tags: its row makes an event, and its family and search follow. */
  readonly changed: (key: LibraryKey) => Promise<void>
}

interface Question {
  readonly controller: AbortController
  readonly ended: Promise<unknown>
}

/** Opens the titles of a home. Asks no model before somebody says so. */
export function openHomeTitles({ library, given, titling, changed }: HomeTitlesDeps): OpenTitles {
  const questions = new Map<LibraryKey, Question>()

  async function mustBeThere(key: LibraryKey): Promise<void> {
    if ((await library().find(key)) === undefined)
      throw new AppError('not-found', `There is no conversation "${parseLibraryKey(key).key}".`)
  }

  async function changeTags(
    key: LibraryKey,
    next: (now: readonly string[]) => readonly string[],
  ): Promise<readonly string[]> {
    await mustBeThere(key)
    const tags = await given.changeTags(key, next)
    await changed(key)
    return tags
  }

  return {
    async set(key, title) {
      await mustBeThere(key)
      await titling.set(key, title)
      await changed(key)
    },
    async preview(key) {
      await mustBeThere(key)
      return titling.preview(key)
    },
    async ask(key) {
      if (questions.has(key)) throw new AppError('busy', 'The model is being asked already.')
      const controller = new AbortController()
      const asking = mustBeThere(key).then(() => titling.ask(key, true, controller.signal))
      questions.set(key, { controller, ended: asking.catch(() => undefined) })
      try {
        const end = await asking
        if (end.outcome === 'titled' || end.outcome === 'kept') await changed(key)
        return end
      } finally {
        questions.delete(key)
      }
    },
    cancel: (key) => questions.get(key)?.controller.abort(),
    addTag: (key, tag, at) => changeTags(key, (now) => withTag(now, tag, at)),
    removeTag: (key, tag) => changeTags(key, (now) => withoutTag(now, tag)),
    async setPinned(key, isPinned) {
      await mustBeThere(key)
      await given.setPinned(key, isPinned)
      await changed(key)
    },
    async setColor(key, color) {
      await mustBeThere(key)
      await given.setColor(key, color ?? undefined)
      await changed(key)
    },
    async setHidden(key, isHidden) {
      await mustBeThere(key)
      await given.setHidden(key, isHidden)
      await changed(key)
    },
    async close() {
      const all = [...questions.values()]
      for (const { controller } of all) controller.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
