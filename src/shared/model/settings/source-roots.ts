import { z } from 'zod'
import { countWithNoun, plural } from '../basics/plural'
import { SourceId, sourceLabel } from '../conversation/sources'

/** Longest path that is taken; Linux allows 4,096 bytes, Windows 32,767 characters. */
const longestPath = 32_767

/** A place where a history system keeps its conversations: a folder or a file. */
export const SourceRoot = z.object({
  source: SourceId,
  /** Absolute; need not exist. */
  path: z.string().min(1).max(longestPath),
})
export type SourceRoot = z.infer<typeof SourceRoot>

/** `default`: where a system leaves its histories by itself. `added`: by a person, in Settings. `given`: with `--root`. */
export const RootOrigin = z.enum(['default', 'added', 'given'])
export type RootOrigin = z.infer<typeof RootOrigin>

/** `newestMs`: when a file of them changed last, in Unix milliseconds; absent where no file has a time. */
const found = { conversations: z.int(), bytes: z.number(), newestMs: z.number().optional() }

/** Kinds of files that are counted before anything is read. */
export const CountedKind = z.enum(['conversation', 'database', 'day', 'file', 'export'])
export type CountedKind = z.infer<typeof CountedKind>

/** Files under a root by their names, sizes and times: nothing in them was read. Kinds without files are left out. */
export const CountedFiles = z.object({
  counts: z.array(z.object({ kind: CountedKind, count: z.int().positive() })),
  bytes: z.number(),
  /** Unix milliseconds; absent without files. */
  newestMs: z.number().optional(),
})
export type CountedFiles = z.infer<typeof CountedFiles>

const counted = { counted: CountedFiles.optional() }

/** State of a root, and what was found in it. */
export const RootState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('off'), ...counted }),
  /** Not read yet; `isThere` where it was found, and its files cannot be counted. */
  z.object({ type: z.literal('waiting'), ...counted, isThere: z.literal(true).optional() }),
  /** With what was found so far. */
  z.object({ type: z.literal('looking'), ...found }),
  z.object({ type: z.literal('found'), ...found }),
  /** Looking was stopped: there may be more than this. */
  z.object({ type: z.literal('stopped'), ...found }),
  z.object({ type: z.literal('missing') }),
  z.object({ type: z.literal('unreadable'), why: z.string() }),
])
export type RootState = z.infer<typeof RootState>

/** The backup of a root's files. */
export const RootBackup = z.object({
  /** Whether new files are copied. */
  isOn: z.boolean(),
  isRunning: z.boolean(),
  files: z.int(),
  bytes: z.number(),
  /** Of these bytes, those that took no space of their own when they were copied. */
  sharedBytes: z.number(),
  /** Files that are earlier versions. */
  earlier: z.int(),
  /** Copies whose originals are not there any more; null before the first backup since the start. */
  gone: z.int().nullable(),
  /** Days after which the system deletes conversations by itself; null where it is not known to. */
  deletesAfterDays: z.int().nullable(),
  /** Why not everything was copied, a sentence; null where all was. */
  problem: z.string().nullable(),
})
export type RootBackup = z.infer<typeof RootBackup>

/** Root as the settings view shows it. */
export const SourceRootView = SourceRoot.extend({
  /** The system's name for people. */
  label: z.string(),
  /** The path as people write it: `~/.cycod`. */
  shown: z.string(),
  origin: RootOrigin,
  state: RootState,
  /** Null where its system's files cannot be backed up. */
  backup: RootBackup.nullable(),
})
export type SourceRootView = z.infer<typeof SourceRootView>

/** Origin of the list of roots: Settings, or an option with which Skein was started; then Settings change nothing. */
export const RootsFrom = z.enum(['settings', 'root-option', 'home-option', 'sample'])
export type RootsFrom = z.infer<typeof RootsFrom>

/** Progress of an import; no bytes are known while it is looked at. */
export const ImportingView = z.object({
  name: z.string(),
  bytes: z.number(),
  totalBytes: z.number(),
})
export type ImportingView = z.infer<typeof ImportingView>

/** The roots of other systems, and what is under them. */
export const SourcesView = z.object({
  from: RootsFrom,
  roots: z.array(SourceRootView),
  /** Every system that is read, in the order of the readers. */
  systems: z.array(z.object({ source: SourceId, label: z.string() })),
  /** During a scan: how many files were seen. */
  looking: z.object({ files: z.int() }).nullable(),
  /** The export that is imported now. */
  importing: ImportingView.nullable(),
  /** Entries of settings.json that were not understood, one sentence each. */
  faults: z.array(z.string()),
})
export type SourcesView = z.infer<typeof SourcesView>

/** Answer to adding a folder or a file that a person picked. */
export const AddAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancelled') }),
  z.object({ type: z.literal('added'), root: SourceRoot, view: SourcesView }),
  /** Several systems find conversations there, or none: a person has to say whose it is. */
  z.object({
    type: z.literal('choose'),
    path: z.string(),
    shown: z.string(),
    found: z.array(SourceId),
  }),
])
export type AddAnswer = z.infer<typeof AddAnswer>

/** Paths of files that were dropped on the window. */
export const DroppedPaths = z.array(z.string().min(1).max(longestPath)).min(1).max(100)
export type DroppedPaths = z.infer<typeof DroppedPaths>

/** Numbers of an import of conversations that Skein exported as JSONL. */
export const ImportedConversations = z.object({
  added: z.int(),
  /** Those that were imported before, byte for byte. */
  known: z.int(),
  /** Of the added ones: those beside which another version of the same conversation was imported before. */
  beside: z.int(),
  /** Of the added ones: those whose name another conversation's import has. */
  namesakes: z.int(),
  /** Of the added ones: exports that have no last line. */
  brokenOff: z.int(),
  /** Tags, labels and colors of theirs that were left out. */
  withoutGiven: z.int(),
  /** Those that could not be imported. */
  failed: z.int(),
  /** The reasons, a sentence each, for the first of them. */
  faults: z.array(z.string()),
  /** Files of the folder or zip that are no such exports. */
  others: z.int(),
})
export type ImportedConversations = z.infer<typeof ImportedConversations>

/**
 * Says in sentences what came of an import of conversations that Skein exported.
 *
 * @param systems names of other systems, an export of which was imported with them
 */
export function importedSentences(
  counts: ImportedConversations,
  systems: readonly string[] = [],
): readonly string[] {
  const { added, known, beside, namesakes, withoutGiven, others } = counts
  const conversations = (count: number) => countWithNoun(count, 'conversation')
  return [
    ...(added > 0 || known === 0 ? [`${conversations(added)} imported.`] : []),
    ...(known > 0 ? [`${conversations(known)} imported before.`] : []),
    ...(beside > 0
      ? [
          `Of ${conversations(beside)} another version was imported before; each is a conversation of its own.`,
        ]
      : []),
    ...(namesakes > 0
      ? [`Of ${conversations(namesakes)} the name was that of another one, and has a number now.`]
      : []),
    ...(withoutGiven > 0
      ? [
          `${countWithNoun(withoutGiven, 'tag, label or color', 'tags, labels and colors')} of theirs ${plural(withoutGiven, 'was', 'were')} left out: too long, too many, or another one is there.`,
        ]
      : []),
    ...(systems.length > 0
      ? [`The export of ${systems.join(', ')} beside them was imported.`]
      : []),
    ...(others > 0
      ? [
          `${countWithNoun(others, 'file')} ${plural(others, 'is', 'are')} no JSONL of Skein’s and ${plural(others, 'was', 'were')} left out.`,
        ]
      : []),
  ]
}

/** Returns the names of the systems but Skein that an import has conversations of. */
export function otherSystems(sources: readonly SourceId[]): readonly string[] {
  return sources.filter((source) => source !== 'skein').map(sourceLabel)
}

/** An export that was imported. */
export const ImportedExport = z.object({
  name: z.string(),
  sources: z.array(SourceId),
  /** False where it was kept before. */
  isNew: z.boolean(),
  /** The reason why not all of it can be read, a sentence; absent where all can. */
  unread: z.string().optional(),
  /** For conversations that Skein exported as JSONL. */
  conversations: ImportedConversations.optional(),
  /** Nothing was copied: it is a program's history, and is read where it lies. */
  isInPlace: z.literal(true).optional(),
  /** The root that was added for it, which a person may not have meant. */
  added: SourceRoot.optional(),
})
export type ImportedExport = z.infer<typeof ImportedExport>

/** Answer to importing exports that a person picked, dropped or opened Skein with. */
export const ImportAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancelled') }),
  z.object({ type: z.literal('stopped'), view: SourcesView }),
  z.object({
    type: z.literal('imported'),
    items: z.array(ImportedExport),
    /** The others of several: why each was not imported, a sentence with its name. */
    failures: z.array(z.string()),
    view: SourcesView,
  }),
])
export type ImportAnswer = z.infer<typeof ImportAnswer>
