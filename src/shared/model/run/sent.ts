import { z } from 'zod'
import { EntryId } from '../conversation/entry'
import { AnswerUsage } from './usage'

/** Part of a request that takes tokens. */
export const TokenPart = z.enum(['system', 'history', 'tools', 'attachments'])
export type TokenPart = z.infer<typeof TokenPart>

/** Tokens of a request by part. */
export const TokenParts = z.record(TokenPart, z.int().nonnegative())
export type TokenParts = z.infer<typeof TokenParts>

/** Way in which tokens were counted: by the model's own tokenizer, or by a rule of thumb (bytes of the JSON by 4). */
export const TokenCount = z.discriminatedUnion('by', [
  z.object({ by: z.literal('tokenizer'), name: z.string() }),
  z.object({ by: z.literal('estimate') }),
])
export type TokenCount = z.infer<typeof TokenCount>

/** A message as the model was sent it. */
export const SentMessage = z.object({
  /** Of the wire: `system`, `user`, `assistant`, `tool`; a log may say others. */
  role: z.string(),
  text: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** Of a result: the call that it answers. */
  callId: z.string().optional(),
  images: z.int().nonnegative(),
  /** Without its images, which count as attachments. */
  tokens: z.int().nonnegative(),
  /** The entries that it was made of, where that is known. */
  entryIds: z.array(EntryId),
})
export type SentMessage = z.infer<typeof SentMessage>

/** Tool that a request offered to the model. */
export const SentTool = z.object({
  name: z.string(),
  description: z.string(),
  /** Their JSON schema, as JSON; absent where only the tool's name is known. */
  parameters: z.string().optional(),
  tokens: z.int().nonnegative(),
})
export type SentTool = z.infer<typeof SentTool>

/** Request that a model was sent before an answer. */
export const Sent = z.object({
  entryId: EntryId,
  /** Where this comes from: taken down in requests.jsonl as it went out, or put together again from the transcript. */
  origin: z.enum(['log', 'rebuilt']),
  /**
   * Whether this is what was sent, by the digest in the answer's entry. `unknown`: there is none, as in what other
   * programs wrote.
   */
  match: z.enum(['exact', 'different', 'unknown']),
  /** Unix milliseconds; null where it is not known: only a log has it. */
  sentAtMs: z.number().nullable(),
  /** When the answer was whole. Unix milliseconds; null where its entry has no time. */
  answeredAtMs: z.number().nullable(),
  model: z.string().optional(),
  messages: z.array(SentMessage),
  tools: z.array(SentTool),
  /** Everything else of the request, as JSON: temperature and the like. */
  parameters: z.record(z.string(), z.string()),
  parts: TokenParts,
  countedBy: TokenCount,
  /** The provider's own counts, where it gave them. */
  told: AnswerUsage.optional(),
  /** Things that may be otherwise than they were, and why; a sentence each. */
  notes: z.array(z.string()),
})
export type Sent = z.infer<typeof Sent>

/** An answer that another one can be compared with. */
export const SentNeighbour = z.object({
  entryId: EntryId,
  /** Unix milliseconds; null where it has no time. */
  atMs: z.number().nullable(),
  model: z.string().optional(),
  /** The beginning of its words, or of its calls. */
  words: z.string(),
})
export type SentNeighbour = z.infer<typeof SentNeighbour>

/** Answers around one. */
export const SentAround = z.object({
  previous: SentNeighbour.optional(),
  next: SentNeighbour.optional(),
  /** The last answer before the window of this one began. */
  beforeWindow: SentNeighbour.optional(),
  /** The first answer in the window after this one's. */
  afterWindow: SentNeighbour.optional(),
})
export type SentAround = z.infer<typeof SentAround>
