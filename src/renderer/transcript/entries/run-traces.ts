import { typedTextOf } from '../../../shared/model/attachments/typed-text'
import { visibleText } from '../../../shared/model/basics/visible'
import type { Entry } from '../../../shared/model/conversation/entry'
import { type Adaptation, adaptationsOf } from '../../../shared/model/run/adaptations'
import { cutText } from '../../ui/format/cut-text'

/** Metadata that Skein's runs write; any program may have written it. */
interface RunTraces {
  /** The text that the person typed, with text files, where the content is more or another text. */
  readonly typed: string | undefined
  /** The tool by which the model began the turn. */
  readonly continuedBy: string | undefined
  /** The file of an output that was too long for the request, and its length in characters. */
  readonly cached: { readonly file: string; readonly length: number | undefined } | undefined
  /** A plugin blocked the call. */
  readonly isBlocked: boolean
  /** A person's decision on the call. */
  readonly consent: keyof typeof consentLabels | undefined
  /** Parts that the request was sent without, since the provider refused them. */
  readonly without: readonly string[]
  /** Adjustments of the request's messages. */
  readonly adapted: readonly Adaptation[]
}

/** Labels of a person's decision on a call. */
export const consentLabels = {
  once: 'allowed once',
  always: 'always allowed',
  denied: 'denied',
} as const

/** Reads what a run left in an entry's metadata. */
export function runTracesOf(entry: Entry): RunTraces {
  const { metadata = {}, content } = entry
  const { typed, adopted, continued_by: by, cached, consent } = metadata
  return {
    // In an adopted entry `typed` comes from the other system and is not believed.
    typed: typeof typed === 'string' && adopted === undefined ? typedTextOf(entry) : undefined,
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
  const size = /\bSize: (\d{1,12}) chars\b/.exec(content.slice(0, 1000))?.[1]
  return { file: `tool_cache/${id}.cache`, length: size === undefined ? undefined : Number(size) }
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
