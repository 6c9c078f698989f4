import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { GivenImage } from '../../../shared/model/conversation/images'
import type { KeyValueStorage } from '../base/storage'
import { type AttachedText, textsFromStored, textsToStore } from './attached-texts'

/** Message that is sent when the answer before it is complete. */
export interface QueuedMessage {
  readonly id: string
  readonly text: string
  /** Not stored, like those of drafts. */
  readonly images: readonly GivenImage[]
  /** Stored with the text. */
  readonly files: readonly AttachedText[]
  /** Number of images that were lost in a reload of the window. */
  readonly lostImages: number
}

/**
 * Reason why the first message waits for a person. `editing` ends with the edit; `unsure`: the window was reloaded
 * while it was being sent; `no-images`: its images were not kept.
 */
export type QueueHold =
  | 'stopped'
  | 'failed'
  | 'unfinished'
  | 'refused'
  | 'reopened'
  | 'unsure'
  | 'no-images'
  | 'editing'

/** Edit of a queued message that has not ended. */
export interface QueueEdit {
  readonly id: string
  readonly text: string
}

/** Queue of one conversation, in the order of sending. */
export interface Queue {
  readonly messages: readonly QueuedMessage[]
  readonly hold?: QueueHold | undefined
  /** The first message is being written to the disk. */
  readonly isSending?: boolean
  /** The message that is being edited, with its new text so far. */
  readonly editing?: QueueEdit | undefined
  /** The browser's storage refused it: the queue is lost when the window closes. */
  readonly isNotKept?: boolean
}

/** State and actions of the store of queues. */
export interface QueueState {
  readonly queues: Readonly<Record<string, Queue>>
  /** Switches to the queues of a home. */
  enter(home: string): void
  /** Returns a queue; the first call reads the stored one. */
  get(key: string): Queue
  /** Appends a message and releases the queue. */
  add(
    key: string,
    text: string,
    images: readonly GivenImage[],
    files?: readonly AttachedText[],
  ): void
  /** Replaces the text of a message; it is then sent without its lost images. */
  change(key: string, id: string, text: string): void
  remove(key: string, id: string): void
  /** Begins, continues or ends an edit. The first message is not sent while it is edited. */
  edit(key: string, edit: QueueEdit | undefined): void
  hold(key: string, reason: QueueHold): void
  release(key: string): void
  /** Returns the first message and marks it as being sent; undefined where none may be sent now. */
  take(key: string): QueuedMessage | undefined
  /** Records whether the message that was taken was sent. */
  settle(key: string, isSent: boolean): void
  move(from: string, to: string): void
  clear(key: string): void
}
/** Store of queues. */
export type QueueStore = StoreApi<QueueState>

const empty: Queue = { messages: [] }

const Kept = z.object({
  messages: z.array(
    z.object({ text: z.string(), images: z.int().nonnegative(), files: z.unknown().optional() }),
  ),
  isSending: z.boolean(),
})

/** Makes the store of queues by conversation. Texts and text files are kept over reloads and crashes, images are not. */
export function createQueueStore(kept: KeyValueStorage): QueueStore {
  let home: string | undefined
  let count = 0
  const newId = () => `queued-${++count}`
  /** Stored queues that were read and have not changed since. */
  const found = new Map<string, Queue>()
  const nameOf = (key: string) => `skein.queue:${home ?? ''}:${key}`

  function read(key: string): Queue {
    const values = parsed(kept.get(nameOf(key)))
    if (values === undefined || values.messages.length === 0) return empty
    const messages = values.messages.map(({ text, images, files }) => ({
      id: newId(),
      text,
      images: [],
      files: textsFromStored(files),
      lostImages: images,
    }))
    return { messages, hold: values.isSending ? 'unsure' : 'reopened' }
  }

  function keep(key: string, { messages, isSending = false }: Queue): boolean {
    if (messages.length === 0) {
      kept.remove(nameOf(key))
      return true
    }
    const toKeep = messages.map(({ text, images, files, lostImages }) => ({
      text,
      images: images.length + lostImages,
      ...(files.length === 0 ? {} : { files: textsToStore(files) }),
    }))
    const isKept = kept.set(nameOf(key), JSON.stringify({ messages: toKeep, isSending }))
    // What was stored before may have been sent meanwhile.
    if (!isKept) kept.remove(nameOf(key))
    return isKept
  }

  return createStore<QueueState>()((set, get) => {
    function put(key: string, change: Partial<Queue>): void {
      const { isNotKept: was = false, ...before } = get().get(key)
      const changed = { ...before, ...change }
      // An edit and a hold are not stored.
      const isAsStored = Object.keys(change).every((name) => name === 'editing' || name === 'hold')
      const isNotKept = isAsStored ? was : !keep(key, changed)
      const queue = changed.messages.length === 0 ? empty : { ...changed, isNotKept }
      set(({ queues }) => ({ queues: { ...queues, [key]: queue } }))
    }

    return {
      queues: {},

      enter(path) {
        if (path === home) return
        home = path
        found.clear()
        set({ queues: {} })
      },

      get(key) {
        const known = get().queues[key]
        if (known !== undefined) return known
        // Read once: each reading gives new ids.
        const queue = found.get(key) ?? read(key)
        found.set(key, queue)
        return queue
      },

      add(key, text, images, files = []) {
        const message = { id: newId(), text, images, files, lostImages: 0 }
        put(key, { messages: [...get().get(key).messages, message], hold: undefined })
      },

      change(key, id, text) {
        const { messages } = get().get(key)
        put(key, {
          messages: messages.map((one) => (one.id === id ? { ...one, text, lostImages: 0 } : one)),
        })
      },

      remove(key, id) {
        const { messages, isSending, hold } = get().get(key)
        if (isSending && messages[0]?.id === id) return
        // The hold stays, though its reason may not apply to the next message: a person sends that one.
        put(key, { messages: messages.filter((one) => one.id !== id), hold })
      },

      edit: (key, editing) => put(key, { editing }),

      hold(key, reason) {
        if (get().get(key).messages.length > 0) put(key, { hold: reason })
      },

      release: (key) => put(key, { hold: undefined }),

      take(key) {
        const { messages, hold, isSending, editing } = get().get(key)
        const [first] = messages
        if (first === undefined || hold !== undefined || isSending) return undefined
        if (editing?.id === first.id || first.lostImages > 0) {
          put(key, { hold: editing?.id === first.id ? 'editing' : 'no-images' })
          return undefined
        }
        put(key, { isSending: true })
        return first
      },

      settle(key, isSent) {
        const { messages } = get().get(key)
        if (isSent) put(key, { messages: messages.slice(1), isSending: false })
        else put(key, { isSending: false, hold: 'refused' })
      },

      move(from, to) {
        const queue = get().get(from)
        if (queue.messages.length === 0) return
        // The outcome of a message being sent is reported under the old name.
        put(to, queue.isSending ? { ...queue, isSending: false, hold: 'unsure' } : queue)
        get().clear(from)
      },

      clear: (key) => put(key, { messages: [] }),
    }
  })
}

function parsed(text: string | undefined): z.infer<typeof Kept> | undefined {
  if (text === undefined) return undefined
  try {
    return Kept.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // A foreign value under this name.
  }
}
