import { z } from 'zod'
import type { ConfigGroup, ConfigKind } from '../../../shared/model/settings/settings'

/** A key of chibi's configuration that Skein uses. */
export interface KeySpec<T, F = unknown> {
  readonly schema: z.ZodType<T>
  /** The values that are allowed, in words: "a whole number of at least 1". */
  readonly expected: string
  /** chibi's default; undefined where it has none. */
  readonly fallback: F
  /** config.toml alone, or a context's local.toml as well. */
  readonly place: 'config' | 'both'
  readonly group: ConfigGroup
  readonly kind: ConfigKind
  /** Where only some values can be: those, as people choose them. */
  readonly choices?: readonly string[]
  /** A number that may have a fraction: chibi's files have it with one. */
  readonly isFraction?: boolean
  /** For a list: the check of each item. */
  readonly item?: { readonly isUsable: (item: string) => boolean; readonly expected: string }
  readonly name: string
  /** Its meaning, in a sentence. */
  readonly words: string
}

/** The texts and the group of a key, for Settings. */
export type KeyDescription = Pick<KeySpec<unknown>, 'group' | 'name' | 'words'> & {
  readonly place?: 'config'
}

/** Returns the specification of a key; it may be set in both files unless `about` says otherwise. */
export function keySpec<T, F extends T | undefined = undefined>(
  schema: z.ZodType<T>,
  expected: string,
  kind: ConfigKind,
  about: KeyDescription,
  fallback?: F,
): KeySpec<T, F> {
  // A cast because F is undefined where no fallback is given, and the compiler does not see that.
  return { schema, expected, fallback: fallback as F, kind, ...about, place: about.place ?? 'both' }
}

/** Returns the specification of a key for text that is not blank. */
export const textKey = <F extends string | undefined = undefined>(
  about: KeyDescription,
  fallback?: F,
) => keySpec<string, F>(z.string().trim().min(1), 'text', 'text', about, fallback)
/** Returns the specification of a key that is true or false. */
export const flagKey = <F extends boolean | undefined = undefined>(
  about: KeyDescription,
  fallback?: F,
) => keySpec<boolean, F>(z.boolean(), 'true or false', 'flag', about, fallback)
/** Returns the specification of a key for a whole number of at least `least`. */
export const countKey = <F extends number | undefined = undefined>(
  least: number,
  about: KeyDescription,
  fallback?: F,
) => {
  const expected = `a whole number of at least ${least}`
  return keySpec<number, F>(z.int().min(least), expected, 'number', about, fallback)
}
/** Returns the specification of a key for a number from `least` to `most`, which may have a fraction. */
export const rangeKey = <F extends number | undefined = undefined>(
  least: number,
  most: number,
  about: KeyDescription,
  fallback?: F,
) => {
  const expected = `a number from ${least} to ${most}`
  const schema = z.number().min(least).max(most)
  return { ...keySpec<number, F>(schema, expected, 'number', about, fallback), isFraction: true }
}
/** Returns the specification of a key for one of several words. */
export const choiceKey = <const T extends string>(
  values: readonly T[],
  about: KeyDescription,
  fallback: T,
) => ({
  ...keySpec<T, T>(z.enum(values), `one of ${values.join(', ')}`, 'choice', about, fallback),
  choices: values,
})
