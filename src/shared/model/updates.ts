import { z } from 'zod'

/** Version of Skein, by semver.org. */
const ReleaseVersion = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$/)

/** Package of a release: what a person can check a download by. */
export const ReleasePackage = z.object({
  /** A plain file name. */
  name: z.string().regex(/^[\w.+-]{1,200}$/),
  /** In bytes. */
  size: z.int().positive(),
  /** As base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
})
export type ReleasePackage = z.infer<typeof ReleasePackage>

/** Newest release, as a feed tells of it. What else it has is passed over. */
export const NewestRelease = z.object({
  version: ReleaseVersion,
  packages: z.array(ReleasePackage).max(20),
})
export type NewestRelease = z.infer<typeof NewestRelease>

/** Place where a package asks for updates. */
export const UpdatePlace = z.discriminatedUnion('type', [
  /** The package names none. */
  z.object({ type: z.literal('off') }),
  /** The file that names it cannot be read, so nobody is asked. */
  z.object({ type: z.literal('unreadable') }),
  /** Whom a question goes to, with its port where it has one, and the page with the newest packages. */
  z.object({ type: z.literal('named'), host: z.string(), page: z.string() }),
])
export type UpdatePlace = z.infer<typeof UpdatePlace>

/** Answer to the question whether there is a newer Skein. */
export const UpdateAnswer = z.discriminatedUnion('type', [
  /** This package names no place to ask; nothing was asked. */
  z.object({ type: z.literal('off') }),
  /** There is none. */
  z.object({ type: z.literal('current') }),
  z.object({ type: z.literal('newer'), ...NewestRelease.shape }),
])
export type UpdateAnswer = z.infer<typeof UpdateAnswer>

/**
 * Tells whether a version comes behind another, by the precedence of semver.org: `1.0.0-rc.2` comes before `1.0.0`, and what is behind a
 * plus makes no difference.
 */
export function isNewerRelease(version: string, than: string): boolean {
  const [one, other] = [partsOf(version), partsOf(than)]
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  if (one.before.length === 0 || other.before.length === 0)
    return one.before.length === 0 && other.before.length > 0
  for (const [at, word] of one.before.entries()) {
    const against = other.before[at]
    if (against === undefined) return true
    if (word !== against) return isBehind(word, against)
  }
  return false
}

function partsOf(whole: string) {
  const [version = ''] = whole.split('+')
  const dash = version.indexOf('-')
  const numbers = dash === -1 ? version : version.slice(0, dash)
  const before = dash === -1 ? [] : version.slice(dash + 1).split('.')
  return { numbers: numbers.split('.').map(Number), before }
}

/** Numbers come before words, and each are in their own order. */
function isBehind(word: string, against: string): boolean {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(word), /^\d+$/.test(against)]
  if (isNumber !== isOtherNumber) return isOtherNumber
  return isNumber ? Number(word) > Number(against) : word > against
}
