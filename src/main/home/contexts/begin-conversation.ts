import { AppError } from '../../../shared/model/basics/errors'
import { generateName } from '../../../shared/model/basics/title'
import { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { RunId } from '../../../shared/model/run/run'
import type { RunRequest, Runs } from '../../llm/run/runs'
import type { Store } from '../../store/store'

/** Error of a start where somebody else has the name, or begins there this moment. */
const takenCodes: ReadonlySet<string> = new Set(['exists', 'busy', 'locked'])

/** First message of a conversation. */
export type FirstMessage = Pick<RunRequest, 'text' | 'entryId' | 'images' | 'files'>

/** A conversation that its first message began, and the run that answers it. */
export interface BegunConversation {
  readonly key: LibraryKey
  readonly runId: RunId
}

/**
 * Begins a conversation with its first message, in a context whose name is made of the day: a person gives a title, later.
 * Resolves when the message is durable and its row was sent, so that a window that opens it has its title.
 *
 * @param attempted hears each name before anything is written under it; where it rejects nothing is
 *
 * @throws AppError `no-model`, `no-key`, `disk-full`, `unreadable`, `bad-argument` (an image, a file): no message was written
 */
export async function beginConversation(
  deps: {
    readonly runs: Pick<Runs, 'start'>
    readonly store: Pick<Store, 'listContexts'>
    /** Reads the row of a context again, and sends it to whoever lists it. */
    readonly changed: (key: LibraryKey) => Promise<void>
    /** Unix milliseconds. */
    readonly now?: () => number
  },
  message: FirstMessage,
  attempted: (key: LibraryKey) => Promise<void> = async () => undefined,
): Promise<BegunConversation> {
  const { runs, store, changed, now = Date.now } = deps
  const taken = new Set((await store.listContexts()).map(({ name }) => name.toLowerCase()))
  for (;;) {
    const key = LibraryKey.parse(generateName(new Date(now()), taken))
    try {
      await attempted(key)
      const runId = await runs.start({ ...message, context: key, create: true })
      // A row that cannot be read fails no message that is on the disk.
      await changed(key).catch(() => undefined)
      return { key, runId }
    } catch (error) {
      if (!(error instanceof AppError) || !takenCodes.has(error.code)) throw error
      // Another process was quicker with this name, or something that is no context has it.
      taken.add(key)
    }
  }
}
