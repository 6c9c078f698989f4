import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { GivenImage } from '../../../shared/model/conversation/images'
import type { KeyValueStorage } from '../base/storage'

/** A message that goes out when the answer before it is whole. */
export interface QueuedMessage {
  readonly id: string
  readonly text: string
  /** Live in this window alone, as those of drafts do. */
  readonly images: readonly GivenImage[]
  /** Images that it had before the window was loaded again. */
  readonly lostImages: number
}

/**
 * Reason why the first message waits for a person. `editing` ends with the edit; `unsure`: the window was loaded again while it was
 * being sent; `no-images`: its images were not kept.
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

/** An edit that has not ended. */
export interface QueueEdit {
  readonly id: string
  readonly text: string
}

/** The messages that wait in one conversation, in the order in which they go out. */
export interface Queue {
  readonly messages: readonly QueuedMessage[]
  readonly hold?: QueueHold | undefined
  /** The first one is on its way to the disk. */
  readonly isSending?: boolean
  /** The message that is being edited, and what is written in its place so far. */
  readonly editing?: QueueEdit | undefined
  /** The browser's storage refused it: it lives until the window closes. */
  readonly isNotKept?: boolean
}

export interface QueueState {
  readonly queues: Readonly<Record<string, Queue>>
  /** Goes over to the queues of a home. */
  enter(home: string): void
  /** What waits; read from what was kept the first time. */
  get(key: string): Queue
  /** Adds a message at the end; the queue goes on by itself from now on. */
  add(key: string, text: string, images: readonly GivenImage[]): void
  /** Gives a message new words; it goes without images that were not kept then. */
  change(key: string, id: string, text: string): void
  remove(key: string, id: string): void
  /** Begins an edit, goes on with it, or ends it. While the first message is edited, it does not go out. */
  edit(key: string, edit: QueueEdit | undefined): void
  hold(key: string, reason: QueueHold): void
  release(key: string): void
  /** The first message, from now on being sent; undefined where none may go out now. */
  take(key: string): QueuedMessage | undefined
  /** Tells what came of the one that was taken. */
  settle(key: string, isSent: boolean): void
  move(from: string, to: string): void
  clear(key: string): void
}
export type QueueStore = StoreApi<QueueState>

const empty: Queue = { messages: [] }

const Kept = z.object({
  messages: z.array(z.object({ text: z.string(), images: z.int().nonnegative() })),
  isSending: z.boolean(),
})

/** Keeps messages that wait for the end of an answer, by conversation, over reloads and crashes. */
export function createQueueStore(kept: KeyValueStorage): QueueStore {
  let home: string | undefined
  let count = 0
  const newId = () => `queued-${++count}`
  /** What was kept, of conversations whose queue has not changed since. */
  const found = new Map<string, Queue>()
  const nameOf = (key: string) => `skein.queue:${home ?? ''}:${key}`

  function read(key: string): Queue {
    const values = parsed(kept.get(nameOf(key)))
    if (values === undefined || values.messages.length === 0) return empty
    const messages = values.messages.map(({ text, images }) => ({
      id: newId(),
      text,
      images: [],
      lostImages: images,
    }))
    return { messages, hold: values.isSending ? 'unsure' : 'reopened' }
  }

  function keep(key: string, { messages, isSending = false }: Queue): boolean {
    if (messages.length === 0) {
      kept.remove(nameOf(key))
      return true
    }
    const toKeep = messages.map(({ text, images, lostImages }) => ({
      text,
      images: images.length + lostImages,
    }))
    return kept.set(nameOf(key), JSON.stringify({ messages: toKeep, isSending }))
  }

  return createStore<QueueState>()((set, get) => {
    function put(key: string, change: Partial<Queue>): void {
      const { isNotKept: _, ...changed } = { ...get().get(key), ...change }
      const isNotKept = !keep(key, changed)
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

      add(key, text, images) {
        const message = { id: newId(), text, images, lostImages: 0 }
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
        // What held the first one back may not hold for the next; a person sends that one.
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
        // What becomes of one on its way is told under the name that it was sent by.
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
    return undefined // Somebody else's value under our name.
  }
}
