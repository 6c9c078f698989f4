/** A message in the tree that the roots of a store make. */
export interface StoreMessage {
  /** The blob that holds it. */
  readonly digest: string
  /**
   * The number of messages before it, and the beginning of its digest. No more of that: chats share blobs, such as the
   * prompt of the system, and the same id would make relatives of them.
   */
  readonly id: string
  /** The id of the message before it; null for the first. */
  readonly parent: string | null
}

/**
 * A tree of messages, of roots that are each a list of all messages so far: roots that begin with the same ones share
 * them. The messages of the root that was added first come first, in order, then what only others have.
 */
export class StoreTree {
  readonly messages: StoreMessage[] = []
  private readonly children = new Map<string, StoreMessage>()
  private readonly byId = new Map<string, StoreMessage>()
  private readonly counts = new Map<string, number>()

  /** Adds a root, and returns the id of its last message; undefined for an empty one. */
  add(digests: readonly string[]): string | undefined {
    let before: string | null = null
    for (const [depth, digest] of digests.entries()) {
      const place = placeOf(before, digest)
      const message: StoreMessage = this.children.get(place) ?? this.place(digest, before, depth)
      this.children.set(place, message)
      before = message.id
    }
    return before ?? undefined
  }

  /** Returns true for a root that begins as one that was added does. */
  begins([first]: readonly string[]): boolean {
    return first !== undefined && this.children.has(placeOf(null, first))
  }

  /** Returns the nearest of a message and those before it that passes; null where none does. */
  before(id: string | null, passes: (message: StoreMessage) => boolean): string | null {
    for (let at = id; at !== null; ) {
      const message = this.byId.get(at)
      if (message === undefined) return null
      if (passes(message)) return at
      at = message.parent
    }
    return null
  }

  private place(digest: string, parent: string | null, depth: number): StoreMessage {
    const wanted = `${depth + 1}-${digest.slice(0, 6)}`
    const count = (this.counts.get(wanted) ?? 0) + 1
    this.counts.set(wanted, count)
    const id = count === 1 ? wanted : `${wanted}.${count}`
    const message = { digest, id, parent }
    this.byId.set(id, message)
    this.messages.push(message)
    return message
  }
}

function placeOf(parent: string | null, digest: string): string {
  return `${parent ?? ''} ${digest}`
}
