import type { ConversationHead } from '../common/document-conversations'
import { textIn } from '../common/drafts'

/** Returns what a list shows of a conversation, from its own members. */
export function chatgptHead(facts: Readonly<Record<string, unknown>>): ConversationHead {
  const { conversation_id, id, title, create_time, update_time, gizmo_id, default_model_slug } =
    facts
  return {
    id: textIn(conversation_id) ?? textIn(id),
    title: typeof title === 'string' ? title.trim() : '',
    project: textIn(gizmo_id) ?? null,
    createdAt: secondsIn(create_time),
    updatedAt: secondsIn(update_time),
    model: textIn(default_model_slug),
  }
}

/** Returns Unix seconds; undefined for what is no time. Newer exports have numbers, and some have ISO 8601. */
export function secondsIn(time: unknown): number | undefined {
  if (typeof time === 'number') return time > 0 && time < 1e11 ? time : undefined
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms / 1000
}
