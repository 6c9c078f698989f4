/** Fields that a query can ask for; any other word before a colon is text. docs/adding-a-search-field.md says what one needs. */
export const queryFields = [
  'source',
  'context',
  'title',
  'tag',
  'label',
  'before',
  'after',
  'role',
  'type',
  'tool',
  'from',
  'model',
  'provider',
  'project',
  'reaction',
] as const
/** Name of a query's field, before the colon. */
export type QueryFieldName = (typeof queryFields)[number]
