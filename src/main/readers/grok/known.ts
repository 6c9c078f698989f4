import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Known, type KnownFormat, knownNames, knownObject } from '../known/known-format'

const response = knownObject(
  [
    ...['_id', 'conversation_id', 'message', 'create_time', 'parent_response_id', 'model'],
    ...['file_attachments', 'manual', 'partial', 'shared', 'query', 'query_type', 'metadata'],
    ...['web_search_results', 'xpost_ids', 'xposts', 'generated_image_urls', 'image_attachments'],
    ...[
      'media_types',
      'error',
      'steps',
      'agent_thinking_traces',
      'thinking_trace',
      'card_attachments',
    ],
    ...['card_attachments_json', 'cited_web_search_results', 'thinking_start_time'],
    ...['thinking_end_time'],
  ],
  { sender: knownNames(['human', 'user', 'assistant', 'ASSISTANT']) },
)
const record = knownObject(['share_link'], { response })

/** Table of what the reader knows of Grok's messages. Exports name no version; the members of a conversation are not looked at. */
export const grokFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value): Known => (isJsonObject(value.response) ? record : 'any'),
  },
}
