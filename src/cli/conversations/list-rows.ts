import type { ReadConversation } from '../../main/readers/read-root'
import type { BackupReason } from '../../shared/model/backup/backup'
import { firstWords } from '../../shared/model/basics/first-words'
import {
  type ConversationSummary,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { shownText, speakerOf } from '../../shared/model/conversation/entry'
import type { LabelColor } from '../../shared/model/conversation/label'
import { type Arguments, UsageError } from '../command/arguments'
import { type ConversationState, stateOf } from './conversation-state'
import type { ListedFamily } from './list-families'

/** One row of `list --json` (docs/command-line.md), on which scripts rely; the last two fields only where they are asked for. */
export interface ListedConversation {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly project: string | null
  /** Those that a person gave it in Skein; absent where there are none. */
  readonly tags?: readonly string[] | undefined
  /** A person keeps it at the top of the library; absent where not. */
  readonly pinned?: true | undefined
  /** Given by a person in Skein; absent where none is. */
  readonly color?: LabelColor | undefined
  /** A person keeps it out of the library's list; absent where not. */
  readonly hidden?: true | undefined
  /** The model that came in last; absent where no entry names one. */
  readonly model?: string | undefined
  readonly created: string | null
  readonly updated: string | null
  readonly entries: number
  readonly bytes: number
  readonly state: ConversationState
  /** Why it is read from a backup; absent for one that is not. */
  readonly backup?: BackupReason | undefined
  /** Its group, with `--group-by`; null where it belongs to none. */
  readonly group?: string | null
  /** Those that share its beginning, and what tells it from them; absent where there are none. */
  readonly family?: ListedFamily | undefined
  /** The first words of each message of a person. */
  readonly messages?: readonly Preview[]
  /** The conversation that it is a copy of up to its entry number `entries`. */
  readonly parent?: { readonly key: string; readonly entries: number } | null
}

interface Preview {
  readonly id: string
  readonly timestamp: number | null
  readonly text: string
}

/** Messages of a person that `--messages` shows without a number. */
export const usualPreviews = 3
const previewLength = 200

/** Returns the row of a conversation as the library has it. */
export function conversationRow(row: ConversationSummary): ListedConversation {
  const { source, key, title, project, tags, pinned, color, hidden, model } = row
  const { created, updated, entries, bytes } = row
  return {
    source,
    key: parseLibraryKey(key).key,
    title,
    project,
    ...(tags === undefined ? {} : { tags }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(color === undefined ? {} : { color }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(model === undefined ? {} : { model }),
    created,
    updated,
    entries: entries ?? 0,
    bytes,
    state: stateOf(row),
    ...(row.backup === undefined ? {} : { backup: row.backup }),
  }
}

/** Adds the family of a conversation, where it has one. */
export function withFamily(
  row: ListedConversation,
  family: ListedFamily | undefined,
): ListedConversation {
  return family === undefined ? row : { ...row, family }
}

/** Adds what the options ask for of a conversation that was read. @throws UsageError */
export function withMore(
  row: ListedConversation,
  args: Arguments,
  read: ReadConversation | undefined,
): ListedConversation {
  const count = previewCount(args)
  return {
    ...row,
    ...(count === undefined ? {} : { messages: read === undefined ? [] : previews(read, count) }),
    ...(args.flags.branches === undefined ? {} : { parent: read?.parent ?? null }),
  }
}

/** @throws UsageError */
function previewCount({ flags }: Arguments): number | undefined {
  const { messages } = flags
  if (messages === undefined) return undefined
  if (messages === '') return usualPreviews
  if (messages === 'all') return Number.POSITIVE_INFINITY
  const count = Number(messages)
  if (!Number.isInteger(count) || count < 0)
    throw new UsageError(`--messages needs a whole number or all, not "${String(messages)}".`)
  return count
}

/** The first messages of a person; of a copy the last ones, since it begins like the other. */
function previews(conversation: ReadConversation, count: number): readonly Preview[] {
  const said = conversation.entries.filter(
    (entry) => speakerOf(entry) === 'user' && entry.content.trim() !== '',
  )
  const shown =
    conversation.parent === null || count === 0 ? said.slice(0, count) : said.slice(-count)
  return shown.map((entry) => ({
    id: entry.id,
    timestamp: entry.timestamp,
    text: firstWords(shownText(entry), previewLength),
  }))
}
