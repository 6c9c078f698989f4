import type { BackupReason } from '../../../shared/model/backup/backup'
import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ConversationCount } from '../count/count-by-reading'
import type { ConversationFacts, ConversationListing } from './conversation-source'

/** The cached facts of a conversation, valid while its stamp is the same. */
export interface KnownConversation {
  readonly stamp: string
  readonly source: ConversationSummary['source']
  readonly files: number
  readonly bytes: number
  readonly facts: ConversationFacts
  readonly count?: ConversationCount
  /** Its files were there, and are not any more. */
  readonly gone?: true
  /** It was read from a backup, for this reason. */
  readonly backup?: BackupReason
}

/**
 * Returns true where a count covers all files: one that could not be read may be readable later, without another
 * stamp.
 */
export function isWholeCount(known: KnownConversation): boolean {
  return known.count?.files === known.files
}

/** Returns a row from cached facts, before the disk was scanned. */
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
    ...(known.backup === undefined ? {} : { backup: known.backup }),
    ...(known.gone ? { gone: true } : {}),
  }
}

/** Returns the row of a conversation that a scan found. */
export function listedRow(
  listed: ConversationListing,
  known: Pick<KnownConversation, 'facts' | 'count'>,
  running: boolean,
  unreadable: string | undefined,
): ConversationSummary {
  const { source, key, bytes, lock, backup } = listed
  return {
    source,
    key,
    ...shownFacts(known.facts),
    bytes,
    lock,
    running,
    ...shownCount(known),
    ...(backup === undefined ? {} : { backup }),
    ...(unreadable === undefined ? {} : { unreadable }),
  }
}

/** Compares rows, newest first; rows without a time come last, by key. */
export function byUpdated(
  a: Pick<ConversationSummary, 'key' | 'updated'>,
  b: Pick<ConversationSummary, 'key' | 'updated'>,
): number {
  if (a.updated !== b.updated) return (b.updated ?? '') < (a.updated ?? '') ? -1 : 1
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** Sorts cached conversations by `byUpdated`. */
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

/** A part that could not be read counts as one damaged line at least: how many it held is unknown. */
function shownCount({ count }: Pick<KnownConversation, 'count'>) {
  if (count === undefined) return {}
  const model = count.models.at(-1)
  return {
    entries: count.entries,
    damaged: count.damaged + count.unread.length,
    ...(model === undefined ? {} : { model }),
  }
}
