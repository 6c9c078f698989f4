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
          'It was found by its time, its model and its last messages: no digest of it stands at the answer.',
        ]),
    ...(isReduced
      ? ['The provider refused a part of what the log has; this is what went out after that.']
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
      ? 'The digest at the answer says that something of this was otherwise.'
      : 'Nothing at the answer tells whether this is what was sent.',
    ...unread,
    ...has(isCopy, 'The answer was copied here from another conversation, where it was asked for.'),
    ...has(
      evidence.prompt === undefined && later.replacedPrompt === undefined,
      `The system prompt is what holds now: the transcript tells none before this answer${later.isPromptChanged ? ', and one that came later' : ''}.`,
    ),
    ...has(later.changedNotes.size > 0, `${listed(later.changedNotes)} changed later.`),
    'Notes that a person edited, AGENTS.md, the user name and the fuel are those of now.',
    'What plugins put into the prompt or changed in the request is kept nowhere.',
    ...has(kept === undefined, 'Which tools and parameters went with it is not known.'),
    ...has(
      (kept?.tools.length ?? 0) > unknown.length,
      'The tools are those that were offered, as they are described now.',
    ),
    ...has(unknown.length > 0, `Not there any more: ${unknown.join(', ')}.`),
    ...has(missingImages > 0, `Images that are not there any more: ${missingImages}.`),
    ...has(match === 'different', 'Or the transcript is not what it was.'),
  ]
}

function listed(names: ReadonlySet<string>): string {
  const words = [...names].join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
