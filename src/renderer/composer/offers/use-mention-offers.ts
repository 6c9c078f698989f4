import { FileText, Image, MessageSquare } from 'lucide-react'
import { type RefObject, useEffect, useMemo } from 'react'
import type { OfferedFile } from '../../../shared/model/attachments/mentions'
import { fold } from '../../../shared/model/basics/fold'
import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { useLibraryState, useMentions, useStores } from '../../state/context'
import { replaceTyped } from '../../ui/behaviour/replace-text'
import type { DraftAttachments } from '../images/use-images'
import type { CaretPart } from './caret-part'
import type { Offer, OfferGroup } from './offers'

/** Conversations that are offered: typing narrows them. */
const mostConversations = 8
const mostFiles = 20

/**
 * Returns files of the allowed folders and conversations for what is typed after an `@`. A file is attached when it is taken, and a
 * conversation asks which part is quoted; the name stays in the message.
 *
 * @param key the open conversation; undefined for one that is not there yet
 */
export function useMentionOffers(
  part: CaretPart | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  key: LibraryKey | undefined,
  attaching: DraftAttachments,
): readonly OfferGroup[] {
  const { mentions } = useStores()
  const files = useMentions((state) => state.files)
  const conversations = useLibraryState((state) => state.conversations)
  const query = part?.sign === '@' ? part.query : undefined
  useEffect(() => {
    if (query !== undefined) void mentions.getState().find(key, query)
  }, [mentions, key, query])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed and the lists make the offers
  return useMemo(() => {
    if (part === undefined || query === undefined) return []
    const name = (words: string) => {
      const { current } = field
      if (current !== null) replaceTyped(current, part.start, part.end, `${words} `)
    }
    const ofFile = (file: OfferedFile): Offer => ({
      id: `file ${file.path}`,
      typed: `@${file.name}`,
      about: file.folder,
      icon: /\.(?:png|jpe?g|gif|webp)$/i.test(file.name) ? Image : FileText,
      async take() {
        name(file.name)
        const read = await mentions.getState().readFile(key, file.path)
        if ('bytes' in read) attaching.attachGiven([read])
        else attaching.attachGiven([], read.message)
      },
    })
    const ofConversation = (one: ConversationSummary): Offer => ({
      id: `conversation ${one.key}`,
      typed: `@${one.title}`,
      about: [...(one.project == null ? [] : [one.project]), sourceLabel(one.source)].join(' · '),
      icon: MessageSquare,
      take() {
        name(`“${one.title}”`)
        mentions.getState().ask(one.key, one.title)
      },
    })
    return [
      { name: 'Files in allowed folders', offers: files.slice(0, mostFiles).map(ofFile) },
      { name: 'Conversations', offers: fittingRows(conversations, query, key).map(ofConversation) },
    ].filter(({ offers }) => offers.length > 0)
  }, [part?.start, part?.end, query, files, conversations, key, attaching.attachGiven])
}

/** Conversations whose title has what was typed, at the start of a word first; in the order of the library, the open one left out. */
function fittingRows(
  conversations: readonly ConversationSummary[],
  query: string,
  key: LibraryKey | undefined,
): readonly ConversationSummary[] {
  const wanted = fold(query)
  const [first, others]: [ConversationSummary[], ConversationSummary[]] = [[], []]
  for (const row of conversations) {
    if (row.key === key || row.gone === true) continue
    const title = fold(row.title)
    const at = title.indexOf(wanted)
    if (at < 0) continue
    if (at === 0 || title.includes(` ${wanted}`)) first.push(row)
    else others.push(row)
    if (first.length >= mostConversations) break
  }
  return [...first, ...others].slice(0, mostConversations)
}
