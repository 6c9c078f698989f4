import type { Entry } from '../../shared/model/entry'
import { wellFormedJson } from '../../shared/model/well-formed'
import { chatGroups } from './chat-groups'
import { chatMessages, lostInChat } from './chat-message'
import { beginningOf } from './exact-time'
import type { Exporter } from './exporter'
import { isLeftOut } from './lost'
import { entriesOf } from './rows'

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
  fileName: ({ created }) => `chat-history-${millisecondsOf(created)}.jsonl`,
  lostOf: (entry, conversation) => lostInChat(entry, conversation, true),
  async *write(conversation, options, signal) {
    // A history without a title gets one from cycod: the key stands where there is none.
    const title = (options.title ?? conversation.title).trim() || conversation.key.trim()
    const meta = { ...(title === '' ? {} : { title }), titleLocked: false }
    yield `\ufeff${wellFormedJson({ _meta: meta })}`
    const has = (entry: Entry) => !isLeftOut(lostInChat(entry, conversation, true))
    const message = chatMessages(conversation, { withRawFields: true })
    const entries = entriesOf(conversation, options, signal, has)
    for await (const group of chatGroups(entries, conversation.source))
      yield `\n${wellFormedJson(message(group))}`
  },
}

/** cycod tells by its file's name alone when a history was begun: in milliseconds, of 13 digits. */
function millisecondsOf(created: string | null): string {
  return String(Math.round(beginningOf(created) * 1000)).padStart(13, '0')
}
