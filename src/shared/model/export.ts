import { z } from 'zod'

/** A format that a conversation can be written in; also the name of `skein export --format`. */
export const ExportFormat = z.enum([
  'md',
  'html',
  'pdf',
  'txt',
  'json',
  'jsonl',
  'csv',
  'openai',
  'original',
  'chibi',
  'cycod',
  'fluux',
  'voicemode',
  'pi',
  'claude-code',
  'codex',
  'opencode',
])
export type ExportFormat = z.infer<typeof ExportFormat>

/** A format whose program has a folder that takes new sessions. */
export const PlacedFormat = z.enum(['pi', 'claude-code', 'codex'])
export type PlacedFormat = z.infer<typeof PlacedFormat>

/** A system whose own program goes on with its conversations by a command. */
export const ContinuableSource = z.enum(['claude-code', 'codex', 'pi', 'opencode'])
export type ContinuableSource = z.infer<typeof ContinuableSource>

/** A format as people choose it, and what becomes of damaged lines in it: what is no entry has no place among entries. */
export interface ExportFormatInfo {
  readonly group: 'To read' | 'Data' | 'Other programs' | 'Sessions to continue'
  readonly name: string
  /** The name in a sentence, where that is another. */
  readonly inSentence?: string
  readonly damaged: 'shown' | 'listed with the files' | 'left out' | 'copied as is'
}

/** Every format once, in the order in which they are offered. */
export const exportFormats: Readonly<Record<ExportFormat, ExportFormatInfo>> = {
  md: { group: 'To read', name: 'Markdown', damaged: 'shown' },
  html: { group: 'To read', name: 'HTML', damaged: 'shown' },
  pdf: { group: 'To read', name: 'PDF', damaged: 'shown' },
  txt: { group: 'To read', name: 'Plain text', damaged: 'shown' },
  json: { group: 'Data', name: 'JSON', damaged: 'listed with the files' },
  jsonl: { group: 'Data', name: 'JSONL', damaged: 'left out' },
  csv: { group: 'Data', name: 'CSV', damaged: 'left out' },
  openai: { group: 'Data', name: 'OpenAI messages', damaged: 'left out' },
  original: {
    group: 'Data',
    name: 'Original',
    inSentence: 'the original',
    damaged: 'copied as is',
  },
  chibi: { group: 'Other programs', name: 'chibi', damaged: 'left out' },
  cycod: { group: 'Other programs', name: 'cycod', damaged: 'left out' },
  fluux: { group: 'Other programs', name: 'fluux-agent', damaged: 'left out' },
  voicemode: { group: 'Other programs', name: 'voicemode', damaged: 'left out' },
  pi: {
    group: 'Sessions to continue',
    name: 'Session of pi',
    inSentence: 'pi',
    damaged: 'left out',
  },
  'claude-code': {
    group: 'Sessions to continue',
    name: 'Session of Claude Code',
    inSentence: 'Claude Code',
    damaged: 'left out',
  },
  codex: {
    group: 'Sessions to continue',
    name: 'Session of Codex',
    inSentence: 'Codex',
    damaged: 'left out',
  },
  opencode: {
    group: 'Sessions to continue',
    name: 'Session of OpenCode',
    inSentence: 'OpenCode',
    damaged: 'left out',
  },
}

/** A format that a comparison of two conversations can be written in. */
export const ComparisonFormat = z.enum(['md', 'html'])
export type ComparisonFormat = z.infer<typeof ComparisonFormat>

/** `active` is the path to the current leaf; `all` every branch, and the family's other conversations where they are given. */
export const ExportBranches = z.enum(['active', 'all'])
export type ExportBranches = z.infer<typeof ExportBranches>

/**
 * Kind of a loss: the kinds of `leftOutKinds` are whole entries, the others are parts of entries that are written.
 */
export const LossKind = z.enum([
  'chosen',
  'other-branch',
  'reasoning',
  'tool',
  'system',
  'other',
  'note',
  'empty',
  'damaged',
  'fork',
  'time',
  'fraction',
  'no-time',
  'order',
  'name',
  'half',
  'metadata',
  'project',
  'tag',
  'color',
  'label',
  'meta',
  'loose-call',
  'moved',
  'wrapped',
  'tool-name',
  'late',
  'milliseconds',
])
export type LossKind = z.infer<typeof LossKind>

/** Entries of these kinds are not written at all; an entry is of one of them at most. */
export const leftOutKinds: ReadonlySet<LossKind> = new Set([
  'chosen',
  'other-branch',
  'reasoning',
  'tool',
  'system',
  'other',
  'note',
  'empty',
])

/** Losses of a conversation in a format. `entries` is `written` and the counts of `leftOutKinds` together. */
export const LossReport = z.object({
  /** Of the conversation (and the family, where that is written); what a fork repeats counts once. */
  entries: z.int(),
  written: z.int(),
  losses: z.array(
    z.object({
      kind: LossKind,
      count: z.int(),
      /** Of damaged lines: how many are no lines, but parts that could not be read. Absent where there are none. */
      unread: z.int().optional(),
      /** For people: "3 pieces of reasoning are left out." */
      sentence: z.string(),
    }),
  ),
})
export type LossReport = z.infer<typeof LossReport>

/** Place that an export of several conversations goes to: a folder with a file each, or one zip with them. */
export const ExportInto = z.enum(['folder', 'zip'])
export type ExportInto = z.infer<typeof ExportInto>

/** Result of an export of several conversations. */
export const SavedAll = z.object({
  /** The folder or the zip, as people write it. */
  place: z.string(),
  /** Of the zip; null where none was written: it was stopped, or nothing came into it. Absent for a folder. */
  zipBytes: z.int().nullable().optional(),
  conversations: z.int(),
  /** Of the files. */
  bytes: z.int(),
  /** Losses of all conversations together: what has no place in the format. */
  losses: LossReport,
  /** Conversations that are not there, or not whole: a sentence each, the first hundred. */
  failures: z.array(z.string()),
  failed: z.int(),
  stopped: z.boolean(),
  /** Places at which something was redacted; absent where nothing was to be. */
  redacted: z.int().optional(),
})
export type SavedAll = z.infer<typeof SavedAll>

/** Progress of such an export, in conversations; `isChecking` while the zip is read back. */
export const SavedSoFar = z.object({
  done: z.int(),
  total: z.int(),
  isChecking: z.literal(true).optional(),
})
export type SavedSoFar = z.infer<typeof SavedSoFar>
