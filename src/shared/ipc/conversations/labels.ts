import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { EntryLabel } from '../../model/conversation/entry-labels'
import { LabelColor } from '../../model/conversation/label'
import { EntryRef } from '../../model/family/branching'
import { call, event } from '../wire/primitives'

/** Calls and events of the labels that a person gives to entries. */
export const labelsContract = {
  /** All labels, as they are in the files now. */
  list: call(z.object({}), z.array(EntryLabel)),
  /**
   * Gives an entry a label in the place of its own; null takes it away. Resolves to the label that it had. Throws
   * `not-found`, `bad-argument` (no word, or too many labels), `read-only`, `disk-full`, `io`.
   */
  set: call(
    z.object({
      key: LibraryKey,
      at: EntryRef,
      label: z.object({ word: z.string().max(1000), color: LabelColor }).nullable(),
    }),
    EntryLabel.nullable(),
  ),
  /** Some labels are others now: ask for the list. */
  changed: event(z.object({})),
}
