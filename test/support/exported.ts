import fc from 'fast-check'
import { exporterOf } from '../../src/main/exporters/index'
import type {
  Exportable,
  Exporter,
  ExportOptions,
  toExportable,
} from '../../src/main/exporters/parts/exporter'
import { type Entry, EntryId } from '../../src/shared/model/conversation/entry'
import type { FileLedger } from '../../src/shared/model/conversation/transcript'
import { ExportFormat } from '../../src/shared/model/export'

/** Conversations for tests of the exporters. */

export type ReadShape = Parameters<typeof toExportable>[0]

/** An entry of a person, on line `line` of its file. */
export function entryAt(line: number, fields: Partial<Entry> = {}): Entry {
  return {
    id: EntryId.parse(`e${line}`),
    timestamp: 1_780_000_000 + line,
    from: 'user',
    to: 'garden',
    content: `text ${line}`,
    entry_type: 'message',
    role: 'user',
    file: 'transcript/active.jsonl',
    line,
    offset: line * 100,
    length: 90,
    ...fields,
  }
}

export function readShape(entries: readonly Entry[], fields: Partial<ReadShape> = {}): ReadShape {
  return {
    source: 'chibi',
    key: 'garden',
    title: 'Garden',
    project: null,
    created: '2026-05-28T20:26:40.000Z',
    updated: '2026-05-28T20:30:00.000Z',
    models: [],
    parent: null,
    active: entries.map(({ id }) => id),
    entries,
    ...fields,
  }
}

export function ledger(fields: Partial<FileLedger> = {}): FileLedger {
  return {
    file: 'transcript/active.jsonl',
    unit: 'line',
    lines: 0,
    entryLines: 0,
    control: 0,
    blank: 0,
    damaged: [],
    torn: false,
    ...fields,
  }
}

/** Formats of which two exports are equal, also from the command line: a session has a new id each time, and nothing prints there. */
export const equalFormats = ExportFormat.options.filter(
  (format) => exporterOf(format).isSession !== true && exporterOf(format).isPrinted !== true,
)

/** Formats that the command line writes too: it has nothing that prints. */
export const unprintedFormats = ExportFormat.options.filter(
  (format) => exporterOf(format).isPrinted !== true,
)

/** The file that an exporter makes. */
export async function written(
  exporter: Exporter,
  conversation: Exportable,
  options: Partial<ExportOptions> = {},
): Promise<string> {
  const pieces: string[] = []
  const all = { branches: exporter.branches, ...options }
  for await (const piece of exporter.write(conversation, all, new AbortController().signal))
    pieces.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'))
  return pieces.join('')
}

const hostile = fc.constantFrom(
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '</pre></details><svg onload=window.pwned=1>',
  '<!--',
  '-->',
  ']]>',
  '</style><style>*{display:none}</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '[press](javascript:window.pwned=1)',
  '[there](https://evil.example/a "a title")',
  '![pixel](https://evil.example/p.png)',
  '<javascript:alert(1)>',
  'https://evil.example/"onmouseover="x',
  '&lt;b&gt; &amp; &#0; &copy',
  '```',
  '~~~html',
  '# head',
  '| a | b |\n|---|---|\n| c | d | too many |',
  '[a]: https://evil.example/',
  '> - 7. x',
  '**bold** _it_ `code <b>`',
)
const words = fc.oneof(
  hostile,
  hostile,
  fc.constantFrom(
    'plain words',
    'grüße',
    '漢字',
    '\u2028',
    '\u001b[31m',
    '\r\n',
    '\ud83d',
    '\u202e',
    '\0',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** Text that tries to be more than text. */
const hostileText = fc
  .array(fc.tuple(words, fc.constantFrom(' ', '\n', '\n\n', '')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''))

const kinds = fc.constantFrom<Partial<Entry>>(
  { role: 'user' },
  { role: 'agent', to: 'user' },
  { role: 'agent', to: 'user', metadata: { model: '<b>model</b>', interrupted: 'stopped' } },
  { role: 'system' },
  { entry_type: 'reasoning', role: undefined },
  { entry_type: 'tool_call', role: undefined, to: '<i>tool</i>', tool_call_id: 'c1' },
  { entry_type: 'tool_result', role: undefined, from: '`tool`', tool_call_id: 'c1' },
  { entry_type: 'run_error', role: undefined },
  { entry_type: 'compaction', role: undefined },
  { entry_type: '<unknown>', role: undefined, metadata: { more: '<u>' } },
)

/** Conversations of any kind of entries with hostile text in every field. */
export const hostileConversation = fc
  .tuple(fc.array(fc.tuple(kinds, hostileText), { maxLength: 8 }), hostileText)
  .map(([parts, title]) =>
    readShape(
      parts.map(([kind, content], i) => {
        const metadata = kind.entry_type === 'compaction' ? { summary: content } : kind.metadata
        return entryAt(i + 1, { ...kind, content, ...(metadata === undefined ? {} : { metadata }) })
      }),
      { title, key: title || 'k', project: title, models: [title] },
    ),
  )
