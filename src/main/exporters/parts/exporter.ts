import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { LabelColor } from '../../../shared/model/conversation/label'
import type { FileLedger, TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { ExportBranches, ExportFormat } from '../../../shared/model/export'
import type { ForkRule } from '../../../shared/model/family/tree'
import type { SkeinExportEnd } from '../../../shared/model/skein-export'
import type { EntryLoss, LossFollower } from './loss'

/**
 * A conversation to be written: `skein read`'s shape, with its rows as a sequence, so that a huge one is never held
 * whole. Further keys are written by JSON as they are.
 */
export interface Exportable {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly project: string | null
  /** Those that a person gave it in Skein; absent where there are none. */
  readonly tags?: readonly string[] | undefined
  /** A person keeps it at the top of the library; absent where not. */
  readonly pinned?: true | undefined
  /** Given by a person; absent where none is. */
  readonly color?: LabelColor | undefined
  /** A person keeps it out of the library's list; absent where not. */
  readonly hidden?: true | undefined
  /** ISO 8601 in UTC. */
  readonly created: string | null
  readonly updated: string | null
  readonly models: readonly string[]
  readonly parent: { readonly key: string; readonly entries: number } | null
  /** The path to the current leaf; undefined where every entry is on it. */
  readonly active: readonly EntryId[] | undefined
  /** Entries and damaged lines, every branch, in file order. Taken once. */
  readonly rows: Iterable<TranscriptRow> | AsyncIterable<TranscriptRow>
  /** The ledgers of its files; asked for after the last row. */
  readonly files: () => readonly FileLedger[] | Promise<readonly FileLedger[]>
  /** The bytes that it was read from; undefined where they are not at hand. */
  readonly originals?: (() => AsyncIterable<Uint8Array>) | undefined
  /** First and last line of those bytes, parsed, where they are not at hand because it is redacted. */
  readonly told?: ToldByOriginals | undefined
}

/** First and last line of an export of Skein's that a conversation was read from. */
export interface EarlierExport {
  readonly head: JsonObject | undefined
  readonly end: SkeinExportEnd | undefined
}

/** Facts that the bytes of a conversation tell of it as a whole. */
interface ToldByOriginals {
  /** As `readEarlierExport` has it. */
  readonly earlier: (signal: AbortSignal) => Promise<EarlierExport | undefined>
  /** As `sourceMeta` has it. */
  readonly meta: () => Promise<JsonObject | undefined>
}

/** Options of an export. */
export interface ExportOptions {
  readonly branches: ExportBranches
  /** In the place of the conversation's own. */
  readonly title?: string | undefined
  /** Further conversations of the family, written after it where all branches are wanted; their `inherited` entries are not written twice. */
  readonly family?: readonly Exportable[] | undefined
  /** The name of the file, without folders, where there is one: a session has the id that stands in it. */
  readonly fileName?: string | undefined
  /** Where a session goes on, in the place of the project's folder; absolute. */
  readonly folder?: string | undefined
  /** The rule by which a place of it counts as a fork, where its entries have parents. */
  readonly forkRule?: ForkRule | undefined
  /** Parts of the conversation that are not among its rows; asked for behind the last one. */
  readonly missing?: (() => MissingParts) | undefined
}

/** Parts that an export has not, besides those for which its format has no place. */
interface MissingParts {
  /** Entries of the conversation, and its damaged lines, that were read. */
  readonly entries: number
  readonly damaged: number
  /** Entries that a person left out. */
  readonly leftOut: number
  /** Parts that could not be read. */
  readonly unread: number
  readonly isRedacted: boolean
  /** The times of entries are left out. */
  readonly withoutTimes: boolean
  /** The model's reasoning is left out of entries. */
  readonly withoutReasoning: boolean
}

/** Exporter of one format. */
export interface Exporter {
  readonly id: ExportFormat
  /** Without the dot; of `original` what most systems' files have. */
  readonly extension: string
  readonly mediaType: string
  /** Default, where nobody says. */
  readonly branches: ExportBranches
  /** The format says where a branch leaves. */
  readonly hasBranches: boolean
  /** The format has a place for the project's folder, or for this one. */
  readonly hasProject: boolean | ((project: string) => boolean)
  /** The format has a place for tags. */
  readonly hasTags?: true
  /** The format has a place for the colour of a conversation. */
  readonly hasColor?: true
  /** The file has the images of entries in it. */
  readonly hasImages?: true
  /** Those of messages that were sent from Skein too, which lie in their contexts' folders. */
  readonly hasKeptImages?: true
  /** Its results have their whole output where their system saved that beside the conversation; those of others what the model got. */
  readonly hasOutputs?: true
  /** The format has a place for labels of entries. */
  readonly hasLabels?: true
  /** The format has a place for the history's own metadata besides its title: see `sourceMeta`. */
  readonly hasMeta?: true
  /** The file is a new session of another program: one path, and never in the place of another file. */
  readonly isSession?: true
  /** Its pieces are a page in HTML, of which the file is made by printing: each time with the time of that in it. */
  readonly isPrinted?: true
  /** Entries are sorted by their times. */
  readonly isByTime?: boolean
  /** The name under which the format's own program finds the file; undefined where any will do. */
  fileName?(conversation: Pick<Exportable, 'created'>): string
  /** Names what of an entry has no place in the format; nothing else of it may be missing from the file. */
  lostOf(entry: Entry, conversation: Pick<Exportable, 'source'>): readonly EntryLoss[]
  /** Counts what an entry loses by the others, such as a call without a result. Absent where each stands for itself. */
  lossesBetween?(conversation: Pick<Exportable, 'created'>): LossFollower
  /**
   * The file in pieces, in order: text, which is encoded as UTF-8, or bytes. Holds one entry at a time, unless it says
   * otherwise.
   *
   * Stops with the signal's reason. Throws what `rows` or `originals` throw; nothing in a conversation makes it fail.
   */
  write(
    conversation: Exportable,
    options: ExportOptions,
    signal: AbortSignal,
  ): AsyncIterable<string | Uint8Array>
}

/**
 * Makes the input of an exporter from a conversation that was read whole. `files` are the ledgers of its own files,
 * `originals` gives its bytes.
 */
export function toExportable<
  Conversation extends Omit<Exportable, 'rows' | 'files'> & { readonly entries: readonly Entry[] },
>(
  conversation: Conversation,
  files: readonly FileLedger[],
  originals?: Exportable['originals'],
): Exportable {
  const { entries, ...head } = conversation
  return { ...head, rows: rowsInPlace(entries, files), files: () => files, originals }
}

/** Entries in their order, each damaged line before the first entry of its file that comes after it. */
function* rowsInPlace(
  entries: readonly Entry[],
  files: readonly FileLedger[],
): Generator<TranscriptRow> {
  const waiting = new Map(files.map((ledger) => [ledger.file, { ledger, next: 0 }]))
  const damagedBefore = function* (file: string, offset: number): Generator<TranscriptRow> {
    const place = waiting.get(file)
    if (place === undefined) return
    const { damaged, torn } = place.ledger
    for (; place.next < damaged.length; place.next++) {
      const line = damaged[place.next]
      if (line === undefined || line.offset >= offset) return
      const isTorn = torn && place.next === damaged.length - 1
      yield { type: 'damaged', damaged: { file, ...line, ...(isTorn ? { torn: true } : {}) } }
    }
  }
  let file: string | undefined
  for (const entry of entries) {
    if (file !== undefined && file !== entry.file) yield* damagedBefore(file, Infinity)
    file = entry.file
    yield* damagedBefore(file, entry.offset)
    yield { type: 'entry', entry }
  }
  for (const rest of waiting.keys()) yield* damagedBefore(rest, Infinity)
}
