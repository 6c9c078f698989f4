import type { QuickMessage } from '../../../shared/ipc/app/quick'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { CompletionStore } from '../run/completion'
import { type DraftsStore, newDraftPlace } from '../run/drafts'
import type { QueueStore } from '../run/queue'
import { sendNextQueued } from './follow-queue'

/** Stores that messages of the quick entry concern. */
export interface QuickMessageStores {
  readonly app: AppStore
  readonly drafts: DraftsStore
  readonly completion: CompletionStore
  readonly queue: QueueStore
}

/**
 * Takes every message of the quick entry that waits, and sends it: as the first of a conversation, or as the next of one of ours, after the
 * answer that is on its way. What is refused is in the draft of a new conversation then, or in the queue, with the reason there; a
 * draft that was there stays.
 *
 * @param open opens a conversation
 * @param openNew shows the form of a new conversation
 */
export async function sendQuickMessages(
  stores: QuickMessageStores,
  open: (key: LibraryKey) => void,
  openNew: () => void,
): Promise<void> {
  const { app, queue } = stores
  if (app.getState().status?.phase !== 'ready') return
  for (;;) {
    const message = await app.getState().takeMessage()
    if (message === undefined) return
    app.getState().closeSettings()
    const { key, text } = message
    if (key === undefined) await begin(stores, text, open, openNew)
    else {
      open(key)
      queue.getState().add(key, text, [])
      void sendNextQueued(stores, key)
    }
  }
}

async function begin(
  { completion, drafts }: QuickMessageStores,
  text: QuickMessage['text'],
  open: (key: LibraryKey) => void,
  openNew: () => void,
): Promise<void> {
  const { get, set } = drafts.getState()
  const before = get(newDraftPlace)
  const joined = before.text.trim() === '' ? text : `${before.text}\n\n${text}`
  // On the disk meanwhile: the quick entry has given it away, and the page may end before main has written it.
  set(newDraftPlace, { ...before, text: joined })
  const key = await completion.getState().beginBeside(text)
  if (key === undefined) return openNew()
  if (get(newDraftPlace).text === joined) set(newDraftPlace, before)
  open(key)
}
