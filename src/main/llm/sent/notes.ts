import type { Sent } from '../../../shared/model/run/sent'
import type { RequestMetadata } from '../request/request-metadata'
import type { FoundRequest } from './logged'
import type { LaterChanges, PromptEvidence } from './prompt-evidence'

/** Writes the notes on a request of the log, a sentence each. */
export function notesOnLogged({ byDigest, isReduced }: FoundRequest): string[] {
  return [
    ...(byDigest
      ? []
      : [
          'This request was found by its time, model and last messages: the answer has no digest of it.',
        ]),
    ...(isReduced
      ? ['The provider refused part of the logged request; this is what was sent next.']
      : []),
  ]
}

/** The reasons why a rebuilt request may differ from the one that was sent. */
export interface RebuildCaveats {
  readonly kept: RequestMetadata | undefined
  readonly evidence: PromptEvidence
  readonly later: LaterChanges
  /** Names of tools that are not there any more. */
  readonly unknown: readonly string[]
  /** The answer was copied here from another conversation. */
  readonly isCopy: boolean
  readonly missingImages: number
  /** The parts that could not be read, a sentence each. */
  readonly unread: readonly string[]
}

/** Writes the notes on a rebuilt request: what may differ, a sentence each; none where it matches exactly. */
export function notesOnRebuilt(match: Sent['match'], caveats: RebuildCaveats): string[] {
  if (match === 'exact') return []
  const { kept, evidence, later, unknown, isCopy, missingImages, unread } = caveats
  const has = (isSo: boolean, words: string) => (isSo ? [words] : [])
  return [
    match === 'different'
      ? 'This differs from what was sent: the digest of the answer does not match.'
      : 'This may differ from what was sent: the answer has no digest of its request.',
    ...unread,
    ...has(isCopy, 'The answer was copied from another conversation, where the request was sent.'),
    ...has(
      evidence.prompt === undefined && later.replacedPrompt === undefined,
      `The system prompt is the current one: the transcript has none before this answer${later.isPromptChanged ? ', only a later one' : ''}.`,
    ),
    ...has(later.changedNotes.size > 0, `${listed(later.changedNotes)} changed later.`),
    'Notes edited by a person, AGENTS.md, the user name and the fuel are the current ones.',
    'Changes by plugins to the prompt or the request are not recorded.',
    ...has(kept === undefined, 'The tools and parameters that were sent are unknown.'),
    ...has(
      (kept?.tools.length ?? 0) > unknown.length,
      'The offered tools are shown with their current descriptions.',
    ),
    ...has(unknown.length > 0, `Tools that no longer exist: ${unknown.join(', ')}.`),
    ...has(missingImages > 0, `Images that no longer exist: ${missingImages}.`),
    ...has(match === 'different', 'Or the transcript has changed since.'),
  ]
}

function listed(names: ReadonlySet<string>): string {
  const words = [...names].join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
