import type { Entry } from '../../shared/model/entry'
import { chatGroups } from './chat-groups'
import { chatMessages, lostInChat } from './chat-message'
import type { Exporter } from './exporter'
import { isLeftOut } from './lost'
import { entriesOf } from './rows'
import { wellFormedJson } from './well-formed'

/**
 * A history of cycod (`chat-history-*.jsonl`): a byte order mark, the line with the title, then OpenAI's messages; no line
 * feed at the end. Reasoning and times have no place in it.
 */
export const cycod: Exporter = {
  id: 'cycod',
  label: 'cycod',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'active',
  hasDamaged: false,
  hasBranches: false,
  hasProject: false,
  lostOf: (entry, conversation) => lostInChat(entry, conversation, true),
  async *write(conversation, options, signal) {
    const title = (options.title ?? conversation.title).trim()
    const meta = { ...(title === '' ? {} : { title }), titleLocked: false }
    yield `\ufeff${wellFormedJson({ _meta: meta })}`
    const has = (entry: Entry) => !isLeftOut(lostInChat(entry, conversation, true))
    const message = chatMessages(conversation, { withRawFields: true })
    const entries = entriesOf(conversation, options, signal, has)
    for await (const group of chatGroups(entries, conversation.source))
      yield `\n${wellFormedJson(message(group))}`
  },
}
