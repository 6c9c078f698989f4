import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { Preferences } from '../../model/settings/settings'
import { call, event } from '../wire/primitives'

/** Longest message of the quick entry, in characters. */
const longestQuickMessage = 200_000

const Words = z.string().max(longestQuickMessage)

// Its home, and the message that it becomes. Main gives both, and each message has its own.
const draftNames = { home: z.string().max(64), id: z.string().max(64) }

/** Names of a draft. */
export const QuickDraftNames = z.object(draftNames)
export type QuickDraftNames = z.infer<typeof QuickDraftNames>

/** Message that was written in the quick entry: it begins a conversation, or goes on with one of ours. */
export const QuickMessage = z.object({
  ...draftNames,
  text: Words.refine((text) => text.trim() !== '', 'nothing is said'),
  key: LibraryKey.optional(),
})
export type QuickMessage = z.infer<typeof QuickMessage>

/** Draft of the quick entry, as it is kept. */
export const QuickWords = z.object({ ...draftNames, text: Words })
export type QuickWords = z.infer<typeof QuickWords>

const Answering = z.object({
  /** Name of the model. */
  model: z.string(),
  /** Why a message cannot be answered now, in words. */
  notReady: z.string().optional(),
})

/** All that the window of the quick entry shows: never a line of a conversation. */
export const QuickView = z.object({
  ...draftNames,
  /** Text that was not sent yet. */
  draft: z.string(),
  /** Something that a person should know of the draft, in words. */
  notice: z.string().optional(),
  /** What answers a new conversation. */
  begins: Answering,
  /** Conversation of ours that the app window shows, and what answers in it. */
  conversation: z.object({ key: LibraryKey, title: z.string(), goesOn: Answering }).optional(),
  theme: Preferences.shape.theme,
  contrast: Preferences.shape.contrast,
  textZoom: Preferences.shape.textZoom,
})
export type QuickView = z.infer<typeof QuickView>

/** Calls and events of the window of the quick entry, and all that it may call; the app window may call none of them. */
export const quickContract = {
  /** Waits for a message that is on its way: then its draft is gone, or there again. */
  view: call(z.void(), QuickView),
  /**
   * Writes a message, once whatever happens: a draft that was sent already is not sent again. Resolves to the names of the next draft, which is
   * empty, once the message is durable in its conversation; the app window shows that. Throws `not-found` while no home is open, or another
   * one, and as a run that cannot start: then the draft stays.
   */
  send: call(QuickMessage, QuickDraftNames),
  /** Keeps the draft over restarts; durable on return. Words of a draft that was sent are passed over. */
  keep: call(QuickWords, z.void()),
  hide: call(z.void(), z.void()),
  /** The window comes to the front, or another home is open. */
  shown: event(QuickView),
  /** The system closes the window: its page keeps the words, then hides it. */
  closing: event(z.object({})),
}
