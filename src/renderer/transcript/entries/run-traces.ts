import type { Entry } from '../../../shared/model/conversation/entry'
import { type Adaptation, adaptationsOf } from '../../../shared/model/run/adaptations'
import { cutText } from '../../ui/format/cut-text'
import { visibleText } from '../../ui/format/visible-text'

/** What a run of ours left in an entry's metadata; all of it may have been written by anybody. */
interface RunTraces {
  /** What the person wrote, where the content is more or something else. */
  readonly typed: string | undefined
  /** The tool by which the model began the turn itself. */
  readonly continuedBy: string | undefined
  /** Of an output that is kept: where, and its length in characters. */
  readonly cached: { readonly file: string; readonly length: number | undefined } | undefined
  /** A plugin kept the call from being made. */
  readonly isBlocked: boolean
  /** What a person said to the call. */
  readonly consent: keyof typeof consentLabels | undefined
  /** What the request was sent without, since the provider refused it. */
  readonly without: readonly string[]
  /** How its messages were changed for the provider. */
  readonly adapted: readonly Adaptation[]
}

/** A person's word on a call, as it is told beside the call. */
export const consentLabels = {
  once: 'allowed once',
  always: 'always allowed',
  denied: 'denied',
} as const

/** Reads the traces that an entry has. */
export function runTracesOf({ metadata = {}, content }: Entry): RunTraces {
  const { typed, adopted, continued_by: by, cached, consent } = metadata
  return {
    // A copy of another system's entry says what it likes.
    typed: typeof typed === 'string' && adopted === undefined ? typed : undefined,
    continuedBy: typeof by === 'string' ? word(by) : undefined,
    cached: typeof cached === 'string' && cacheId.test(cached) ? kept(cached, content) : undefined,
    isBlocked: metadata.blocked === true,
    consent: isConsent(consent) ? consent : undefined,
    without: [
      ...(metadata.without_tools === true ? ['tools'] : []),
      ...namesIn(metadata.without_parameters),
    ],
    adapted: adaptationsOf(metadata),
  }
}

const cacheId = /^[A-Za-z0-9_-]{1,200}$/

function kept(id: string, content: string): RunTraces['cached'] {
  const told = /\bSize: (\d{1,12}) chars\b/.exec(content.slice(0, 1000))?.[1]
  return { file: `tool_cache/${id}.cache`, length: told === undefined ? undefined : Number(told) }
}

function isConsent(value: unknown): value is keyof typeof consentLabels {
  return typeof value === 'string' && Object.hasOwn(consentLabels, value)
}

const mostNames = 20

function namesIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const names = value.filter((one): one is string => typeof one === 'string' && one !== '')
  return [...new Set(names)].slice(0, mostNames).map(word)
}

function word(text: string): string {
  return visibleText(cutText(text, 1, 80).shown).trim()
}
