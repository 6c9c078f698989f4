import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { LabelColor } from '../../../shared/model/conversation/label'
import { tagId } from '../../../shared/model/conversation/tag'

/** Tags of conversations before a change, in their order. */
export type TagsBefore = ReadonlyMap<LibraryKey, readonly string[]>

/** Colours of conversations before a change. */
export type ColorsBefore = ReadonlyMap<LibraryKey, LabelColor | undefined>

/** Change of whole conversations that can be taken back. */
export type ReversibleChange =
  | {
      readonly type: 'pinned' | 'unpinned' | 'archived' | 'unarchived' | 'hidden' | 'unhidden'
    }
  /** Null takes the colour away. */
  | { readonly type: 'colored'; readonly color: LabelColor | null }
  | { readonly type: 'tagged' | 'untagged'; readonly tag: string }

/** Change that is made to several conversations at once. The system's trash gives back what is in it. */
export type SeveralChange =
  | ReversibleChange
  | { readonly type: 'trashed' }
  /** A tag comes back to its place among the others, as it was spelled. */
  | { readonly type: 'retagged'; readonly tag: string; readonly before: TagsBefore }
  /** Each gets the colour back that it had. */
  | { readonly type: 'recolored'; readonly before: ColorsBefore }

/** Returns true for a change after which the list that showed a conversation leaves it out. */
export function leavesList({ type }: SeveralChange): boolean {
  return ['hidden', 'unhidden', 'archived', 'unarchived', 'trashed'].includes(type)
}

/** Makes a change to one conversation. Throws what main refuses it with. */
export async function makeChange(api: Api, change: SeveralChange, key: LibraryKey): Promise<void> {
  switch (change.type) {
    case 'pinned':
    case 'unpinned':
      return api.tags.setPinned({ key, pinned: change.type === 'pinned' })
    case 'archived':
    case 'unarchived':
      return api.contexts.setArchived({ key, archived: change.type === 'archived' })
    case 'hidden':
    case 'unhidden':
      return api.tags.setHidden({ key, hidden: change.type === 'hidden' })
    case 'colored':
      return api.tags.setColor({ key, color: change.color })
    case 'recolored':
      return api.tags.setColor({ key, color: change.before.get(key) ?? null })
    case 'tagged':
      await api.tags.add({ key, tag: change.tag })
      return
    case 'untagged':
      await api.tags.remove({ key, tag: change.tag })
      return
    case 'retagged': {
      const before = change.before.get(key) ?? []
      const at = before.findIndex((one) => tagId(one) === tagId(change.tag))
      await api.tags.add({ key, tag: before[at] ?? change.tag, ...(at < 0 ? {} : { at }) })
      return
    }
    case 'trashed':
      return api.contexts.destroy({ key })
  }
}

/**
 * Returns the change that takes one back.
 *
 * @param before the tags that the conversations had
 * @param colors the colours that they had
 */
export function reverseOf(
  change: ReversibleChange,
  before: TagsBefore,
  colors: ColorsBefore,
): SeveralChange {
  switch (change.type) {
    case 'pinned':
      return { type: 'unpinned' }
    case 'unpinned':
      return { type: 'pinned' }
    case 'archived':
      return { type: 'unarchived' }
    case 'unarchived':
      return { type: 'archived' }
    case 'hidden':
      return { type: 'unhidden' }
    case 'unhidden':
      return { type: 'hidden' }
    case 'colored':
      return { type: 'recolored', before: colors }
    case 'tagged':
      return { type: 'untagged', tag: change.tag }
    case 'untagged':
      return { type: 'retagged', tag: change.tag, before }
  }
}
