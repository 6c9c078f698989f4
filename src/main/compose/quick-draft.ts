import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/model/basics/errors'
import { LibraryKey } from '../../shared/model/conversation/conversation'
import { EntryId } from '../../shared/model/conversation/entry'
import { type Disk, DiskError } from '../disk/interface/disk'
import { readSmallText } from '../disk/reading/read'
import { replaceFile } from '../disk/writing/atomic'
import { makeDurableFolder } from '../disk/writing/durable-folder'
import { moveAside } from '../disk/writing/move-aside'

const Draft = z.object({
  /** The id that the message's entry has, once it is sent. */
  id: EntryId,
  text: z.string(),
  /**
   * Where a message is being written, and its text then: set before its entry is, and gone once that is known to be there or not. `id` is the
   * entry's, where the draft has another one meanwhile; `begins` that the message was to make the conversation.
   */
  sending: z
    .object({
      key: LibraryKey,
      text: z.string(),
      id: EntryId.optional(),
      begins: z.boolean().optional(),
    })
    .optional(),
})

/** Draft of the quick entry of one home. */
export type QuickDraft = z.infer<typeof Draft>

/** File of a home's draft. */
export interface QuickDraftFile {
  /** Reads the draft, or begins an empty one; a damaged file is moved aside, and told. @throws AppError `unreadable` */
  read(): Promise<QuickDraft>
  /** Replaces the draft; durable on return. @throws AppError `disk-full`, `io` */
  write(draft: QuickDraft): Promise<void>
}

/** Twice the longest message, where each character needs six bytes. */
const mostBytes = 4 << 20

/** Returns an empty draft, under an id of its own. */
export function emptyDraft(text = ''): QuickDraft {
  return { id: EntryId.parse(randomUUID()), text }
}

/**
 * Opens the file of a draft; reads nothing yet.
 *
 * @param folder the folder of Skein's own files of this home; need not exist
 * @param note hears of a damaged file
 */
export function quickDraftFile(
  disk: Disk,
  folder: string,
  note: (words: string) => void,
): QuickDraftFile {
  const file = path.join(folder, 'quick-entry.json')

  async function damaged(): Promise<QuickDraft> {
    const kept = await moveAside(disk, file)
    if (kept !== undefined)
      note(`The draft of the quick entry could not be read; it is in ${kept}.`)
    return emptyDraft()
  }

  return {
    async read() {
      try {
        const text = await readSmallText(disk, file, mostBytes)
        if (text === undefined) return emptyDraft()
        return parsed(text) ?? (await damaged())
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        throw new AppError('unreadable', `The draft could not be read: ${error.message}.`, {
          cause: error,
        })
      }
    },
    async write(draft) {
      try {
        await makeDurableFolder(disk, folder)
        await replaceFile(disk, file, new TextEncoder().encode(JSON.stringify(draft)))
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        const isFull = error.code === 'no-space'
        throw new AppError(
          isFull ? 'disk-full' : 'io',
          `The draft is not saved: ${isFull ? 'the disk is full' : error.message}.`,
          { cause: error },
        )
      }
    },
  }
}

function parsed(text: string): QuickDraft | undefined {
  try {
    return Draft.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // No JSON; it is moved aside.
  }
}
