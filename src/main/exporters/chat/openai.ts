import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { Exporter } from '../parts/exporter'
import { isLeftOut } from '../parts/loss'
import { exportedEntriesWhere } from '../parts/rows'
import { chatGroups } from './chat-groups'
import { createChatMessages, lostInChat } from './chat-message'

/** `{"messages": [...]}` as OpenAI's chat completions take it and many programs with them. Reasoning and times have no place in it. */
export const openaiExporter: Exporter = {
  id: 'openai',
  extension: 'json',
  mediaType: 'application/json',
  branches: 'active',
  hasBranches: false,
  hasProject: false,
  lostOf: (entry, conversation) => lostInChat(entry, conversation, false),
  async *write(conversation, options, signal) {
    const has = (entry: Entry) => !isLeftOut(lostInChat(entry, conversation, false))
    const message = createChatMessages(conversation, { withRawFields: false })
    const entries = exportedEntriesWhere(conversation, options, signal, has)
    let before = '{"messages":[\n'
    for await (const group of chatGroups(entries, conversation.source)) {
      yield before + wellFormedJson(message(group))
      before = ',\n'
    }
    yield before === ',\n' ? '\n]}\n' : '{"messages":[]}\n'
  },
}
