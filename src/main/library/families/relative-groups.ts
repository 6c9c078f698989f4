import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { groupRelatives } from '../../../shared/model/family/blocking-keys'
import type { KnownRelative } from './family-cache'

/** The conversations that were read, grouped with those that may be their relatives. */
export class RelativeGroups {
  private readonly known: Map<LibraryKey, KnownRelative>
  /** Undefined until somebody asks, and again behind a change: grouping takes time that grows with all conversations. */
  private groups: ReadonlyMap<LibraryKey, readonly LibraryKey[]> | undefined

  constructor(known: ReadonlyMap<LibraryKey, KnownRelative> = new Map()) {
    this.known = new Map(known)
  }

  get all(): ReadonlyMap<LibraryKey, KnownRelative> {
    return this.known
  }

  get(key: LibraryKey): KnownRelative | undefined {
    return this.known.get(key)
  }

  /** Puts a conversation as it is now; returns true where it may belong to another group than before. */
  put(key: LibraryKey, now: KnownRelative): boolean {
    const before = this.known.get(key)
    this.known.set(key, now)
    const isSame = before !== undefined && before.signs.join('\n') === now.signs.join('\n')
    if (!isSame) this.groups = undefined
    return !isSame
  }

  drop(key: LibraryKey): void {
    this.known.delete(key)
    this.groups = undefined
  }

  /** Returns the group of a conversation: itself, and those that may be its relatives. */
  groupOf(key: LibraryKey): readonly LibraryKey[] {
    return this.groupMap().get(key) ?? [key]
  }

  /** Returns true where one of these may have a relative. */
  haveRelatives(keys: ReadonlySet<LibraryKey>): boolean {
    const groups = this.groupMap()
    return [...keys].some((key) => (groups.get(key)?.length ?? 1) > 1)
  }

  /** Returns all conversations that may have a relative. */
  related(): ReadonlySet<LibraryKey> {
    return new Set([...this.groupMap()].flatMap(([key, { length }]) => (length > 1 ? [key] : [])))
  }

  /** Lists the groups of two or more. */
  families(): readonly (readonly LibraryKey[])[] {
    return [...new Set(this.groupMap().values())].filter(({ length }) => length > 1)
  }

  private groupMap(): ReadonlyMap<LibraryKey, readonly LibraryKey[]> {
    if (this.groups !== undefined) return this.groups
    const keys = [...this.known.keys()]
    const groups = new Map<LibraryKey, readonly LibraryKey[]>()
    for (const group of groupRelatives([...this.known.values()].map(({ signs }) => signs))) {
      const members = group.flatMap((i) => keys[i] ?? [])
      for (const member of members) groups.set(member, members)
    }
    this.groups = groups
    return groups
  }
}
