import { z } from 'zod'
import { mostOwnPatterns, OwnPattern } from './settings/own-pattern'

/** Group of kinds that are looked for together; also a word of `skein export --redact=`. */
export const RedactionGroup = z.enum(['keys', 'emails', 'homes', 'own'])
export type RedactionGroup = z.infer<typeof RedactionGroup>

/** Group of kinds as people choose it. */
export interface RedactionGroupInfo {
  readonly name: string
  readonly words: string
}

/** Every group once, in the order in which they are offered. */
export const redactionGroups: Readonly<Record<RedactionGroup, RedactionGroupInfo>> = {
  keys: {
    name: 'Keys and passwords',
    words: 'Tokens of known forms, private keys, cookies, and what is assigned to such a name.',
  },
  emails: { name: 'E-mail addresses', words: 'Whole addresses.' },
  homes: { name: 'Names in home paths', words: 'The user’s name; the rest of the path stays.' },
  own: { name: 'Own patterns', words: 'Texts, or regular expressions between slashes.' },
}

/** Choice of what is redacted in an export. */
export const Redaction = z.object({
  groups: z.array(RedactionGroup).max(4),
  /** Own patterns; in the window and with `--redact` besides those that are kept in Settings. */
  patterns: z.array(OwnPattern).max(mostOwnPatterns),
  /** Findings that stay, by their ids. */
  kept: z.array(z.string().max(64)).max(10_000),
})
export type Redaction = z.infer<typeof Redaction>

/** One secret that was found, wherever it is. */
export const RedactionFinding = z.object({
  /** The same for the same secret in every export; tells nothing of it. */
  id: z.string(),
  group: RedactionGroup,
  /** Such as "GitHub token". */
  kind: z.string(),
  /** Counts from 1 among the findings of its kind. */
  number: z.int().positive(),
  /** How often it is found. */
  places: z.int().nonnegative(),
  /** Enough to recognize it: of a key the beginning, of others all, 60 characters at most. */
  shown: z.string(),
})
export type RedactionFinding = z.infer<typeof RedactionFinding>

/** Number of findings that are listed; the others are counted. */
export const mostListedFindings = 500

/** All that was found in a conversation, counted. */
export const RedactionReport = z.object({
  /** Places at which something is replaced: those of findings that stay are not among them. */
  places: z.int().nonnegative(),
  /** By kind, in the order of their first place. */
  kinds: z.array(
    z.object({
      kind: z.string(),
      group: RedactionGroup,
      /** Different secrets. */
      different: z.int().nonnegative(),
      places: z.int().nonnegative(),
    }),
  ),
  /** The first of them, in the order of their first place. */
  findings: z.array(RedactionFinding),
  /** All of them. */
  found: z.int().nonnegative(),
})
export type RedactionReport = z.infer<typeof RedactionReport>
