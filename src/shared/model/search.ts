import { z } from 'zod'
import { ConversationKey, LibraryKey } from './conversation/conversation'
import { EntryId, Role } from './conversation/entry'
import type { LabelColor } from './conversation/label'
import { SourceId } from './conversation/sources'
import type { SavedOutput, SavedOutputs } from './conversation/tool-results'
import type { EntryBranch, EntryPart } from './query/query-fields'

/** Text of an entry, of a conversation, or of a damaged line, in which a hit is. */
export const HitField = z.enum(['content', 'arguments', 'result', 'title', 'damaged'])
export type HitField = z.infer<typeof HitField>

/** One entry, or one title, that a query matches: one hit however often the words stand in it. */
export const SearchHit = z.object({
  source: SourceId,
  key: ConversationKey,
  /** Null where the title matched, or what a damaged line has beside its records. */
  entryId: EntryId.nullable(),
  field: HitField,
  /** The role of the speaker, where the source says so; absent for a title. */
  role: Role.optional(),
  /** The tool that was called, or that answered; absent where none is named. */
  tool: z.string().optional(),
  /** Counts from 1; null for a title. */
  line: z.int().positive().nullable(),
  /** The entry's own time in Unix seconds; null where it has none, and for a title. */
  timestamp: z.number().nullable(),
  /** A piece of the text, unchanged, around the first match. */
  snippet: z.string(),
  /** Where the query's words stand in the snippet: UTF-16 units, sorted, apart from one another. */
  ranges: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
  /** The source line: `file` as in `Entry`, bytes `offset` to `offset + length`. Absent for a title. */
  file: z.string().optional(),
  offset: z.int().nonnegative().optional(),
  length: z.int().nonnegative().optional(),
  /** How well it matches, the higher the better; in a search for the best hits alone. It means nothing beside hits of another query. */
  relevance: z.number().optional(),
  /** Other conversations that hold the same entry, inherited or copied; with its place there, where it was read. */
  also: z
    .array(
      z.object({
        source: SourceId,
        key: ConversationKey,
        entryId: EntryId.optional(),
        line: z.int().positive().optional(),
        file: z.string().optional(),
        offset: z.int().nonnegative().optional(),
        length: z.int().nonnegative().optional(),
      }),
    )
    .optional(),
})
export type SearchHit = z.infer<typeof SearchHit>

/** Segments of a search: all of them, those that were read, and those that were skipped. */
export const SearchCounts = z.object({
  /** Runs of entries with a filter of their own; what has no filter yet counts by its size. */
  total: z.int(),
  read: z.int(),
  /** Known not to hold a hit, or out of what the query asks for. */
  skipped: z.int(),
})
export type SearchCounts = z.infer<typeof SearchCounts>

/** Part of the library that a search reads: entries of these conversations, the inherited ones too, and no titles. */
export const SearchScope = z.object({
  conversations: z.array(LibraryKey).max(100_000),
  /** One entry alone, by the id that the conversation gives it. */
  entry: EntryId.optional(),
})
export type SearchScope = z.infer<typeof SearchScope>

/** Entries of one conversation in which hits are. */
export const HitPlaces = z.object({
  source: SourceId,
  key: ConversationKey,
  /** In the order of their lines; each as often as it has hits. */
  entries: z.array(EntryId),
})
export type HitPlaces = z.infer<typeof HitPlaces>

/** Order of hits; docs/command-line.md says what comes first. */
export const SearchOrder = z.enum(['newest', 'oldest', 'best'])
export type SearchOrder = z.infer<typeof SearchOrder>

/** Hits after which a search for the best ones ends: it looks at all, since any may be the best. */
export const mostComparedHits = 100_000

/** The answer to a query. */
export const SearchResult = z.object({
  /**
   * Newest first, if no other order was asked for: by the entry's time, else that of the newest conversation that holds it, then by
   * key and line. Oldest first: by that of the oldest one. Best first: by `relevance`, then the newest.
   */
  hits: z.array(SearchHit),
  /** Hits that were found; all there are when `complete`. */
  total: z.int(),
  segments: SearchCounts,
  /** False when a limit or a cancel ended the search before everything that may match, and can be read, was read. */
  complete: z.boolean(),
  /** False when the query has nothing that filters can be asked for, so that all text was read. */
  planned: z.boolean(),
  /** Files that could not be read, one sentence each. */
  notices: z.array(z.string()),
  /** Parts of the query that were not understood as a field, and what the field takes: a sentence each. Absent where there is nothing. */
  hints: z.array(z.string()).optional(),
  /** Of a search with a scope: the entry of every hit, also of those beyond the limit, by the conversation of the hit. */
  places: z.array(HitPlaces).optional(),
  elapsedMs: z.number(),
})
export type SearchResult = z.infer<typeof SearchResult>

/** Facts of an entry besides its text, which fields of a query ask for. */
export interface SearchFacts {
  /** Name of a message's writer. */
  readonly from?: string | undefined
  readonly model?: string | undefined
  /** Whose service spoke or heard it. */
  readonly provider?: string | undefined
  /** The folder of the entry's project. */
  readonly project?: string | undefined
  /** Emojis, as `plainEmoji` has them, with spaces between them. */
  readonly reaction?: string | undefined
}

/** Returns emojis without the characters that say how they are drawn, which no keyboard shows. */
export function plainEmoji(text: string): string {
  return text.replace(/[\ufe0e\ufe0f]/g, '')
}

/**
 * A text that can be found, with what fields of a query ask about it.
 *
 * A source line holds none (control), one, or several; a damaged one has its records and the rest. Tool arguments come decoded: `C:\x`, not `C:\\x`.
 */
export interface SearchableEntry {
  readonly entryId: string
  /** Unix seconds; null where the source has none. */
  readonly timestamp: number | null
  readonly field: Exclude<HitField, 'title'>
  readonly text: string
  readonly type: string
  readonly role?: Role | undefined
  /** The tool that was called, or that answered. */
  readonly tool?: string | undefined
  /** Its receiver: who was spoken to, or the tool that was called. */
  readonly to?: string | undefined
  /** Parts that it has beside its text; absent where there are none. */
  readonly has?: readonly EntryPart[] | undefined
  /** Only those that are known; absent where none is. */
  readonly facts?: SearchFacts | undefined
  /** Of calls and results, where `SearchDecoder.namesToolsEarlier`. */
  readonly toolCallId?: string | undefined
  /** The conversation, where one file holds entries of several. */
  readonly key?: string | undefined
  /** Its branch, where a search asks for it and it is known: decoders do not tell it. */
  readonly branch?: EntryBranch | undefined
  /** The file that has the output of a tool in the place of a part of the text; see `SearchDecoder.savedOutputs`. */
  readonly saved?: SavedOutput | undefined
}

/**
 * Turns one line of a file into the texts that can be found in it. Never throws: what is no entry has none.
 *
 * A text must stand in the line as it is, but for JSON's escapes, once or twice undone: what joins several pieces puts
 * something between them that is neither letter nor digit. So a line in whose bytes a word does not stand need not be
 * decoded.
 *
 * @param line without its line feed, bad UTF-8 replaced; a carriage return or byte order mark may be there
 * @param lineNumber counts from 1
 */
export type LineDecoder = (line: string, lineNumber: number) => readonly SearchableEntry[]

/** An entry of a file that is one document. */
export interface PlacedEntry extends SearchableEntry {
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** Decoder of one format's files for search: by line, or the whole document at once. */
export type SearchDecoder =
  | {
      readonly unit: 'line'
      readonly decode: LineDecoder
      /** Texts may be JSON that was written anew: its numbers may be spelled otherwise than in the line. */
      readonly restatesNumbers?: true
      /**
       * Texts have the spaces and signs of the line, but for JSON's escapes and what JSON has between values: what joins several
       * pieces is a line's end. Without it, nothing is known but letters and digits.
       */
      readonly keepsSigns?: true
      /** Texts may be joined of pieces of the line with nothing between: bytes show no word that stands in two of them. */
      readonly joinsPieces?: true
      /** The tool that answers is named by an earlier line alone: the call with the same `toolCallId`. */
      readonly namesToolsEarlier?: true
      /** Where outputs are that lie beside the conversation: they are read for files whose decoder's name says so (`savedDecoder`). */
      readonly savedOutputs?: SavedOutputs
    }
  /** A file that is one document, such as a JSON array: read whole, and again whole when it changes. */
  | { readonly unit: 'document'; readonly decode: (bytes: Uint8Array) => readonly PlacedEntry[] }

/** Names a decoder, since functions do not cross to a worker. */
export type DecoderName = string

/** Every decoder by name: workers have the same ones. */
export type SearchDecoders = Readonly<Record<DecoderName, SearchDecoder>>

const savedSign = '+'

/**
 * Makes the name of the decoder of a file with saved outputs. It is another one whenever they are others, so that the index of such a file is
 * built again.
 */
export function savedDecoder(decoder: DecoderName, outputs: string): DecoderName {
  return `${decoder}${savedSign}${outputs}`
}

/** A decoder, and whether the file has saved outputs, which are read with it. */
export interface FoundDecoder {
  readonly decoder: SearchDecoder
  readonly hasOutputs: boolean
}

/** Finds a decoder by its name; undefined where there is none of that name. */
export function decoderNamed(
  decoders: SearchDecoders,
  name: DecoderName,
): FoundDecoder | undefined {
  const at = name.indexOf(savedSign)
  const decoder = decoders[at < 0 ? name : name.slice(0, at)]
  return decoder === undefined ? undefined : { decoder, hasOutputs: at >= 0 }
}

/** A file that search reads. Its size and times are those of when it was listed: what came later is not read. */
export interface SearchFile {
  /** Absolute. */
  readonly path: string
  /** As hits name it: relative to the root. */
  readonly place: string
  readonly identity: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly decoder: DecoderName
  /** Where the file's own filter lies, if it has one. Absolute. */
  readonly filter?: string | undefined
  /** Where the conversation's own entries begin; those before are found in the conversation they were inherited from. */
  readonly own?: { readonly offset: number; readonly line: number } | undefined
  /** Where the conversation's lines stand in a file that has others as well; those between them are not its hits. */
  readonly part?:
    | { readonly offset: number; readonly line: number; readonly end: number }
    | undefined
  /** Stands behind the numbers of lines in ids of its entries, where a conversation has several files. */
  readonly idSuffix?: string | undefined
  /** The conversation as its lines name it (`SearchableEntry.key`), where that is not its key. */
  readonly lineKey?: string | undefined
  /** Conversations that inherited the entries that begin before `until`, a byte offset. */
  readonly heirs?: readonly {
    readonly source: SourceId
    readonly key: ConversationKey
    readonly until: number
  }[]
}

/** A conversation as search knows it. */
export interface SearchableConversation {
  readonly source: SourceId
  readonly key: ConversationKey
  /** The title that people see; found too. */
  readonly title: string
  /** Its own name, where another title was given: found as well. */
  readonly name?: string | undefined
  /** Those that a person gave it; fields of a query ask for them. */
  readonly tags?: readonly string[] | undefined
  /** Given by a person. */
  readonly color?: LabelColor | undefined
  /** Unix seconds: the place in time of its title, and of entries without a time. */
  readonly updated: number | null
  /** Unix seconds: an entry that several conversations hold is a hit of the oldest one. */
  readonly created?: number | undefined
  /** Why its files cannot be listed, in a sentence: the result says that they were not searched. */
  readonly unreadable?: string | undefined
  /** Parts of it that cannot be read, as far as they are known, a sentence each: they are not searched. */
  readonly unread?: readonly string[]
  /**
   * What the library reads its branches from, as plain data that the library alone understands. Absent for a conversation that has none
   * inside: all of its entries are on its current branch.
   */
  readonly tree?: unknown
  readonly files: readonly SearchFile[]
}
