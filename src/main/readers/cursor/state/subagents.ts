import { textIn } from '../../common/drafts'
import type { ListedChat } from './chat-list'
import { objectIn } from './chat-rows'

/** A listed chat, with the one that called it where only that one tells. */
export type LinkedChat = ListedChat & { readonly parent?: string }

/** Gives each chat that another one names as its subagent that one as a parent, unless it tells its own. */
export function linkSubagents(chats: readonly ListedChat[]): readonly LinkedChat[] {
  const parents = new Map<string, string>()
  for (const { id, row } of chats)
    for (const child of [row.subagentComposerIds, row.subComposerIds].flat())
      if (typeof child === 'string' && child !== id && !parents.has(child)) parents.set(child, id)
  return chats.map((chat) => {
    const parent = parents.get(chat.id)
    const tells = textIn(objectIn(chat.row.subagentInfo).parentComposerId) !== undefined
    return parent === undefined || tells ? chat : { ...chat, parent }
  })
}
