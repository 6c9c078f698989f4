import { ConversationKey } from '../../../shared/model/conversation/conversation'
import type { SubagentOrigin } from '../../../shared/model/family/family'

/** The conversation that called a subagent, as its own fact names it. */
interface CallerFacts {
  readonly parent: { readonly key: string; readonly entries: 0 } | null
  readonly subagentOf?: SubagentOrigin
}

/**
 * Returns what says of a subagent's conversation which one called it, and by which call. Files name callers anyhow: one that no
 * conversation can be named (empty, or longer than a key) is none.
 */
export function callerFacts(caller: unknown, call?: string): CallerFacts {
  const key = ConversationKey.safeParse(caller).data
  if (key === undefined) return { parent: null }
  const by = call === undefined ? { key } : { key, call }
  return { parent: { key, entries: 0 }, subagentOf: by }
}
