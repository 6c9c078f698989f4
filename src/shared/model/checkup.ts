import { z } from 'zod'

/** Everything that can be wrong with a home and with Skein's own files, most pressing first. Scripts may rely on the words. */
export const findingKinds = [
  'unreadable',
  'lines-damaged',
  'partition-changed',
  'seals-damaged',
  'part-missing',
  'lines-beside',
  'name-refused',
  'reading-odd',
  'answer-interrupted',
  'compaction-unfinished',
  'inbox-damaged',
  'state-damaged',
  'flags-damaged',
  'titles-damaged',
  'labels-damaged',
  'session-damaged',
  'settings-damaged',
  'own-damaged',
  'open-to-others',
  'meta-damaged',
  'manifest-damaged',
  'partition-unlisted',
  'rotation-unfinished',
  'window-damaged',
  'context-missing',
  'context-unlisted',
  'lock-blocked',
  'lock-ahead',
  'lock-left',
  'claim-left',
  'cache-damaged',
  'temporary-left',
] as const

/** A kind of finding: one of a closed list. */
export const FindingKind = z.enum(findingKinds)
export type FindingKind = z.infer<typeof FindingKind>

/** A thing that is wrong with a home, in sentences for people. */
export const HomeFinding = z.object({
  kind: FindingKind,
  /** A file or folder: from the home, with slashes; one elsewhere as people write it. */
  place: z.string(),
  /** The context that it is about; null where it is none. */
  context: z.string().nullable(),
  happened: z.string(),
  /** What nobody can read any more. Most often: nothing. */
  lost: z.string(),
  /** What Skein does about it without being asked. */
  byItself: z.string(),
  /** What a repair does; null where none is certain. */
  repair: z.string().nullable(),
})
export type HomeFinding = z.infer<typeof HomeFinding>

/** The result of looking through a home. */
export const Checkup = z.object({
  /** As people write it. */
  home: z.string(),
  /** How many contexts were looked at. */
  contexts: z.int(),
  /** Most pressing first. */
  findings: z.array(HomeFinding),
})
export type Checkup = z.infer<typeof Checkup>

/** Sorts findings: most pressing first, then by place. Returns a new list. */
export function sortFindings(findings: readonly HomeFinding[]): HomeFinding[] {
  return [...findings].sort(
    (a, b) =>
      findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind) ||
      (a.place < b.place ? -1 : a.place > b.place ? 1 : 0),
  )
}
