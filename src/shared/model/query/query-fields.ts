/** Fields that a query can ask for; any other word before a colon is text. docs/adding-a-search-field.md says what one needs. */
export const queryFields = [
  'source',
  'context',
  'title',
  'tag',
  'color',
  'label',
  'before',
  'after',
  'during',
  'role',
  'type',
  'tool',
  'branch',
  'from',
  'to',
  'has',
  'model',
  'provider',
  'project',
  'reaction',
  'case',
  'words',
] as const
/** Name of a query's field, before the colon. */
export type QueryFieldName = (typeof queryFields)[number]

/** Parts of an entry beside its text that a query asks for with `has:`. */
export const entryParts = ['image', 'attachment', 'reasoning', 'error', 'reaction'] as const
/** Part of an entry beside its text. */
export type EntryPart = (typeof entryParts)[number]

/** Values of `has:`: parts of an entry, and what is told by its text. */
export const hasValues = [...entryParts, 'code', 'link'] as const

/**
 * Branches that an entry can be on: the one that is shown when its conversation is opened, or one that was left. Other conversations of
 * its family have no part in it.
 */
export const entryBranches = ['current', 'left'] as const
/** Branch that an entry is on. */
export type EntryBranch = (typeof entryBranches)[number]
