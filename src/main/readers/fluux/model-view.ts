import { z } from 'zod'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import { FluuxAttachment, FluuxReaction, optionalFields } from './fields'

type SessionEntry = Pick<Entry, 'entry_type' | 'role' | 'content' | 'metadata'>

/** The agent sends no more of a session; archives it does not send at all. */
const windowMessages = 20

/**
 * Returns what the agent's model would see of a session, as the agent reads its file: the last 20 messages that show
 * anything, each as its reaction, its attachments (compact JSON, one per line), then its text; a message in a room
 * begins with its sender.
 *
 * @param entries of one session, in file order, as the reader gives them
 */
export function modelView(entries: readonly SessionEntry[]): readonly ModelMessage[] {
  // Bytes that are no UTF-8 anywhere in it make the agent give up the file.
  if (entries.some(({ metadata }) => metadata?.damaged === true)) return []
  const messages: ModelMessage[] = []
  for (let at = entries.length - 1; at >= 0 && messages.length < windowMessages; at--) {
    const entry = entries[at]
    if (entry !== undefined) messages.unshift(...messageOf(entry))
  }
  return messages
}

function messageOf(entry: SessionEntry): readonly ModelMessage[] {
  const { role, content, metadata } = entry
  const text = isRead(entry) ? [...fieldLines(metadata), content].filter(Boolean).join('\n') : ''
  if (text === '') return []
  const sender = metadata?.sender
  // The agent knows a room by this ending alone, also at a host that is named so.
  const isInRoom = typeof sender === 'string' && sender.endsWith('@muc')
  const words = isInRoom ? `${sender}: ${text}` : text
  return [{ role: role === 'agent' ? 'assistant' : 'user', content: words }]
}

/** The agent passes over lines that hold anything else than a message, and those with a field of another shape. */
function isRead({ entry_type, metadata }: SessionEntry): boolean {
  if (entry_type !== 'message' || metadata?.recovered === true) return false
  const others = z.record(z.string(), z.unknown()).safeParse(metadata?.raw_fields).data ?? {}
  return !Object.keys(others).some((key) => optionalFields.has(key))
}

/** Parsing leaves the agent's own keys, in its own order. */
function fieldLines(metadata: SessionEntry['metadata']): readonly string[] {
  const reaction = FluuxReaction.safeParse(metadata?.reaction).data
  const attachments = z.array(FluuxAttachment).safeParse(metadata?.attachments).data ?? []
  const shown = reaction === undefined ? attachments : [reaction, ...attachments]
  return shown.map((field) => JSON.stringify(field))
}

/**
 * Finds the entry that each reaction is about: the last one before it with the id that it names; else, since lines may
 * be stored out of order, the first one after it. A reaction to a message outside this session is left out.
 */
export function reactionTargets<E extends Pick<Entry, 'metadata'>>(
  entries: readonly E[],
): ReadonlyMap<E, E> {
  const targets = new Map<E, E>()
  const named = new Map<string, E>()
  const waiting = new Map<string, E[]>()
  for (const entry of entries) {
    const wanted = FluuxReaction.safeParse(entry.metadata?.reaction).data?.message_id
    const target = wanted === undefined ? undefined : named.get(wanted)
    if (target !== undefined) targets.set(entry, target)
    const id = entry.metadata?.msg_id
    if (typeof id === 'string') {
      for (const early of waiting.get(id) ?? []) targets.set(early, entry)
      waiting.delete(id)
      named.set(id, entry)
    }
    // Last, so that none is about itself.
    if (wanted === undefined || target !== undefined) continue
    const early = waiting.get(wanted)
    if (early === undefined) waiting.set(wanted, [entry])
    else early.push(entry)
  }
  return targets
}
