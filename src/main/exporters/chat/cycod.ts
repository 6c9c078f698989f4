import type { JsonObject } from '../../../shared/model/basics/json-object'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import { creationSeconds } from '../parts/exact-time'
import type { Exporter } from '../parts/exporter'
import { isLeftOut } from '../parts/loss'
import { exportedEntriesWhere } from '../parts/rows'
import { sourceMeta } from '../parts/source-meta'
import { chatGroups } from './chat-groups'
import { createChatMessages, lostInChat } from './chat-message'

/**
 * A history of cycod (`chat-history-*.jsonl`): a byte order mark, the line with the title, then OpenAI's messages; no line
 * feed at the end. Reasoning and times have no place in it. What a history of cycod says of itself (`_meta`) stays.
 */
export const cycodExporter: Exporter = {
  id: 'cycod',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'active',
  hasBranches: false,
  hasProject: false,
  hasMeta: true,
  fileName: ({ created }) => `chat-history-${millisecondsOf(created)}.jsonl`,
  lostOf: (entry, conversation) => lostInChat(entry, conversation, true),
  async *write(conversation, options, signal) {
    // A history without a title gets one from cycod: the key takes its place.
    const title = (options.title ?? conversation.title).trim() || conversation.key.trim()
    const own = (await sourceMeta(conversation)) ?? {}
    const isSame = typeof own.title === 'string' && own.title.trim() === title
    const meta = isSame || title === '' ? own : withTitle(own, title)
    yield `\ufeff${wellFormedJson({ _meta: meta })}`
    const has = (entry: Entry) => !isLeftOut(lostInChat(entry, conversation, true))
    const message = createChatMessages(conversation, { withRawFields: true })
    const entries = exportedEntriesWhere(conversation, options, signal, has)
    for await (const group of chatGroups(entries, conversation.source))
      yield `\n${wellFormedJson(message(group))}`
  },
}

/** Sets a title in the place of its own, or before all else; the rest stays as it is. */
function withTitle(meta: JsonObject, title: string): JsonObject {
  return 'title' in meta ? { ...meta, title } : { title, ...meta }
}

/** cycod has the beginning of a history in its file's name only: in milliseconds, of 13 digits. */
function millisecondsOf(created: string | null): string {
  return String(Math.round(creationSeconds(created) * 1000)).padStart(13, '0')
}
