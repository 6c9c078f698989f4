import type { AppStatus } from '../../../src/shared/ipc/app/app'
import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import {
  defaultPreferences,
  type VisibleSettings,
} from '../../../src/shared/model/settings/settings'
import { kindsOfContent } from './kinds-of-content'
import {
  bareContexts,
  busyLibrary,
  everySystem,
  forkContexts,
  systemContexts,
} from './library-scenarios'
import { createMemoryHome, type MemoryContext, type MemoryHome, summaryOf } from './memory-home'
import { everyLoss } from './memory-lost'
import { everyPlugin } from './memory-plugins'
import { countedRoots, everyRoot } from './memory-sources'
import { answered, called, type RowDraft, returned, rowsOf, said } from './rows'
import { manyHits, searchContexts } from './search-scenarios'

/** The home of a scenario, by the page's address: `?scenario=main&theme=dark`. */
export function homeOf(query: URLSearchParams): MemoryHome {
  const name = query.get('scenario') ?? 'main'
  const settings = settingsOf({
    preferences: {
      ...defaultPreferences,
      theme: query.get('theme') === 'dark' ? 'dark' : 'light',
      contrast: query.get('contrast') === 'more' ? 'more' : 'normal',
      density: query.get('density') === 'compact' ? 'compact' : 'comfortable',
      textZoom: Number(query.get('zoom') ?? 1),
    },
  })
  const status = statusOf()
  switch (name) {
    case 'main':
      return createMemoryHome({
        status,
        settings,
        contexts: libraryOf(),
        localServers: [ollama],
        hasBrokenConfig: query.has('broken-config'),
      })
    case 'statistics':
      return createMemoryHome({
        status,
        settings,
        contexts: busyLibrary(),
        uncounted: Number(query.get('uncounted') ?? 0),
      })
    case 'bare':
      return createMemoryHome({ status, settings, contexts: bareContexts() })
    case 'families':
      return createMemoryHome({
        status,
        settings,
        contexts: [...libraryOf(), ...forkContexts(12)],
        joinsFamilies: true,
      })
    case 'sources':
      return createMemoryHome({
        status,
        settings,
        contexts: libraryOf(),
        sources: everyRoot(query.has('given') ? 'root-option' : 'settings'),
      })
    case 'plugins':
      return createMemoryHome({ status, settings, contexts: libraryOf(), plugins: everyPlugin() })
    case 'kinds':
      return createMemoryHome({ status, settings, contexts: kindsOfContent() })
    case 'empty':
      return createMemoryHome({ status, settings, contexts: [] })
    case 'no-model':
      return createMemoryHome({
        status,
        settings: { ...settings, ...notReady },
        contexts: libraryOf(),
      })
    case 'practice':
      return createMemoryHome({
        status,
        settings: { ...settings, provider: 'practice' },
        contexts: libraryOf(),
      })
    case 'first-run':
      return createMemoryHome({
        status: {
          ...status,
          phase: 'first-run',
          home: { ...status.home, exists: false, contexts: 0 },
        },
        settings: { ...settings, ...notReady },
        contexts: [],
        localServers: [ollama],
        ...(query.has('found') ? { sources: countedRoots() } : {}),
      })
    case 'unreadable-home':
      return createMemoryHome({
        status: {
          ...status,
          phase: 'unreadable',
          problem: '/home/mira/.chibi cannot be used: permission denied.',
        },
        settings,
        contexts: [],
      })
    case 'library-failure':
      return createMemoryHome({
        status,
        settings,
        contexts: [],
        libraryFailure: new AppError(
          'unreadable',
          '~/.chibi/contexts cannot be used: permission denied.',
          {
            detail: 'EACCES: permission denied, scandir',
          },
        ),
      })
    case 'loading':
      return createMemoryHome({ status, settings, contexts: libraryOf(), isStuck: true })
    case 'faults':
      return createMemoryHome({
        status,
        settings: {
          ...settings,
          model: { value: 'claude-sonnet-4.5', origin: 'config.toml', where: 'config.toml:3' },
          keychain: 'weak',
          key: { present: false },
          ready: false,
          notReady: 'There is no key for openrouter.ai.',
          faults: [
            {
              file: 'config.toml',
              line: 18,
              key: 'reasoning_effort',
              message:
                'reasoning_effort must be one of xhigh, high, medium, low, minimal, none; it is not used.',
            },
          ],
        },
        contexts: libraryOf(),
      })
    case 'states':
      return createMemoryHome({ status, settings, contexts: stateContexts() })
    case 'lost':
      return createMemoryHome({
        status,
        settings,
        contexts: [...libraryOf(), ...goneContexts()],
        lost: {
          ...everyLoss(),
          ...(query.has('failure')
            ? {
                failure: new AppError(
                  'unreadable',
                  '~/.chibi/contexts cannot be used: permission denied.',
                ),
              }
            : {}),
        },
      })
    case 'hostile':
      return createMemoryHome({ status, settings, contexts: [contextOf('hostile', hostileRows)] })
    case 'long':
      return createMemoryHome({
        status,
        settings,
        contexts: [contextOf('long', longRows(Number(query.get('rows') ?? 3000)))],
      })
    case 'long-answers':
      return createMemoryHome({
        status,
        settings,
        contexts: [
          contextOf('short', [said('Hello'), answered('Hello.')], { updated: ago(0) }),
          contextOf('answers', longAnswers(), { updated: ago(1) }),
          contextOf('among', [...longAnswers().slice(0, 2), ...longRows(60)], { updated: ago(2) }),
        ],
      })
    case 'landing':
      return createMemoryHome({
        status,
        settings,
        contexts: [
          contextOf('short', [said('Hello'), answered('Hello.')], { updated: ago(0) }),
          contextOf('long', longRows(3000), { updated: ago(1) }),
          contextOf('folded', foldedRows(), { updated: ago(2) }),
        ],
      })
    case 'branches':
      return createMemoryHome({
        status,
        settings: query.has('no-key') ? { ...settings, ...notReady } : settings,
        contexts: familyContexts(),
        isCounting: query.has('counting'),
      })
    case 'wide-family':
      return createMemoryHome({ status, settings, contexts: wideFamily(400) })
    case 'fan-family':
      return createMemoryHome({ status, settings, contexts: fanFamily(60) })
    case 'search':
      return createMemoryHome({
        status,
        settings,
        contexts: searchContexts(),
        searchNotices: query.has('notice')
          ? ['~/.cycod/history/chat-history-17.jsonl cannot be used: permission denied.']
          : [],
      })
    case 'search-many':
      return createMemoryHome({ status, settings, contexts: manyHits(1240) })
    case 'many':
      return createMemoryHome({ status, settings, contexts: manyContexts(4318) })
    case 'listing':
      return createMemoryHome({
        status,
        settings,
        contexts: manyContexts(60),
        listsInParts: true,
      })
    case 'every-system':
      return createMemoryHome({ status, settings, contexts: everySystem() })
    case 'systems':
      return createMemoryHome({
        status,
        settings,
        contexts: systemContexts(Number(query.get('rows') ?? 24)),
      })
    default:
      throw new Error(`no scenario ${name}`)
  }
}

const ollama = {
  name: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: ['qwen3:14b', 'llama3.2:3b', 'gemma3:4b', 'phi4:14b'],
}

const notReady = {
  ready: false,
  notReady: 'There is no key for openrouter.ai.',
  key: { present: false },
} as const

function statusOf(): AppStatus {
  return {
    phase: 'ready',
    home: {
      path: '/home/mira/.chibi',
      shown: '~/.chibi',
      exists: true,
      contexts: 23,
      sample: false,
    },
    version: '0.1.0',
    platform: 'linux',
  }
}

function settingsOf(more: Partial<VisibleSettings>): VisibleSettings {
  return {
    preferences: { ...defaultPreferences, theme: 'light', contrast: 'normal' },
    provider: 'endpoint',
    model: { value: 'claude-sonnet-4.5', origin: 'config.toml', where: 'config.toml:3' },
    baseUrl: { value: 'https://openrouter.ai/api/v1', origin: 'default', where: 'default' },
    username: { value: 'mira', origin: 'config.toml', where: 'config.toml:1' },
    key: { present: true, hint: 'sk-or-…7f3c', origin: 'settings', where: 'keychain' },
    keychain: 'strong',
    ready: true,
    faults: [],
    ...more,
  }
}

function contextOf(
  title: string,
  drafts: readonly RowDraft[],
  more: Partial<ConversationSummary> & Pick<MemoryContext, 'details' | 'failure' | 'family'> = {},
): MemoryContext {
  const { details, failure, family, ...summary } = more
  return {
    summary: summaryOf(title, summary),
    rows: rowsOf(drafts, {
      context: title,
      startsAt: Math.floor(Date.now() / 1000) - drafts.length * 20,
    }),
    ...(details === undefined ? {} : { details }),
    ...(failure === undefined ? {} : { failure }),
    ...(family === undefined ? {} : { family }),
  }
}

const hourMs = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString()

function libraryOf(): MemoryContext[] {
  const titles: readonly (readonly [string, number, Partial<ConversationSummary>?])[] = [
    ['flaky-upload-test', 0.3, { lock: { state: 'ours' } }],
    ['release-notes-2-4', 0.5],
    ['tide-table-bot', 0.8],
    ['why-is-the-second-query-slower', 1.2],
    ['demo-walk-through', 1.6],
    ['rename-account-to-ledger', 2],
    ['grant-guidelines', 2.6],
    ['image-cache-out-of-the-repo', 25, { damaged: 1 }],
    ['event-bus-types', 27],
    ['ragged-invoices', 28],
    [
      'cli-flags-to-subcommands',
      29,
      {
        lock: {
          state: 'held',
          holder: 'chibi (process 48213)',
          beatAt: Date.now() / 1000 - 6,
          staleAt: Date.now() / 1000 + 39,
        },
      },
    ],
    ['retry-budget', 31],
    ['broken-kettle', 34],
    ['timeline-drifts-after-resume', 60],
    ['museum-floor-plan', 62],
    ['csv-reader-fixtures', 80],
    ['image-below-200-mb', 84],
    ['interview-questions', 110, { unreadable: 'permission denied' }],
    ['settings-by-concern', 120],
    ['memory-while-tailing', 140],
    ['thumbnails-backfill', 400],
    ['last-reading-per-station', 500],
    ['tram-timetable', 900],
    ['seed-catalogue', 1000],
    ['first-steps', 3000],
  ]
  return [
    contextOf('import-gap', mainRows, { updated: ago(0), details: mainDetails }),
    ...titles.map(([title, hours, more = {}]) =>
      contextOf(title, [said(`About ${title}`), answered(`An answer about ${title}.`)], {
        updated: ago(hours),
        bytes: 41_000,
        ...more,
      }),
    ),
  ]
}

/** Conversations of another system whose files went away. */
function goneContexts(): MemoryContext[] {
  return ['Port the parser to streams', 'House rules for code review'].map((title, index) =>
    contextOf(title, [], {
      source: 'fluux',
      key: LibraryKey.parse(`fluux:room-${index}`),
      updated: ago(3 + index),
      gone: true,
      failure: new AppError(
        'not-found',
        `The conversation "fluux:room-${index}" no longer exists.`,
      ),
    }),
  )
}

const mainDetails = {
  partitions: 2,
  todos:
    '- [x] Reproduce the gap with one night of data\n- [x] Compare times in UTC\n- [ ] Test both passes of the clock change\n- [ ] Backfill 25 October after a dry run\n',
  goals: 'No stored row is touched. Every hour of the night is in the table **once**.',
  notices: ['1769900000-1769990000.jsonl is not in the manifest; it was read anyway.'],
  damaged: 1,
  blank: 2,
}

const usage = (total: number) => ({
  model: 'claude-sonnet-4.5',
  usage: { prompt_tokens: total - 260, completion_tokens: 260, total_tokens: total },
})

const mainRows: readonly RowDraft[] = [
  { from: 'system', content: 'Context created', entry_type: 'context_created' },
  said('What reads the raw files, and where does it keep the last time seen?'),
  answered(
    'One function: `import_rows` in `station/importer.py`. It keeps the last time of each station in the table `seen` and skips what is not newer.',
    { metadata: usage(1184) },
  ),
  {
    from: 'system',
    content: 'Context compacted',
    entry_type: 'compaction',
    metadata: { summary: 'The importer was read. The **duplicate check** compares times as text.' },
  },
  { from: 'system', content: 'Context created', entry_type: 'context_created' },
  said(
    'The 02:30 import skipped an hour again on the night of the clock change. The rows from 02:00 to 02:59 are in `raw/2026-10-25.csv`, not in the table. Find out why and fix it, without touching rows that are already stored.',
  ),
  called('read_file', { path: 'station/importer.py', first: 40, last: 118 }, 'call_1', {
    metadata: { model: 'claude-sonnet-4.5' },
  }),
  returned(
    'read_file',
    Array.from({ length: 79 }, (_, line) => `${line + 40}    row = rows[${line}]`).join('\n'),
    'call_1',
  ),
  called('run', { command: 'pytest tests/test_clock.py -q' }, 'call_2'),
  returned(
    'run',
    'Error: 1 failed, 3 passed in 0.41s\nFAILED tests/test_clock.py::test_second_pass',
    'call_2',
  ),
  answered(
    `The parser is fine; the **duplicate check** dropped the rows. It compared local times, and when the clocks go back 02:00 to 02:59 happens twice:

1. the first pass stored 02:59 \`+02:00\` as the last time seen,
2. the second 02:00 \`+01:00\` looked older, so every row up to 02:59 was skipped.

Times are now compared in UTC. Stored rows stay as they are; this brings the missing hour in:

\`\`\`python
def import_rows(rows, last_seen_utc):
    for row in rows:
        stamp = parse_utc(row["time"], row["offset"])  # never local
        if stamp <= last_seen_utc:
            continue
        yield stamp, float(row["level"])
\`\`\``,
    {
      metadata: {
        ...usage(3412),
        reasoning:
          'One hour, once a year, on the night the clocks go back: local times repeat, so the comparison of local times must be wrong.',
      },
    },
  ),
  {
    damaged: '{"id":"6f1c","timestamp":1764000800,"from":"import-gap","content":"half a li',
    reason: 'text ends inside a string',
  },
]

function stateContexts(): MemoryContext[] {
  return [
    contextOf('broke-off', [
      said('Keep the order stable, please.'),
      answered(
        'There are two ways to keep the order stable. The first sorts by the sequence number that the writer puts on every',
        {
          metadata: { model: 'gpt-5.1', interrupted: 'failed', usage: { completion_tokens: 612 } },
        },
      ),
      {
        from: 'system',
        entry_type: 'run_error',
        content: 'openrouter.ai closed the stream before the answer ended.',
        metadata: {
          kind: 'cut',
          message: 'openrouter.ai closed the stream before the answer ended.',
          advice: 'The partial answer is kept. Try again.',
          attempts: 3,
          status: 502,
          response: '<html><body>502 Bad Gateway</body></html>',
        },
      },
    ]),
    contextOf(
      'locked-out',
      [
        said('Give `list` and `show` one table of flags.'),
        answered(
          'Subcommands are in place; `list` and `show` share their flags through one table.',
          {
            metadata: usage(800),
          },
        ),
      ],
      {
        lock: {
          state: 'held',
          holder: 'chibi (process 48213)',
          beatAt: Date.now() / 1000 - 6,
          staleAt: Date.now() / 1000 + 39,
        },
      },
    ),
    contextOf('gone', [], {
      failure: new AppError('not-found', 'The conversation "gone" no longer exists.'),
    }),
    contextOf('forbidden', [], {
      unreadable: 'permission denied',
      failure: new AppError(
        'unreadable',
        'contexts/forbidden/transcript cannot be used: permission denied.',
        {
          detail: 'EACCES: permission denied, open',
        },
      ),
    }),
    contextOf('nothing-yet', [
      { from: 'system', content: 'Context created', entry_type: 'context_created' },
    ]),
    contextOf('odd-entries', [
      said('Carry on.', { from: 'otto' }),
      {
        entry_type: 'weather_report',
        from: 'station',
        to: 'odd-entries',
        content: '{"rain": true}',
      },
      {
        from: 'odd-entries',
        to: 'call_user',
        entry_type: 'flow_control_call',
        content: '{"message":"Found it: see notes/moon.txt"}',
        tool_call_id: 'c',
      },
      {
        from: 'call_user',
        to: 'odd-entries',
        entry_type: 'flow_control_result',
        content: 'Returning to user',
        tool_call_id: 'c',
      },
      { entry_type: 'system_prompt_changed', from: 'system', content: 'You are terse.' },
      answered('A half', { metadata: { interrupted: 'crashed' } }),
      answered('Saved from a broken line.', { metadata: { recovered: true } }),
      answered('Not all of it is text: \ufffd', { metadata: { damaged: true } }),
      called('run', 'this is no JSON {', 'x'),
      called('run', { command: 'make' }, 'saved-1'),
      returned('run', 'cc -c main.c\ncc -c util.c\n', 'saved-1', {
        metadata: {
          is_error: true,
          saved_output: { file: 'make.txt', from: 0, to: 27, bytes: 4096, shown: 27 },
        },
      }),
      called('run', { command: 'make test' }, 'saved-2'),
      returned('run', 'Output too large (61.2KB).', 'saved-2', {
        metadata: {
          is_error: true,
          saved_output: { file: 'test.txt', from: 0, to: 26, missing: 'gone' },
        },
      }),
      { damaged: '{"id":"torn', reason: 'the line ends before its value', torn: true },
    ]),
  ]
}

const hostileRows: readonly RowDraft[] = [
  said('<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'),
  answered(`<script>window.hacked=1</script>

<iframe src="https://example.org"></iframe>

[click](javascript:window.hacked=1) and [data](data:text/html,<script>1</script>) and [fine](https://example.org/a?b=c)

![a picture](https://example.org/tracker.png) ![inline](data:image/png;base64,${'A'.repeat(400)})

A \u202eright-to-left\u202c override, a bell \u0007, an escape \u001b[31mred\u001b[0m.

${'>'.repeat(300)} deep quote

${'- '.repeat(200)}deep list`),
  answered(`\`\`\`js\nif (isAdmin\u202e\u2066) {} // \u2069\u2066\n\`\`\``),
  answered('x'.repeat(1_000_000)),
  answered(
    `\`\`\`\n${Array.from({ length: 10_000 }, (_, line) => `line ${line + 1}`).join('\n')}\n\`\`\``,
  ),
  called('run', { command: '<b>bold</b>' }, 'h'),
  returned(
    'run',
    Array.from({ length: 10_000 }, (_, line) => `${line + 1} <i>output</i>`).join('\n'),
    'h',
  ),
]

/** Turns of different heights, the longer ones with code. */
function longRows(count: number): readonly RowDraft[] {
  return Array.from({ length: count }, (_, index): RowDraft => {
    if (index % 2 === 0)
      return said(`Question ${index}: ${'why is that so? '.repeat((index % 5) + 1)}`)
    const code = index % 7 === 0 ? '\n\n```js\nconst a = 1\nconst b = 2\nconst c = a + b\n```' : ''
    return answered(
      `Answer ${index}. ${'Because of this and of that. '.repeat((index * 7) % 23)}${code}`,
    )
  })
}

/** Three answers of 40 parts each, some 20,000 characters with headings, lists, tables and code; the last part of one has a word of its own. */
function longAnswers(): readonly RowDraft[] {
  const part = (answer: number, at: number) =>
    [
      `## Part ${at} of answer ${answer}`,
      `${'Because of this and of that. '.repeat((at * 7) % 11)}So it is.`,
      `- pear ${at}\n- **plum** and \`fig\`\n  1. one\n  2. two`,
      at % 3 === 0 ? '| what | how many |\n| - | -: |\n| pears | 3 |\n| plums | 14 |' : '',
      `\`\`\`ts\n${`const a${at} = ${answer}\n`.repeat((at % 5) + 1)}\`\`\``,
      'A last word on it, which is a little longer than a line of text is, so that it goes on in the next one. '.repeat(
        2,
      ),
    ]
      .filter((text) => text !== '')
      .join('\n\n')
  return Array.from({ length: 3 }, (_, answer) => [
    said(`Question ${answer}`),
    answered(
      `${Array.from({ length: 40 }, (_, at) => part(answer, at)).join('\n\n')}\n\nThe end of answer ${answer}${answer === 1 ? ', with a needle' : ''}.`,
    ),
  ]).flat()
}

/** Four ways of one conversation, one of them another system's, and one that has nothing to do with them. */
function familyContexts(): MemoryContext[] {
  const begin = [
    said('What reads the raw files, and where does it keep the last time seen?'),
    answered('One function: `import_rows` in `station/importer.py`.'),
  ]
  const gap = said('The 02:30 import skipped an hour again. Find out why and fix it.')
  const fix = answered(
    'The **duplicate check** compared local times. Times are now compared in UTC.',
  )
  const foreign = LibraryKey.parse('cycod:chat-history-1762034')
  return [
    contextOf(
      'import-gap',
      [
        ...begin,
        gap,
        called('read_file', { path: 'a.py' }, 'g1'),
        returned('read_file', 'def import_rows():', 'g1'),
        fix,
        said('Add a test for the night of the change.'),
        answered('It is in `tests/test_clock.py`.'),
      ],
      {
        updated: ago(0),
        family: 'gap',
      },
    ),
    contextOf(
      'import-gap-2',
      [
        ...begin,
        gap,
        called('read_file', { path: 'a.py' }, 'g1'),
        returned('read_file', 'def import_rows():', 'g1'),
        answered('Store the offset with each row, then compare.'),
        said('With a check constraint, please.'),
        answered('The constraint is in `schema.sql`.'),
      ],
      { updated: ago(1), family: 'gap' },
    ),
    contextOf(
      'import-gap-3',
      [
        ...begin,
        said('Leave it to the database: ask for a migration.'),
        answered('A migration is ready.'),
      ],
      {
        updated: ago(2),
        family: 'gap',
      },
    ),
    contextOf(
      'Where does the gap start?',
      [
        ...begin,
        said('Where does the gap start?'),
        answered('At 02:00, on the night of the change.'),
        said('Try it with pandas.'),
        answered('```python\nimport pandas as pd\n```'),
      ],
      {
        key: foreign,
        source: 'cycod',
        project: 'station-log',
        updated: ago(3),
        family: 'gap',
      },
    ),
    contextOf('tide-table', [said('When is high water?'), answered('At 14:10.')], {
      updated: ago(4),
    }),
  ]
}

/** Many conversations that fork from one another at their beginnings. */
/** Conversations that all go on differently from one place. */
function fanFamily(count: number): MemoryContext[] {
  return Array.from({ length: count }, (_, index) =>
    contextOf(`way-${String(index).padStart(3, '0')}`, [said('Begin.'), said(`Way ${index}`)], {
      updated: ago(index),
      family: 'fan',
    }),
  )
}

function wideFamily(count: number): MemoryContext[] {
  return Array.from({ length: count }, (_, index) =>
    contextOf(
      `way-${String(index).padStart(3, '0')}`,
      [
        said('Begin.'),
        answered('It has begun.'),
        ...Array.from({ length: index % 6 }, (_, depth) => said(`Step ${depth} of ${index % 9}`)),
        said(`Way ${index}`),
      ],
      { updated: ago(index), family: 'wide' },
    ),
  )
}

/** What is looked for stands behind folds and cuts, between many other turns. */
function foldedRows(): readonly RowDraft[] {
  const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}`)
  return [
    ...longRows(200),
    called('run', { command: 'make' }, 'f'),
    returned('run', [...lines(900), 'the Needle in the output', ...lines(300)].join('\n'), 'f'),
    answered('It is made.', {
      metadata: { reasoning: 'Perhaps the *needle* does it.' },
    }),
    answered(`\`\`\`text\n${lines(600).join('\n')}\nneedle in code\n\`\`\``),
    ...longRows(200),
  ]
}

function manyContexts(count: number): MemoryContext[] {
  return Array.from({ length: count }, (_, index) =>
    contextOf(
      `conversation-${String(index).padStart(4, '0')}`,
      [said('Hello'), answered('Hello.')],
      {
        updated: ago(index * 2),
      },
    ),
  )
}
