import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exporterOf } from '../../../src/main/exporters/index'
import { countLosses } from '../../../src/main/exporters/losses'
import { toExportable } from '../../../src/main/exporters/parts/exporter'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import { ExportFormat } from '../../../src/shared/model/export'
import { entryAt, ledger, readShape, written } from '../../support/exported'
import { anyConversation } from './hostile'
import { lossesIn, textIn, whole } from './round'

const damaged = { line: 2, offset: 200, length: 7, reason: 'not JSON', bytes: 'e2dhcmRlbg==' }

/** RFC 4180, read one character at a time. */
function records(text: string): string[][] {
  const all: string[][] = []
  let record: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === ',') {
      record.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      at += 1
      all.push([...record, cell])
      record = []
      cell = ''
    } else cell += character
  }
  expect([record, cell, isQuoted]).toEqual([[], '', false])
  return all
}

describe('CSV', () => {
  const columns =
    'timestamp,conversation,from,to,type,role,text,model,tool,transport,provider,timing'

  it('is a table of the columns named, with what is known of speech and tools', async () => {
    const speech = { transport: 'local', provider: 'openai', timing: 'record 3.2s, stt 1.4s' }
    const text = await textIn(
      'csv',
      readShape([
        entryAt(1, { content: '[20260528-2026+0000] one, "two"\nthree' }),
        entryAt(2, { role: 'agent', to: 'user', metadata: { model: 'whisper', speech } }),
        entryAt(3, { entry_type: 'tool_call', role: undefined, to: 'look', content: '{}' }),
        entryAt(4, { entry_type: 'tool_result', role: undefined, from: 'look', timestamp: null }),
      ]),
    )
    expect(text).toBe(
      [
        columns,
        '2026-05-28T20:26:41.000Z,garden,user,garden,message,user,"one, ""two""\nthree",,,,,',
        '2026-05-28T20:26:42.000Z,garden,user,user,message,agent,text 2,whisper,,local,openai,"record 3.2s, stt 1.4s"',
        '2026-05-28T20:26:43.000Z,garden,user,look,tool_call,,{},,look,,,',
        ',garden,look,garden,tool_result,,text 4,,look,,,',
        '',
      ].join('\r\n'),
    )
  })

  it('has no cell that a spreadsheet takes for a formula, and gives every text back', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const [head, ...rows] = records(await textIn('csv', conversation))
        expect(head?.join()).toBe(columns)
        expect(rows.length).toBe(conversation.entries.length)
        for (const row of rows) {
          expect(row.length).toBe(12)
          for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)
        }
        const texts = rows.map((row) => whole((row[6] ?? '').replace(/^'/, '')))
        expect(texts).toEqual(conversation.entries.map(({ content }) => whole(content)))
      }),
    )
  })
})

describe('plain text', () => {
  it('tells each entry as skein show does, and damaged lines where they stand', async () => {
    const conversation = readShape([
      entryAt(1, { content: '[20260528-2026+0000] hello\n' }),
      entryAt(3, { entry_type: 'tool_call', role: undefined, to: 'look', content: '{"a":1}' }),
      entryAt(4, {
        entry_type: 'tool_result',
        role: undefined,
        from: 'look',
        content: '\u001b[31m',
      }),
      entryAt(5, { entry_type: 'reasoning', role: undefined, timestamp: null, content: '' }),
    ])
    const text = await written(
      exporterOf('txt'),
      toExportable(conversation, [ledger({ damaged: [damaged] })]),
    )
    expect(text).toBe(
      [
        '[USER] user  2026-05-28T20:26:41.000Z\nhello',
        '[Damaged line] transcript/active.jsonl, line 2: not JSON. 7 bytes at offset 200.\n{garden',
        '[TOOL CALL] look  2026-05-28T20:26:43.000Z\n{"a":1}',
        '[TOOL RESULT] look  2026-05-28T20:26:44.000Z\n␛[31m',
        '[reasoning]',
        '',
      ].join('\n\n'),
    )
  })
})

describe('OpenAI messages', () => {
  it('is one object of messages in which calls stand beside their words', async () => {
    const text = await textIn(
      'openai',
      readShape([
        entryAt(1, { role: 'system', from: 'system' }),
        entryAt(2, { from: 'mira smith' }),
        entryAt(3, { role: 'agent', to: 'user', content: 'I look.' }),
        entryAt(4, {
          entry_type: 'tool_call',
          role: undefined,
          to: 'look',
          content: '{}',
          tool_call_id: 'c1',
        }),
        entryAt(5, {
          entry_type: 'tool_result',
          role: undefined,
          from: 'look',
          tool_call_id: 'c1',
        }),
      ]),
    )
    expect(JSON.parse(text)).toEqual({
      messages: [
        { role: 'system', content: 'text 1' },
        { role: 'user', content: 'text 2' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'text 5' },
      ],
    })
    expect(JSON.parse(await textIn('openai', readShape([])))).toEqual({ messages: [] })
  })

  it('is valid whatever the entries are', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const { messages } = JSON.parse(await textIn('openai', conversation))
        for (const { role } of messages) expect(typeof role).toBe('string')
        const { entries, written, leftOut } = await lossesIn(
          'openai',
          toExportable(conversation, []),
        )
        expect([entries, written + leftOut]).toEqual(Array(2).fill(conversation.entries.length))
      }),
    )
  })
})

describe('what has no place in a format', () => {
  const branched = readShape(
    [
      entryAt(1, { parent: null }),
      entryAt(2, { parent: EntryId.parse('e1') }),
      entryAt(3, { parent: EntryId.parse('e1'), content: 'a half: \ud83d' }),
    ],
    { active: ['e1', 'e3'].map((id) => EntryId.parse(id)) },
  )

  it.each(ExportFormat.options)(
    'adds up for %s, on the path and with all branches',
    async (format) => {
      for (const branches of ['active', 'all'] as const) {
        const { entries, written, leftOut } = await lossesIn(
          format,
          toExportable(branched, []),
          branches,
        )
        expect([entries, written + leftOut, leftOut]).toEqual([3, 3, branches === 'all' ? 0 : 1])
      }
    },
  )

  it('names other branches, branches without a mark, damaged lines and halves of characters', async () => {
    const conversation = () => toExportable(branched, [ledger({ damaged: [damaged] })])
    expect((await lossesIn('chibi', conversation())).sentences).toEqual([
      '1 entry on another branch is left out.',
      '1 damaged line is left out.',
      '1 entry has broken characters that become U+FFFD.',
    ])
    expect((await lossesIn('chibi', conversation(), 'all')).sentences).toEqual([
      '1 damaged line is left out.',
      '1 branch follows the others without its starting point.',
      '1 entry has broken characters that become U+FFFD.',
    ])
    expect((await lossesIn('json', conversation(), 'all')).sentences).toEqual([])
  })

  it('counts what a fork repeats once', async () => {
    const fork = readShape([entryAt(1, { inherited: true }), entryAt(9)], { key: 'fork' })
    const lines = await written(exporterOf('chibi'), toExportable(branched, []), {
      branches: 'all',
      family: [toExportable(fork, [])],
    })
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['e1', 'e2', 'e3', 'e9'])
  })

  it('stops when it is told to', async () => {
    const aborted = AbortSignal.abort(new Error('no more'))
    await expect(
      countLosses(exporterOf('csv'), toExportable(branched, []), { branches: 'all' }, aborted),
    ).rejects.toThrow('no more')
  })
})
