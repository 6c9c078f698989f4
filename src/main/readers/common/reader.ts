import type { Entry, EntryId, LineSpan } from '../../../shared/model/conversation/entry'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import type { Reading, UnreadPart } from '../../../shared/model/conversation/reading'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { SavedOutputs } from '../../../shared/model/conversation/tool-results'
import type { DamagedLine, FileLedger } from '../../../shared/model/conversation/transcript'
import type { SubagentOrigin } from '../../../shared/model/family/family'
import type { ForkRule } from '../../../shared/model/family/tree'
import type { CountedKind } from '../../../shared/model/settings/source-roots'
import type { Disk, FileStat } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import type { RecordFormat } from '../../records/interface/record-format'
import type { Databases } from '../../sqlite/databases'
import type { BackupRule } from '../known/backup-rule'
import type { KnownFormat } from '../known/known-format'
import type { NamelessEntry, QuickCount, ValueMeaning } from './value-meaning'

/** A file that holds a conversation, or a part of one, as it was found. */
export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly bytes: number
  /** Unix milliseconds; undefined where it has no stat. */
  readonly mtimeMs: number | undefined
  /** Device and inode, so that a replacement of the same size and time is seen. */
  readonly identity?: string
  /** It is one document, such as a page of text, and not lines. */
  readonly isDocument?: true
  /** A suffix of the numbers of its lines in ids, where a conversation has several files: `L12@2025-08-02`. */
  readonly idSuffix?: string
  /**
   * The conversation as its lines name it, where several share the whole file and that is not its key: `meaningOf` gives
   * it as their `key`. Empty for the one whose file it is.
   */
  readonly lineKey?: string
  /**
   * In a file that several conversations share: the bytes from `offset`, where line number `line` begins, to `end` hold
   * every line of this one, and maybe lines of others.
   */
  readonly part?: { readonly offset: number; readonly line: number; readonly end: number }
  /** A text that is another one whenever the outputs that are saved for it are others; absent where there are none. */
  readonly outputs?: string
}

/** The title and times of a conversation, for a list. */
export interface Glance {
  readonly title: string
  readonly project: string | null
  /** ISO 8601 in UTC, or null where unknown. */
  readonly created: string | null
  readonly updated: string | null
}

/** A conversation under a root, by names, sizes and times. */
export interface SourceRef {
  readonly source: SourceId
  /** The folder that places are relative to; absolute. */
  readonly root: string
  /** Unique under the root. */
  readonly key: string
  /** In reading order; none where the store knows them (chibi). */
  readonly files: readonly SourceFile[]
  /** Its own ones, where it shares files. */
  readonly bytes: number
  /** Unix milliseconds: the newest of its files; undefined where it has none. */
  readonly updatedAtMs: number | undefined
  /** Its lines are not in time order: `read` sorts them, and pages are cut from that. */
  readonly isUnordered?: true
  /** Its entries have no parents, though others of its system have: it is read from its end. */
  readonly isLinear?: true
  /** The rule of its forks, where its reader's conversations have different ones: it counts before the reader's. */
  readonly forkRule?: ForkRule
  /** Its file was given by itself: what lies beside that is no part of the source. */
  readonly isAlone?: true
  /** Parts that could not be read when it was listed, and may hold lines of this conversation. */
  readonly unread?: readonly UnreadPart[]
  /** Its title in a file beside its own, which the listing has read. */
  readonly storedTitle?: string
  /** The result of `glanceAt`, where the listing has it: another short read is not needed. */
  readonly glance?: Glance
}

/** The facts of a conversation besides its entries. */
export interface ConversationFact {
  readonly key: string
  /** The title that people see. */
  readonly title: string
  /** The name that a person or the tool gave it, where the source keeps that. */
  readonly storedTitle?: string | undefined
  readonly project: string | null
  /** Unix seconds; undefined where only the entries can have it. */
  readonly createdAt: number | undefined
  /** Unix seconds of its last change, by the source's own record of it: a new title is one too. */
  readonly updatedAt?: number | undefined
  /**
   * The conversation that it was forked from, and how many leading entries both share; null where the unit alone cannot
   * tell: `joinFamilies` looks for it.
   */
  readonly parent: { readonly key: string; readonly entries: number } | null
  /** Keys that it had before: those that came of it then name it so. */
  readonly formerKeys?: readonly string[] | undefined
  /** For the conversation of a subagent: where it was called. */
  readonly subagentOf?: SubagentOrigin | undefined
}

/**
 * A piece of a source, in the order of the source. Every byte is part of one: of an entry, of a line that belongs to
 * the format and is none (`control`), of a blank or of a damaged one.
 */
export type SourceFact =
  | { readonly type: 'conversation'; readonly conversation: ConversationFact }
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'control'; readonly place: LineSpan }
  | { readonly type: 'blank'; readonly place: LineSpan }
  /** Comes before the entries that were recovered from it. */
  | { readonly type: 'damaged'; readonly damaged: DamagedLine }
  /**
   * Where a conversation with parents is now, after its entries: the first of these that is one of its entries. Without it,
   * the last entry that is not a subagent's.
   */
  | { readonly type: 'leaf'; readonly leaves: readonly EntryId[] }
  /** The end of a file; its ledger adds up. */
  | { readonly type: 'file'; readonly ledger: FileLedger }
  /** Something that was noticed, in one sentence. What could not be read is none: it is a gap in the reading. */
  | { readonly type: 'notice'; readonly notice: string }

/**
 * The files of a system as they are counted before anything is read, by the names on the way to them from a root (see
 * `Layout`); `beside` are files that only add to the size and the newest time.
 */
export type Footprint = Readonly<
  Partial<Record<CountedKind | 'beside', readonly (readonly (string | RegExp)[])[]>>
>

/** A file as it was just found. Plain data: it crosses to a thread. */
export interface SeenFile {
  /** Absolute. */
  readonly path: string
  readonly stat: FileStat
}

/**
 * A function that runs a reader's `lookInto` in threads, and resolves to what each file gave, in their order.
 * Undefined where the caller's thread does it better. Rejects where the signal aborted.
 */
export type LookElsewhere = (
  source: SourceId,
  files: readonly SeenFile[],
  signal: AbortSignal,
) => Promise<readonly unknown[] | undefined>

/** The reader of one source's format. A constant, one file or folder; see docs/adding-a-reader.md. */
export interface HistoryReader {
  /** Also the fixture folder's name. */
  readonly id: SourceId
  /** The format of its record files, for conversations that lie in documents or databases (main/records). */
  readonly recordFormat?: RecordFormat
  /** The formats of its record files, for conversations that lie in databases; made once for each thread. */
  readonly databaseFormats?: (databases: Databases) => readonly RecordFormat[]
  /** Its conversations come as exports: Skein keeps them in a folder of its own, and reads that. */
  readonly isImported?: true
  /** With `~` for the person's own folder. */
  readonly defaultRoots: readonly string[]
  /**
   * The environment variable that names another folder in place of the first of these, where the system has one; a list for
   * several of these, in their order, and in it a list where the first variable counts that is set.
   */
  readonly rootVariable?: string | readonly (string | readonly string[])[]
  /** The files that are counted before a person has allowed that anything is read; without it a root is only found. */
  readonly footprint?: Footprint
  /** Folders below a root where new files appear, to be watched before there are any. */
  readonly watchedFolders?: readonly string[]
  /** The files that are copied where a person has them backed up; left out for systems whose files are not. */
  readonly backup?: BackupRule
  /**
   * The conversations under a root: the tool's own folder, the folder of files inside it, or one file. Cheap: names, sizes
   * and times; where files are shared, a reading for the conversations that they hold. @throws AppError `unreadable`
   *
   * @param elsewhere reads files in threads that were never read
   */
  list(
    root: string,
    disk: Disk,
    signal: AbortSignal,
    elsewhere?: LookElsewhere,
  ): AsyncIterable<SourceRef>
  /**
   * Only for a system that keeps one conversation in several stores, which may lie under different roots: whether the first of
   * two copies of a conversation counts. The other one is not listed.
   */
  readonly isRicher?: (one: SourceRef, other: SourceRef) => boolean
  /**
   * Only for formats whose files `list` reads: the facts that it needs from reading each of these, one
   * after the other, as plain data that `list` alone understands; undefined for one that cannot be read. Rejects where
   * the signal aborted.
   */
  lookInto?(
    files: readonly SeenFile[],
    disk: Disk,
    signal: AbortSignal,
  ): Promise<readonly unknown[]>
  /**
   * Converts a value to its meaning, for formats of one JSON value a line: lets a file be read from its end and in pages. What only
   * earlier lines can tell (the name of the tool that answers) is left out.
   */
  readonly meaningOf?: AcceptValue<ValueMeaning>
  /** For search: `meaningOf` writes JSON anew, so that its numbers may be spelled otherwise than in the line. */
  readonly restatesNumbers?: true
  /** See `SearchDecoder`. */
  readonly keepsSigns?: true
  /** See `SearchDecoder`. */
  readonly joinsPieces?: true
  /** For search: the line of a result does not name its tool; the line of its call does. */
  readonly namesToolsEarlier?: true
  /** Types, fields and the newest version that it knows: what a file has beyond that is counted, and shown in Settings. */
  readonly known: KnownFormat
  /** Counts the result of `meaningOf` for a whole line, in a fraction of the time: it counts libraries of gigabytes. */
  readonly countOf?: QuickCount
  /**
   * Only for exports that come with files: reads the one that an image names by its id (`metadata.images`, `asset`), from the export
   * alone; undefined where it is not there, or has more than `most` bytes. Rejects with DiskError.
   */
  readAsset?(ref: SourceRef, id: string, disk: Disk, most: number): Promise<Uint8Array | undefined>
  /**
   * Only for a system that moves long outputs of tools out of its conversations: where they are. `meaningOf` and `read` name them
   * (`metadata.saved_output`), and read none of them.
   */
  readonly savedOutputs?: SavedOutputs
  /** The rule by which a place counts as a fork, for formats whose entries have parents; `every-child` unless told. */
  readonly forkRule?: ForkRule
  /** Reads the entries that a document's text is, for files that are no lines (`SourceFile.isDocument`). */
  readonly documentOf?: (text: string) => readonly NamelessEntry[]
  /**
   * Everything in a conversation as facts. Never writes, never throws on a bad line. The conversation comes first, after a
   * short read of its beginning: a caller that needs only a title stops there. Where not all of a file can be read it has a
   * gap. @throws AppError `unreadable`, `not-found`
   */
  read(ref: SourceRef, disk: Disk, signal: AbortSignal): Reading<SourceFact>
  /**
   * Only for formats whose files hold lines of several conversations: the ledger of every file under the root, and what
   * was noticed, with a gap for each that cannot be read. `read` then gives a conversation's own lines alone, and has
   * no ledger.
   *
   * @param isWanted which files are read, by absolute path: all unless told @throws AppError `unreadable`
   */
  accounts?(
    root: string,
    disk: Disk,
    signal: AbortSignal,
    isWanted?: (file: string) => boolean,
  ): Reading<SourceFact>
  /**
   * Returns what the system sends its model of a conversation now, where that is not simply its messages; from the entries
   * that `read` gives.
   */
  readonly modelView?: (entries: readonly Entry[]) => readonly ModelMessage[]
  /**
   * Reads what a person should know of a conversation by a short read of its ends: the notices of `read`, as far as that tells them.
   * @throws AppError `unreadable`, `not-found`
   */
  noticesOf?(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<readonly string[]>
  /** Returns true where the system no longer sends its model anything of a conversation, as of an archive; left out where unknown. */
  readonly isNeverSent?: (ref: SourceRef) => boolean
  /**
   * Only for formats whose first fact and last time take reading all of a conversation: both by one reading, as `glanceAt`
   * gives them. @throws AppError `unreadable`, `not-found`
   */
  glance?(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<Glance | undefined>
  /**
   * Only for formats in which a conversation may begin in another one's file and go on in its own: adds the parts of the
   * files before its own, or what is missing of them as `unread`. `list` gives its own file alone, in which it is found
   * and counted: what is in the other is found there. `read` gives all.
   * @throws AppError `unreadable`, `not-found`
   */
  withBeginning?(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<SourceRef>
  /**
   * Reads the first fact of `read`, by a short read; left out where that fact itself needs no more.
   * @throws AppError `unreadable`, `not-found`
   */
  beginning?(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<ConversationFact>
  /**
   * Reads the time of the last entry, in Unix seconds, by a short read of the conversation's end; undefined where none
   * there has one. Left out where entries have no times: then the file's own has to do.
   * @throws AppError `unreadable`, `not-found`
   */
  lastTime?(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<number | undefined>
}

/** Returns the rule by which a place of a conversation counts as a fork; undefined where all of its entries are one way. */
export function forkRuleOf(
  reader: Pick<HistoryReader, 'forkRule'>,
  ref: Pick<SourceRef, 'forkRule' | 'isLinear'>,
): ForkRule | undefined {
  return ref.isLinear === true ? undefined : (ref.forkRule ?? reader.forkRule)
}
