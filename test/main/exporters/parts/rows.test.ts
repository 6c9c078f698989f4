import { describe, expect, it } from 'vitest'
import { exporterOf } from '../../../../src/main/exporters/index'
import { documentText, documentTime } from '../../../../src/main/exporters/parts/document-text'
import { exportedTurn } from '../../../../src/main/exporters/parts/exported-turn'
import { type Exportable, toExportable } from '../../../../src/main/exporters/parts/exporter'
import { exportedRows } from '../../../../src/main/exporters/parts/rows'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { ExportFormat, exportFormats } from '../../../../src/shared/model/export'
import { entryAt, ledger, readShape } from '../../../support/exported'

const id = (text: string) => EntryId.parse(text)
const damagedAt = (line: number) => ({
  line,
  offset: line * 100,
  length: 5000,
  reason: 'text ends inside a string',
  bytes: Buffer.from('{"id":"a').toString('base64'),
})

async function told(
  conversation: Exportable,
  branches: 'active' | 'all',
  family: readonly Exportable[] = [],
) {
  const rows: string[] = []
  for await (const row of exportedRows(
    conversation,
    { branches, family },
    new AbortController().signal,
  ))
    rows.push(
      row.type === 'entry'
        ? row.entry.id
        : row.type === 'damaged'
          ? `damaged ${row.damaged.file}:${row.damaged.line}${row.damaged.torn === true ? ' torn' : ''}`
          : row.type === 'fork'
            ? `after ${row.from}`
            : `branch ${row.conversation.key}`,
    )
  return rows
}

describe('the rows of a document', () => {
  it('has every damaged line at its place, also in files without entries', async () => {
    const entries = [entryAt(1), entryAt(3), entryAt(4, { file: 'b', offset: 0 })]
    const files = [
      ledger({ damaged: [damagedAt(0), damagedAt(2), damagedAt(9)] }),
      ledger({ file: 'b' }),
      ledger({ file: 'c', damaged: [damagedAt(1)], torn: true }),
    ]
    expect(await told(toExportable(readShape(entries), files), 'active')).toEqual([
      'damaged transcript/active.jsonl:0',
      'e1',
      'damaged transcript/active.jsonl:2',
      'e3',
      'damaged transcript/active.jsonl:9',
      'e4',
      'damaged c:1 torn',
    ])
  })

  const tree = readShape(
    [
      entryAt(1, { parent: null, content: 'how large?' }),
      entryAt(2, { parent: id('e1'), role: 'agent', to: 'user', content: 'eighty' }),
      entryAt(3, { parent: id('e2'), entry_type: 'tool_result', role: undefined }),
      entryAt(4, { parent: id('e2'), entry_type: 'tool_result', role: undefined }),
      entryAt(5, { parent: id('e1'), role: 'agent', to: 'user', content: 'forty' }),
    ],
    { active: ['e1', 'e5'].map(id) },
  )

  it('is the active path, or every branch with a mark where one leaves; parallel results are no branch', async () => {
    expect(await told(toExportable(tree, []), 'active')).toEqual(['e1', 'e5'])
    expect(await told(toExportable(tree, []), 'all')).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
      'after how large?',
      'e5',
    ])
  })

  it('goes on with the rest of the family, without what was told', async () => {
    const fork = readShape([entryAt(1, { inherited: true }), entryAt(7)], { key: 'fork' })
    const family = [toExportable(fork, [ledger({ damaged: [damagedAt(8)] })])]
    expect(await told(toExportable(tree, []), 'active', family)).toEqual(['e1', 'e5'])
    expect((await told(toExportable(tree, []), 'all', family)).slice(-3)).toEqual([
      'branch fork',
      'e7',
      'damaged transcript/active.jsonl:8',
    ])
  })
})

describe('a row as a turn', () => {
  const turn = (fields: Parameters<typeof entryAt>[1]) =>
    exportedTurn({ type: 'entry', entry: entryAt(1, fields) })

  it('tells who speaks, in every era of chibi', () => {
    expect(
      [
        turn({ role: undefined, to: 'user', from: 'garden' }),
        turn({ role: undefined, from: 'mira' }),
        turn({ role: 'agent', metadata: { model: 'gpt-x' } }),
        turn({
          entry_type: 'flow_control_call',
          role: undefined,
          to: 'call_user',
          content: '{"message":"done"}',
        }),
        turn({
          entry_type: 'flow_control_call',
          role: undefined,
          to: 'call_user',
          content: '{"message":1}',
        }),
        turn({ content: '[20260102-1504+0100] hello' }),
      ].map(({ type, name, text }) => [type, name, text]),
    ).toEqual([
      ['agent', 'Assistant', 'text 1'],
      ['user', 'mira', 'text 1'],
      ['agent', 'gpt-x', 'text 1'],
      ['agent', 'Assistant', 'done'],
      ['call', 'call_user', '{"message":1}'],
      ['user', 'You', 'hello'],
    ])
  })

  it('says what is not whole', () => {
    expect(
      turn({ metadata: { interrupted: 'crashed', recovered: true, damaged: true, seam: true } })
        .notes,
    ).toEqual([
      'The program ended while this was being written. What had come is kept.',
      'Recovered from a damaged line.',
      'Some bytes of its line are no text; they are shown as U+FFFD.',
      'Its parent is missing; it goes on from the entry above.',
    ])
    expect(
      exportedTurn({ type: 'damaged', damaged: { file: 'f', ...damagedAt(2) } }),
    ).toMatchObject({
      name: 'Damaged line',
      text: '{"id":"a',
      notes: [
        'f, line 2: text ends inside a string. 5000 bytes at offset 200. The first 8 of them:',
      ],
    })
  })

  it('keeps what hangs on an entry, and all metadata of a type that nobody knows', () => {
    expect(turn({ metadata: { images: ['a.png'], usage: { total: 3 } } }).attached).toBe(
      '{\n  "images": [\n    "a.png"\n  ]\n}',
    )
    expect(turn({ entry_type: 'new', role: undefined, metadata: { usage: 1 } }).attached).toContain(
      'usage',
    )
    expect(turn({}).attached).toBeUndefined()
  })
})

describe('text that is shown', () => {
  it('shows what cannot be seen, and has one kind of line end', () => {
    expect(documentText('a\r\nb\rc\0\u001b[1m\u007f\u0085\u202e\ud83d')).toBe(
      'a\nb\nc␀␛[1m␡⟨U+0085⟩⟨U+202E⟩\ufffd',
    )
  })
  it('has no time where the number is none of the calendar', () => {
    expect(documentTime(1_780_000_000)).toEqual({
      shown: '2026-05-28 20:26 UTC',
      iso: '2026-05-28T20:26:40.000Z',
    })
    expect([documentTime(null), documentTime(1e300), documentTime(Number.NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the list of exporters', () => {
  it('has one for every format, under its own name', () => {
    expect(ExportFormat.options.map((format) => exporterOf(format).id)).toEqual(
      ExportFormat.options,
    )
  })

  it('offers every format in the order of its groups', () => {
    expect(Object.keys(exportFormats)).toEqual(ExportFormat.options)
    const groups = Object.values(exportFormats).map(({ group }) => group)
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([...new Set(groups)])
  })
})
