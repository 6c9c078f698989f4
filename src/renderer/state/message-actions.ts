import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { sendNextQueued } from './follow/follow-queue'
import { newDraftPlace } from './run/drafts'
import type { Stores } from './stores'

/** Actions with which a person writes to a conversation. */
export interface MessageActions {
  /** Sends a message; the draft is cleared when it is durable, and stays when it is refused. */
  send(key: LibraryKey, text: string): Promise<boolean>
  /** Sends a text other than the draft; the draft stays, with its images. */
  sendBeside(key: LibraryKey, text: string): Promise<boolean>
  /** Queues the message for after the present answer, and clears the draft. */
  enqueue(key: LibraryKey, text: string): void
  /** Ends the edit of a queued message, with the new text or unchanged; sends it where only the edit held it. */
  endEdit(key: LibraryKey, id: string, text: string | undefined): void
  /** Sends the first queued message now, whatever held it. */
  sendQueued(key: LibraryKey): void
  /** Begins a conversation with its first message. */
  begin(text: string): Promise<boolean>
}

/** Makes them over the stores; `open` opens the conversation that a first message began. */
export function createMessageActions(
  stores: Pick<Stores, 'transcript' | 'reading' | 'completion' | 'drafts' | 'queue'>,
  open: (key: LibraryKey) => void,
): MessageActions {
  const { transcript, reading, completion, drafts } = stores
  return {
    async send(key, text) {
      reading.getState().askForEnd()
      void transcript.getState().goToEnd()
      const isSent = await completion.getState().start(key, text)
      if (isSent) drafts.getState().clear(key)
      return isSent
    },

    async sendBeside(key, text) {
      reading.getState().askForEnd()
      void transcript.getState().goToEnd()
      return completion.getState().startBeside(key, text, { images: [], files: [] })
    },

    enqueue(key, text) {
      const images = drafts.getState().attached[key] ?? []
      stores.queue.getState().add(key, text, images, drafts.getState().textsAt(key))
      drafts.getState().clear(key)
      // The answer may have ended in the meantime.
      void sendNextQueued(stores, key)
    },

    endEdit(key, id, text) {
      const queue = stores.queue.getState()
      if (text !== undefined) queue.change(key, id, text)
      queue.edit(key, undefined)
      if (queue.get(key).hold !== 'editing') return
      queue.release(key)
      void sendNextQueued(stores, key)
    },

    sendQueued(key) {
      stores.queue.getState().release(key)
      void sendNextQueued(stores, key)
    },

    async begin(text) {
      const key = await completion.getState().begin(text)
      if (key === undefined) return false
      drafts.getState().clear(newDraftPlace)
      open(key)
      return true
    },
  }
}
