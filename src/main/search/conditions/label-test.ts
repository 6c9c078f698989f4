import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { type EntryLabel, isSameEverywhere } from '../../../shared/model/conversation/entry-labels'
import { tagId } from '../../../shared/model/conversation/tag'

/** A condition on an entry's label. Sets and maps cross to workers as they are. */
export interface LabelTest {
  readonly type: 'label'
  /** Ids that mean one entry in every context, and the conversation that surely has it; undefined: any context may. */
  readonly everywhere: ReadonlyMap<string, LibraryKey | undefined>
  /** Ids of entries of one conversation alone. */
  readonly byKey: ReadonlyMap<LibraryKey, ReadonlySet<string>>
}

/** Makes the condition that an entry has a label of this word, the whole of it, in upper or lower case. */
export function labelTest(word: string, labels: readonly EntryLabel[]): LabelTest {
  const id = tagId(word)
  const everywhere = new Map<string, LibraryKey | undefined>()
  const byKey = new Map<LibraryKey, Set<string>>()
  for (const { key, entry, word: given, isAway } of labels) {
    const ofKey = byKey.get(key) ?? new Set()
    // Of two labels on one entry the later one counts.
    if (tagId(given) !== id) {
      if (isSameEverywhere(key, entry)) everywhere.delete(entry)
      else ofKey.delete(entry)
    } else if (isSameEverywhere(key, entry)) everywhere.set(entry, isAway ? undefined : key)
    else byKey.set(key, ofKey.add(entry))
  }
  return { type: 'label', everywhere, byKey }
}

/** Returns true where an entry has the label. */
export function hasLabel(
  { everywhere, byKey }: LabelTest,
  conversation: { readonly source: string; readonly key: string },
  entryId: string,
): boolean {
  const { source, key } = conversation
  if (source === 'chibi' && everywhere.has(entryId)) return true
  return byKey.get(libraryKeyOf(source, key))?.has(entryId) === true
}

/**
 * Returns a function that tells whether a conversation may hold an entry with the label: one in which it was given. Where that
 * conversation is not there any more, its copies may be in any context.
 */
export function labelScope(
  { everywhere, byKey }: LabelTest,
  conversations: readonly { readonly source: string; readonly key: string }[],
): (conversation: { readonly source: string; readonly key: string }) => boolean {
  const known = new Set<string>(conversations.map(({ source, key }) => libraryKeyOf(source, key)))
  const keys = new Set<string | undefined>([...everywhere.values(), ...byKey.keys()])
  const isInAny = [...everywhere.values()].some((key) => key === undefined || !known.has(key))
  return ({ source, key }) => keys.has(libraryKeyOf(source, key)) || (isInAny && source === 'chibi')
}
