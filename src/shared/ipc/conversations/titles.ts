import { z } from 'zod'
import { longestOwnTitle } from '../../model/basics/title'
import { LibraryKey } from '../../model/conversation/conversation'
import { call } from '../wire/primitives'

/** Request for a title before it is sent: its model, its host and its size. */
export const TitlePreview = z.object({
  model: z.string(),
  /** Host and port of the endpoint. */
  host: z.string(),
  /** Of the conversation's text. */
  characters: z.int(),
  /** It is a branch: what came after the fork is sent. */
  isBranch: z.boolean(),
})
export type TitlePreview = z.infer<typeof TitlePreview>

/** Result of asking a model for a title. */
export const TitleEnd = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('titled'), title: z.string() }),
  /** A person wrote or removed the title meanwhile: that holds. */
  z.object({ outcome: z.literal('kept') }),
  /** There is no message that a title could be made of. */
  z.object({ outcome: z.literal('nothing') }),
  z.object({ outcome: z.literal('failed'), words: z.string() }),
  z.object({ outcome: z.literal('stopped') }),
])
export type TitleEnd = z.infer<typeof TitleEnd>

/** Calls of titles that are given in Skein. Changed rows come as `library.changed`. */
export const titlesContract = {
  /**
   * A person's title; null takes away what was given, so that the conversation is called as it was. Throws `not-found`,
   * `bad-argument` (nothing but blanks), `read-only`, `disk-full`, `io`.
   */
  set: call(
    z.object({
      key: LibraryKey,
      title: z
        .string()
        .max(longestOwnTitle * 10)
        .nullable(),
    }),
    z.void(),
  ),
  /** Asks nobody. Throws `not-found`, `no-model`, `no-key`, `unreadable`. */
  preview: call(z.object({ key: LibraryKey }), TitlePreview),
  /**
   * Has the model give a title. Throws `exists` (a person wrote one), `busy` (it is being asked), `not-found`, `no-model`,
   * `no-key`, `unreadable`, and what a failed write is.
   */
  ask: call(z.object({ key: LibraryKey }), TitleEnd),
  /** Stops it. Does nothing when there is none. */
  cancel: call(z.object({ key: LibraryKey }), z.void()),
}
