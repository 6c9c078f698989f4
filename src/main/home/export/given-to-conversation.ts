import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Label, LabelColor } from '../../../shared/model/conversation/label'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { type LabelStore, unreadLabelPart } from '../../library/families/labels'
import { unreadTitlePart } from '../../library/families/titles'
import type { SourceRef } from '../../readers/common/reader'
import type { ReadConversation } from '../../readers/read-root'
import type { TitleStore } from '../../store/given-titles'

/** A conversation, under its library key where that is another one than its own key makes. */
interface NamedSource {
  readonly ref: Pick<SourceRef, 'source' | 'key'>
  readonly key?: LibraryKey | undefined
}

/** The facts of a conversation, with the title and tags that were given to it in Skein. */
export type ExportHead = Omit<ReadConversation, 'active' | 'entries'> & {
  readonly tags?: readonly string[] | undefined
  readonly pinned?: true | undefined
  readonly color?: LabelColor | undefined
  readonly hidden?: true | undefined
}

/** Returns the title and tags that were given in Skein, as far as there are any. */
export async function givenTo(
  { ref, key = libraryKeyOf(ref.source, ref.key) }: NamedSource,
  titles: Pick<
    TitleStore,
    'look' | 'of' | 'tagsOf' | 'isPinned' | 'colorOf' | 'isHidden' | 'faultOf'
  >,
  onGap: (part: UnreadPart) => void,
): Promise<Partial<ExportHead>> {
  await titles.look()
  const fault = titles.faultOf(key)
  if (fault !== undefined) onGap(unreadTitlePart(ref.key, fault))
  const tags = titles.tagsOf(key)
  const color = titles.colorOf(key)
  const title = titles.of(key)?.title
  return {
    ...(tags.length === 0 ? {} : { tags }),
    ...(titles.isPinned(key) ? { pinned: true as const } : {}),
    ...(color === undefined ? {} : { color }),
    ...(titles.isHidden(key) ? { hidden: true as const } : {}),
    ...(title == null ? {} : { title, storedTitle: title }),
  }
}

/** Function that gives the label of an entry. */
export type LabelOf = (entry: EntryId) => Label | undefined

/** Returns the labels of a conversation's entries as of now: one that is given meanwhile is in none of the readings. */
export async function labelsFor(
  { ref, key = libraryKeyOf(ref.source, ref.key) }: NamedSource,
  labels: Pick<LabelStore, 'look' | 'index' | 'faultOf'>,
  onGap: (part: UnreadPart) => void,
): Promise<LabelOf> {
  await labels.look()
  const fault = labels.faultOf(key)
  if (fault !== undefined) onGap(unreadLabelPart(ref.key, fault))
  const { index } = labels
  return (entry) => index.of(key, entry)
}
