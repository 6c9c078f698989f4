import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Outline } from '../../../shared/model/family/outline'
import type { ConversationUnit } from '../scan/conversation-units'

interface Running {
  readonly stamp: string
  readonly outline: Promise<Outline | undefined>
}

/** The readings of whole conversations that run now; all who ask for a conversation as it was listed share one. */
export class OutlineReadings {
  private readonly running = new Map<LibraryKey, Running>()

  has(key: LibraryKey): boolean {
    return this.running.has(key)
  }

  /** Returns the outline of the reading that runs, or begins one; one of an earlier listing goes on beside it. */
  share(
    { key, stamp }: ConversationUnit,
    read: () => Promise<Outline | undefined>,
  ): Promise<Outline | undefined> {
    const running = this.running.get(key)
    if (running?.stamp === stamp) return running.outline
    const outline = read().finally(() => {
      if (this.running.get(key)?.outline === outline) this.running.delete(key)
    })
    this.running.set(key, { stamp, outline })
    return outline
  }
}
