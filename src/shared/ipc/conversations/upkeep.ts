import { z } from 'zod'
import { InboxItem, LibraryKey } from '../../model/conversation/conversation'
import { CheckedFile, PageText, Partitions } from '../../model/conversation/partitions'
import { call } from '../wire/primitives'

const Text = z.string().max(1_100_000)
const Key = z.object({ key: LibraryKey })

/**
 * Calls that check a context's files, and read or change its side files. All of them throw `not-found` where there is no
 * context of that name.
 */
export const upkeepContract = {
  /** The files of a transcript, and when the active one is archived. Throws `unreadable`. */
  partitions: call(Key, Partitions),
  /** Reads every file, and compares sealed ones with their seals. Throws `unreadable`, `cancelled`. */
  check: call(Key, z.array(CheckedFile)),
  cancelCheck: call(Key, z.void()),
  /** The end of `transcript.md`; null where there is none. Throws `unreadable`. */
  page: call(Key, PageText.nullable()),
  /** Makes it the one that chibi takes where none is named. Throws `read-only`, `disk-full`, `io`. */
  makeCurrent: call(Key, z.void()),
  /** `summary.md`; null where there is none. Throws `unreadable`. */
  readSummary: call(Key, z.object({ text: Text.nullable() })),
  /** Null removes it. Throws `busy` (a run goes on, or another text is there than `before`), `locked`, `disk-full`, `io`. */
  writeSummary: call(
    z.object({ key: LibraryKey, text: Text.nullable(), before: Text.nullable() }),
    z.void(),
  ),
  /** Null takes the message away. Throws `busy` (a run goes on, or it does not wait any more), `locked`, `disk-full`, `io`. */
  changeInbox: call(
    z.object({ key: LibraryKey, message: InboxItem, text: Text.nullable() }),
    z.void(),
  ),
  /** Puts back a message that was taken away. Throws as `changeInbox`. */
  putInbox: call(z.object({ key: LibraryKey, message: InboxItem }), z.void()),
}
