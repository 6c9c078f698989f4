import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ConversationCount } from '../count/count'
import type { ConversationFacts, ConversationListing } from './conversation-source'

/** What is known of a conversation without reading it again, as long as its stamp is the same. */
export interface KnownConversation {
  readonly stamp: string
  readonly source: ConversationSummary['source']
  readonly files: number
  readonly bytes: number
  readonly facts: ConversationFacts
  readonly count?: ConversationCount
  /** Its files were there, and are not any more. */
  readonly gone?: true
}

/** Whether a count is of all files: what could not be read may be readable later, without another stamp. */
export function isWholeCount(known: KnownConversation): boolean {
  return known.count?.files === known.files
}

/** A row from what is remembered, before anybody has looked at the disk. */
export function rememberedRow(
  key: LibraryKey,
  known: KnownConversation,
  running: boolean,
): ConversationSummary {
  const { source, bytes, facts } = known
  return {
    source,
    key,
    ...shownFacts(facts),
    bytes,
    lock: { state: 'free' },
    running,
    ...shownCount(known),
    ...(known.gone ? { gone: true } : {}),
  }
}

/** A row of a conversation that was looked at. */
export function listedRow(
  listed: ConversationListing,
  known: Pick<KnownConversation, 'facts' | 'count'>,
  running: boolean,
  unreadable: string | undefined,
): ConversationSummary {
  const { source, key, bytes, lock } = listed
  return {
    source,
    key,
    ...shownFacts(known.facts),
    bytes,
    lock,
    running,
    ...shownCount(known),
    ...(unreadable === undefined ? {} : { unreadable }),
  }
}

/** Newest first; what has no time comes last, by name. */
export function byUpdated(
  a: Pick<ConversationSummary, 'key' | 'updated'>,
  b: Pick<ConversationSummary, 'key' | 'updated'>,
): number {
  if (a.updated !== b.updated) return (b.updated ?? '') < (a.updated ?? '') ? -1 : 1
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** What is known, by `byUpdated`. */
export function inOrder(
  known: ReadonlyMap<LibraryKey, KnownConversation>,
): readonly (readonly [LibraryKey, KnownConversation])[] {
  return [...known]
    .map((pair) => ({ pair, key: pair[0], updated: pair[1].facts.updated }))
    .sort(byUpdated)
    .map(({ pair }) => pair)
}

function shownFacts({ title, project, created, updated }: ConversationFacts) {
  return { title, project, created, updated }
}

/** A part that could not be read counts as one damaged line at least: nobody can say how many it held. */
function shownCount({ count }: Pick<KnownConversation, 'count'>) {
  if (count === undefined) return {}
  return { entries: count.entries, damaged: count.damaged + count.unread.length }
}
