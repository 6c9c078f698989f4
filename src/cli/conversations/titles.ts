import { openTitles, unreadTitlePart } from '../../main/library/families/titles'
import type { TitleStore } from '../../main/store/given-titles'
import { firstWords } from '../../shared/model/basics/first-words'
import { isGeneratedName } from '../../shared/model/basics/title'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import { type Entry, isWrittenByPerson, shownText } from '../../shared/model/conversation/entry'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import { type GivenContext, givenFiles } from './given-files'

/** Opens the titles that were given in Skein to conversations of a home and of other systems. */
export function openGivenTitles(context: GivenContext, home: string | undefined): TitleStore {
  return openTitles(givenFiles(context, home))
}

interface Titled {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly storedTitle?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly entries?: readonly Entry[] | undefined
}

/**
 * Gives conversations of one root the titles and tags that they were given; the others stay as they are.
 *
 * @param root where the conversations lie: of a context, its home
 * @param onGap gets each for which it is not known whether it has one
 */
export async function withGivenTitles<T extends Titled>(
  context: GivenContext,
  conversations: readonly T[],
  root: string,
  onGap: (part: UnreadPart) => void,
): Promise<readonly T[]> {
  // Where nothing could be read, that was reported already.
  if (conversations.length === 0) return conversations
  const titles = openGivenTitles(context, root)
  await titles.look()
  return conversations.map((one) => {
    const key = libraryKeyOf(one.source, one.key)
    const fault = titles.faultOf(key)
    if (fault !== undefined) onGap(unreadTitlePart(one.key, fault))
    const tags = titles.tagsOf(key)
    const tagged = tags.length === 0 ? one : { ...one, tags }
    const title = titles.of(key)?.title
    if (title != null) return { ...tagged, title, storedTitle: title }
    const words = isUnnamed(one) ? firstWordsIn(one.entries) : undefined
    return words === undefined ? tagged : { ...tagged, title: words }
  })
}

/** Whether nobody chose the name of a context: it is called by its first words, as in every list. */
function isUnnamed({ source, key }: Titled): boolean {
  return source === 'chibi' && isGeneratedName(key)
}

function firstWordsIn(entries: readonly Entry[] = []): string | undefined {
  const said = entries.find(isWrittenByPerson)
  return (said && firstWords(shownText(said))) || undefined
}
