import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/shared/model/basics/json-object'
import { onePoint } from './images'
import { chunk, eventStream } from './raw-server'
import { refusal, type ScriptedAnswer, type Step } from './scripted-server'

/** Content of the transcript at the end of the run. */
interface Kept {
  readonly outcome: 'complete' | 'failed'
  /** Of the last answer; '' where none is kept. */
  readonly content: string
  /** Fields of its metadata. */
  readonly metadata?: JsonObject
  /** Part of what the failure says. */
  readonly failure?: string
}

const complete = (content: string, metadata: JsonObject = {}): Kept => ({
  outcome: 'complete',
  content,
  metadata,
})
const failed = (content: string, failure: string): Kept => ({
  outcome: 'failed',
  content,
  failure,
})

const hello = eventStream(chunk({ role: 'assistant', content: 'Hello ' }))
const end = eventStream(chunk({ content: 'there.' }), chunk({}, 'stop'), '[DONE]')
/** Makes an answer of these words, whole. */
export const words = (text: string, finish: unknown = 'stop', more: object = {}) =>
  eventStream(
    { choices: [{ index: 0, delta: { content: text }, finish_reason: finish }], ...more },
    '[DONE]',
  )
const json = { 'content-type': 'application/json' }
const image = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`
const flood = 'The bed is flooded.'
const bare = (text: string) => text.replace(/\n\n/g, '\n')

/** Each is played over HTTP into a home on the disk; what it is called says what the server does. */
export const servers: readonly (readonly [
  name: string,
  answer: ScriptedAnswer | readonly Step[],
  kept: Kept,
])[] = [
  // Whole answers, however they travel.
  [
    'packets of one byte',
    [...Buffer.from(hello + end)].map((byte) => Uint8Array.of(byte)),
    complete('Hello there.'),
  ],
  ['one line feed between events', [bare(hello + end)], complete('Hello there.')],
  ['carriage returns', [(hello + end).replaceAll('\n', '\r\n')], complete('Hello there.')],
  ['a byte order mark', ['\uFEFF', hello, end], complete('Hello there.')],
  [
    'heartbeats, empty events and events of its own',
    [': beat\n\ndata:\n\n', hello, 'event: ping\ndata: {"t":1}\n\n', end],
    complete('Hello there.'),
  ],
  [
    'a stream that is called JSON',
    { headers: json, steps: [hello, end] },
    complete('Hello there.'),
  ],
  [
    'one document, called a stream',
    [JSON.stringify({ choices: [{ message: { content: 'Whole.' } }] })],
    complete('Whole.'),
  ],
  [
    'a document with [DONE] behind it',
    [JSON.stringify({ choices: [{ message: { content: 'Whole.' } }] }), '\n\ndata: [DONE]\n'],
    complete('Whole.'),
  ],
  [
    'gzip, though nobody asked for it',
    {
      headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
      steps: [gzipSync(hello + end)],
    },
    complete('Hello there.'),
  ],
  [
    'content as parts',
    [eventStream(chunk({ content: [{ type: 'text', text: 'In parts.' }] }, 'stop'), '[DONE]')],
    complete('In parts.'),
  ],
  [
    'content as an object',
    [eventStream(chunk({ content: { text: 'An object.' } }, 'stop'), '[DONE]')],
    complete('An object.'),
  ],
  [
    'a choice’s index as text',
    [
      eventStream(
        { choices: [{ index: '0', delta: { content: 'Zero.' }, finish_reason: 'stop' }] },
        '[DONE]',
      ),
    ],
    complete('Zero.'),
  ],
  ['a finish reason that is an object', [words('Ended.', { type: 'stop' })], complete('Ended.')],
  [
    'a finish reason in every piece',
    [
      eventStream(chunk({ content: 'Half ' }, 'stop')),
      eventStream(chunk({ content: 'and half.' }, 'stop'), '[DONE]'),
    ],
    complete('Half and half.'),
  ],
  ['no finish reason but [DONE]', [hello, 'data: [DONE]\n\n'], complete('Hello ')],
  ['a reset behind [DONE]', [hello, end, 'reset'], complete('Hello there.')],

  // Ends that are none.
  [
    'the word "null", then a reset',
    [eventStream(chunk({ content: 'Half' }, 'null')), 'reset'],
    failed('Half', 'ended'),
  ],
  ['a reset in the middle', [hello, 'reset'], failed('Hello ', 'ended')],
  ['an end without a finish reason', [hello], failed('Hello ', 'ended')],
  ['an end within an event', [hello, 'data: {"choices":[{"del'], failed('Hello ', '')],
  ['nothing at all', [''], failed('', '')],
  [
    'a page',
    { headers: { 'content-type': 'text/html' }, steps: ['<html>Log in</html>'] },
    failed('', 'Log in'),
  ],

  // Words for an answer that is not whole.
  ...(['length', 'model_length', 'MAX_TOKENS'] as const).map(
    (word) =>
      [
        `finish reason ${word}`,
        [words('Wash the', word)],
        complete('Wash the', { finish: 'length' }),
      ] as const,
  ),
  ...(['content_filter', 'sensitive', 'SAFETY'] as const).map(
    (word) =>
      [
        `finish reason ${word}`,
        [words('Wash the', word)],
        complete('Wash the', { finish: 'filtered' }),
      ] as const,
  ),
  ...(['insufficient_system_resource', 'network_error', 'abort', 'sunspots'] as const).map(
    (word) =>
      [
        `finish reason ${word}`,
        [words('Wash the', word)],
        complete('Wash the', { finish: 'broken', finish_word: word }),
      ] as const,
  ),
  ['finish reason error', [hello, eventStream(chunk({}, 'error'))], failed('Hello ', 'error')],

  // Errors, in the middle and behind the end.
  ...[
    ['an event named error', `event: error\ndata: ${JSON.stringify({ message: flood })}\n\n`],
    ['an error field', eventStream({ error: { message: flood, code: 500 } })],
    ['an error as text', eventStream({ error: flood })],
    ['an object called error', eventStream({ object: 'error', message: flood, code: 500 })],
    [
      'error_type and error_message',
      eventStream({ error_type: 'overloaded', error_message: flood }),
    ],
    ['code and message', eventStream({ code: 'Throttling', message: flood })],
    ['base_resp', eventStream({ base_resp: { status_code: 1002, status_msg: flood } })],
    [
      'an error of the choice',
      eventStream({ choices: [{ index: 0, delta: {}, error: { message: flood } }] }),
    ],
  ].flatMap(([name = '', error = '']) => [
    [`${name}, at once`, [error], failed('', flood)] as const,
    [`${name}, in the middle`, [hello, error, end], failed('Hello ', flood)] as const,
    [`${name}, behind [DONE]`, [hello, end, error], failed('Hello there.', flood)] as const,
  ]),
  ...[{ error: '' }, { error: false }, { error: {} }, { error: { code: 0 } }].map(
    (none) =>
      [
        `no error: ${JSON.stringify(none)}`,
        [hello, eventStream(none), end],
        complete('Hello there.'),
      ] as const,
  ),

  // Thoughts.
  ...['reasoning', 'reasoning_content', 'reasoning_text', 'thinking'].map(
    (field) =>
      [
        `thoughts in ${field}`,
        [eventStream(chunk({ [field]: 'Hm.' })), words('Said.')],
        complete('Said.', { reasoning: 'Hm.' }),
      ] as const,
  ),
  [
    'thinking parts',
    [eventStream(chunk({ content: [{ type: 'thinking', thinking: 'Hm.' }] })), words('Said.')],
    complete('Said.', { reasoning: 'Hm.' }),
  ],
  [
    'think tags, cut anywhere',
    [...'<think>Hm.</think>Said.']
      .map((letter) => eventStream(chunk({ content: letter })))
      .concat(words('')),
    complete('Said.', { reasoning: 'Hm.' }),
  ],
  ['think tags in code', [words('`<think>` opens it.')], complete('`<think>` opens it.')],

  // What comes beside the words.
  [
    'citations at the top',
    [words('Bees[1].', 'stop', { citations: ['https://example.org/a'] })],
    complete('Bees[1].', { citations: [{ url: 'https://example.org/a' }] }),
  ],
  [
    'search results',
    [words('Bees[1].', 'stop', { search_results: [{ title: 'A', url: 'https://example.org/a' }] })],
    complete('Bees[1].', { citations: [{ url: 'https://example.org/a', title: 'A' }] }),
  ],
  [
    'an image',
    [
      eventStream(
        chunk({ content: 'Look.', images: [{ image_url: { url: image } }] }, 'stop'),
        '[DONE]',
      ),
    ],
    complete('Look.', { images: [expect.objectContaining({ mime: 'image/png' })] }),
  ],
  [
    'token counts in the choice',
    [
      eventStream(
        {
          choices: [
            {
              index: 0,
              delta: { content: 'Said.' },
              finish_reason: 'stop',
              usage: { prompt_tokens: 3, completion_tokens: 4 },
            },
          ],
        },
        '[DONE]',
      ),
    ],
    complete('Said.', { usage: { input: 3, output: 4 } }),
  ],
  [
    'token counts in x_groq',
    [words('Said.', 'stop', { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } })],
    complete('Said.', { usage: { input: 3, output: 4 } }),
  ],
  [
    'cache hits by another name',
    [
      words('Said.', 'stop', {
        usage: { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 5 },
      }),
    ],
    complete('Said.', { usage: { input: 9, output: 4, cached: 5 } }),
  ],

  // Refusals.
  [
    'a refusal with Retry-After as a date',
    refusal(403, flood, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    failed('', flood),
  ],
]
