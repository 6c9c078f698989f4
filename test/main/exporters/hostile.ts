import fc from 'fast-check'
import { type Entry, EntryId } from '../../../src/shared/model/conversation/entry'
import { entryAt, type ReadShape, readShape } from '../../support/exported'

/** Conversations of any source, with all that a file may hold. */

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    ...['', '\0', '\ud83d', '\udc00x', 'a\u2028b\u2029', '\r\n', '\n', '\ufeff', '"\\/', '=1+1'],
    ...[
      '{"a":"\\ud83d"}',
      '__proto__',
      '\u007f',
      'grüße 漢字 😂',
      '\\ud83d',
      'words',
      "'x",
      '{"message":"Done.\\n"}',
      '[no speech detected]',
    ],
  ),
)
const metadata = fc.dictionary(
  fc.oneof(
    fc.constantFrom('model', 'usage', 'images', 'attachments', 'reaction', 'speech', 'audio'),
    fc.constantFrom('project', 'raw_type', 'raw_fields', 'msg_id', 'sender', 'raw_ts', '__proto__'),
    text,
  ),
  fc.oneof(
    text,
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      [{ url: 'https://example.org/a.png', detail: 'low' }],
      [{ type: 'input_audio', input_audio: { data: '' } }],
      [{ filename: 'a', mime_type: 'b', size: '1KB' }],
      { message_id: 'm', emojis: ['😂'] },
      { type: 'stt', version: 3, provider: '=openai', timing: 'stt 1.4s' },
      { file: 'a.mp3', duration_ms: 12 },
      { role: 'x', content: 1, more: '\ud83d' },
    ),
  ),
  { maxKeys: 4 },
)
const kinds = fc.constantFrom<Partial<Entry>>(
  { role: 'user' },
  { role: 'user', from: 'mira' },
  { role: 'agent', from: 'garden', to: 'user' },
  { role: undefined, to: 'user' },
  { role: 'system' },
  { entry_type: 'reasoning', role: undefined },
  { entry_type: 'tool_call', role: undefined, to: 'look', tool_call_id: 'c1' },
  { entry_type: 'tool_call', role: undefined, to: 'look' },
  { entry_type: 'tool_result', role: undefined, from: 'look', tool_call_id: 'c1' },
  { entry_type: 'tool_result', role: undefined, from: 'other' },
  { entry_type: 'flow_control_call', role: undefined, to: 'call_user' },
  { entry_type: 'flow_control_result', role: undefined, from: 'call_user' },
  { entry_type: 'system_prompt_changed', role: undefined },
  { entry_type: 'context_created', role: undefined, from: 'system' },
  { entry_type: 'run_error', role: undefined },
  { entry_type: 'unknown', role: undefined },
)
const timestamp = fc.oneof(
  fc.constantFrom(null, 0, 1_780_000_000, 1_780_000_000.25, 1_780_000_000.1234567, -5, 1e300),
  fc.double({ min: 0, max: 4e9, noNaN: true }),
)

export const anyConversation: fc.Arbitrary<ReadShape> = fc
  .tuple(
    fc.constantFrom('chibi', 'cycod', 'fluux', 'voicemode', 'codex'),
    fc.array(fc.tuple(kinds, text, metadata, timestamp, fc.boolean()), { maxLength: 8 }),
    text,
    text,
  )
  .map(([source, parts, title, key]) => {
    let line = 0
    const entries = parts.map(([kind, content, more, timestamp, isSameLine], i) => {
      if (!isSameLine) line += 1
      const place = { file: 'f.jsonl', line: line + 1, offset: line * 100, length: 90 }
      const id = EntryId.parse(i % 3 === 0 ? `L${i}` : `0000000${i}-0000-4000-8000-000000000000`)
      return entryAt(line, { ...kind, content, timestamp, metadata: more, id, ...place })
    })
    return readShape(entries, { source, title, key: key || 'k' })
  })
