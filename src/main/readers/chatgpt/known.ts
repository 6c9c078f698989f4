import {
  type KnownFormat,
  type KnownObject,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

const parts = {
  parts: knownList(
    knownObject(
      [],
      {},
      knownTypes('content_type', [
        ['image_asset_pointer', 'any'],
        ['audio_transcription', 'any'],
        ['audio_asset_pointer', 'any'],
        ['real_time_user_audio_video_asset_pointer', 'any'],
      ]),
    ),
  ),
}

/** The types of contents that `contentOf` converts, with their fields. */
const contents: readonly (readonly [string, KnownObject])[] = [
  ['text', knownObject(['text'], parts)],
  ['multimodal_text', knownObject(['text'], parts)],
  ['code', knownObject(['language', 'response_format_name', 'text'])],
  ['execution_output', knownObject(['text'])],
  ['thoughts', knownObject(['thoughts', 'source_analysis_msg_id'])],
  ['reasoning_recap', knownObject(['content'])],
  ['tether_quote', knownObject(['url', 'domain', 'text', 'title', 'tether_id'])],
  ['tether_browsing_display', knownObject(['result', 'summary', 'assets', 'tether_id'])],
  ['system_error', knownObject(['name', 'text'])],
  ['user_editable_context', knownObject(['user_profile', 'user_instructions'])],
]

const message = knownObject(
  [
    'id',
    'create_time',
    'update_time',
    'status',
    'end_turn',
    'weight',
    'metadata',
    'recipient',
    'channel',
  ],
  {
    author: knownObject(['name', 'metadata'], {
      role: knownNames(['user', 'assistant', 'tool', 'system']),
    }),
    content: knownObject(['content_type'], {}, knownTypes('content_type', contents)),
  },
)
const node = knownObject(['id', 'parent', 'children'], { message })

/** Table of what the reader knows of ChatGPT's nodes. Exports name no version; the members of a conversation are not looked at. */
export const chatgptFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value) =>
      'message' in value || 'children' in value || 'parent' in value ? node : 'any',
  },
}
