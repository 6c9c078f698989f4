import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryLabel } from '../../../shared/model/conversation/entry-labels'
import type { Label } from '../../../shared/model/conversation/label'
import type { EntryRef } from '../../../shared/model/family/branching'
import type { LabelStore } from '../../library/families/labels'
import type { Transcripts } from '../../library/transcripts'

/** Labels that a person gives to entries of any conversation. */
export interface HomeLabels {
  /** Lists all of them, as they are in the files now. */
  list(): Promise<readonly EntryLabel[]>
  /**
   * Gives an entry a label; undefined takes it away. Resolves to the label that it had.
   *
   * @throws AppError `not-found` no such conversation or entry, `bad-argument`, `read-only`, `disk-full`, `io`
   */
  set(key: LibraryKey, at: EntryRef, label: Label | undefined): Promise<EntryLabel | undefined>
}

interface HomeLabelsDeps {
  readonly given: Pick<LabelStore, 'look' | 'all' | 'set' | 'version'>
  readonly transcripts: () => Pick<Transcripts, 'page' | 'locate'>
  /** Some labels are others now. */
  readonly changed: () => void
}

/** Opens the labels of a home. Reads nothing yet. */
export function openHomeLabels({ given, transcripts, changed }: HomeLabelsDeps): HomeLabels {
  /** A rotation that goes on meanwhile moves a line to another file: then it is looked for from the beginning. */
  async function mustBeThere(key: LibraryKey, { entry, file, offset }: EntryRef): Promise<void> {
    const { page, locate } = transcripts()
    const near = await page(key, { around: { file, offset } }, 1).catch(() => undefined)
    const isNear = near?.rows.some((row) => row.type === 'entry' && row.entry.id === entry)
    if (isNear || (await locate(key, entry)) !== undefined) return
    const { key: name } = parseLibraryKey(key)
    throw new AppError('not-found', `"${name}" no longer has this entry.`)
  }

  return {
    async list() {
      await given.look()
      return given.all
    },
    async set(key, at, label) {
      // A label of what is gone can still be taken away.
      if (label !== undefined) await mustBeThere(key, at)
      const before = given.version
      try {
        return await given.set(key, at.entry, label)
      } finally {
        if (given.version !== before) changed()
      }
    },
  }
}
