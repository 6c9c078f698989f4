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
import { newDraftPlace, type ReadFiles } from '../../state/run-state'
import { replaceTyped } from '../../ui/behaviour/replace-text'
import type { DraftAttachments } from '../images/use-images'
import type { CaretPart } from './caret-part'
import type { Offer, OfferGroup } from './offers'
import type { FoundOffers } from './use-offer-box'

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
): FoundOffers {
  const { mentions } = useStores()
  const found = useMentions((state) => state.found)
  const conversations = useLibraryState((state) => state.conversations)
  const query = part?.sign === '@' ? part.query : undefined
  useEffect(() => {
    if (query !== undefined) void mentions.getState().find(key, query)
  }, [mentions, key, query])

  // Of an earlier word, or of another conversation's folders, none is offered.
  const answer = found?.key === key && found?.query === query ? found : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed and the lists make the offers
  const groups = useMemo((): readonly OfferGroup[] => {
    if (part === undefined || query === undefined) return []
    const name = (words: string) => {
      const { current } = field
      if (current !== null) replaceTyped(current, part.start, part.end, `${words} `)
    }
    async function readFile(path: string): Promise<ReadFiles> {
      const read = await mentions.getState().readFile(key, path)
      return 'bytes' in read ? { given: [read] } : { given: [], fault: read.message }
    }
    const ofFile = (file: OfferedFile): Offer => ({
      id: `file ${file.path}`,
      typed: `@${file.name}`,
      about: file.folder,
      icon: /\.(?:png|jpe?g|gif|webp)$/i.test(file.name) ? Image : FileText,
      take() {
        name(file.name)
        attaching.attachRead(readFile(file.path))
      },
    })
    const ofConversation = (one: ConversationSummary): Offer => ({
      id: `conversation ${one.key}`,
      typed: `@${one.title}`,
      about: [...(one.project == null ? [] : [one.project]), sourceLabel(one.source)].join(' · '),
      icon: MessageSquare,
      take() {
        name(`“${one.title}”`)
        mentions.getState().ask(key ?? newDraftPlace, one.key, one.title)
      },
    })
    return [
      {
        name: 'Files in allowed folders',
        offers: (answer?.files ?? []).slice(0, mostFiles).map(ofFile),
      },
      { name: 'Conversations', offers: fittingRows(conversations, query, key).map(ofConversation) },
    ].filter(({ offers }) => offers.length > 0)
  }, [part?.start, part?.end, query, answer, conversations, key, attaching.attachRead])
  return {
    groups,
    isPending: query !== undefined && answer === undefined,
    fault: answer?.isCut === true ? 'Not all folders were looked through.' : undefined,
  }
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
