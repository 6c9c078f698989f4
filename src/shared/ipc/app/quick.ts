import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { Preferences } from '../../model/settings/settings'
import { call, event } from '../wire/primitives'

/** Longest message of the quick entry, in characters. */
const longestQuickMessage = 200_000

const Words = z.string().max(longestQuickMessage)

/** Message that was written in the quick entry: it begins a conversation, or goes on with one of ours. */
export const QuickMessage = z.object({
  text: Words.refine((text) => text.trim() !== '', 'nothing is said'),
  key: LibraryKey.optional(),
})
export type QuickMessage = z.infer<typeof QuickMessage>

const Answering = z.object({
  /** Name of the model. */
  model: z.string(),
  /** Why a message cannot be answered now, in words. */
  notReady: z.string().optional(),
})

/** All that the window of the quick entry shows: never a line of a conversation. */
export const QuickView = z.object({
  /** Text that was not sent yet. */
  draft: z.string(),
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
  view: call(z.void(), QuickView),
  /**
   * Gives a message to the app window, which comes to the front and sends it. Resolves when that has it; the draft is empty then. Throws
   * `not-found` while no home is open.
   */
  send: call(QuickMessage, z.void()),
  /** Keeps the draft over restarts. */
  keep: call(z.object({ text: Words }), z.void()),
  hide: call(z.void(), z.void()),
  /** The window comes to the front. */
  shown: event(QuickView),
}
