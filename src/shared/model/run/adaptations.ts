import { z } from 'zod'
import type { JsonObject } from '../basics/json-object'
import { plural } from '../basics/plural'

/** The ways in which a request's messages are changed for a server that refuses them as they are, in their order. */
export const adaptations = [
  'calls-as-words',
  'short-call-ids',
  'system-as-developer',
  'system-as-user',
  'user-first',
  'user-last',
  'no-null-content',
  'no-empty-content',
] as const
/** Way in which a request's messages are changed: one of `adaptations`. */
export const Adaptation = z.enum(adaptations)
export type Adaptation = z.infer<typeof Adaptation>

/** Something in which a request gives way to a server that refuses it as it is meant. */
export const RequestAdjustment = z.discriminatedUnion('type', [
  /** `stream_options` among them, the wish for token counts. */
  z.object({ type: z.literal('parameter'), name: z.string().max(200) }),
  z.object({ type: z.literal('without'), what: z.enum(['tools', 'images', 'thoughts']) }),
  z.object({ type: z.literal('adapt'), way: Adaptation }),
])
export type RequestAdjustment = z.infer<typeof RequestAdjustment>

const sentences: Readonly<Record<Adaptation, string>> = {
  'calls-as-words': 'The model takes no tool calls: earlier ones were sent as words.',
  'short-call-ids': 'The provider refused the ids of tool calls: short ones were sent.',
  'system-as-developer': 'The system prompt was sent as a developer message.',
  'system-as-user': 'The model takes no system prompt: it was sent before the first message.',
  'user-first': 'The provider wants the user to begin: a line was sent before the first message.',
  'user-last': 'The provider wants the user to have the last word: a line was sent behind it.',
  'no-null-content': 'Tool calls without words were sent with an empty text.',
  'no-empty-content': 'Messages without words were sent with “(no words)”.',
}

const partWords: Readonly<Record<string, string>> = {
  images: 'The model takes no images: it was sent the words alone.',
  thoughts: 'The provider did not take back its earlier reasoning.',
  tools: 'The model takes no tools: none were offered.',
}

/** Reads the ways in which the request of an answer was changed; those that nobody knows are left out. */
export function adaptationsOf(metadata: JsonObject | undefined): readonly Adaptation[] {
  const told = Array.isArray(metadata?.adapted) ? metadata.adapted : []
  return adaptations.filter((way) => told.includes(way))
}

/**
 * Says how a request had to differ from what was meant, a sentence each.
 *
 * @param without `tools`, `images`, `thoughts`, and names of parameters, which are hostile
 */
export function adaptedSentences(
  without: readonly string[],
  ways: readonly Adaptation[],
): readonly string[] {
  const parameters = without.filter((name) => !Object.hasOwn(partWords, name))
  const they = plural(parameters.length, 'it', 'them')
  return [
    ...Object.entries(partWords).flatMap(([name, words]) => (without.includes(name) ? words : [])),
    ...(parameters.length === 0
      ? []
      : [`Sent without ${parameters.join(', ')}: the provider refused ${they}.`]),
    ...ways.map((way) => sentences[way]),
  ]
}
