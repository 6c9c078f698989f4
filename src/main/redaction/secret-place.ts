import type { RedactionGroup } from '../../shared/model/redaction'

/** Place in a text that is to be replaced. */
export interface SecretPlace {
  readonly group: RedactionGroup
  readonly kind: string
  /** In UTF-16 units, from and to. */
  readonly start: number
  readonly end: number
  /** What was found, once escapes are undone and lines are joined. */
  readonly secret: string
  /** Only what stands around it tells that it is a secret: it is looked for elsewhere too. */
  readonly isByContext?: true
  /** The text ends within it. */
  readonly isCut?: true
}
