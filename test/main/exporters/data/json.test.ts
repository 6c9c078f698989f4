import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonExporter } from '../../../../src/main/exporters/data/json'
import { jsonlExporter } from '../../../../src/main/exporters/data/jsonl'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { entryAt, hostileConversation, ledger, readShape, written } from '../../../support/exported'

const damaged = { line: 2, offset: 200, length: 7, reason: 'not JSON', bytes: 'e2dhcmRlbg==' }
const branched = readShape(
  [
    entryAt(1, { parent: null }),
    entryAt(2, { parent: EntryId.parse('e1') }),
    entryAt(3, { parent: EntryId.parse('e1') }),
  ],
  { active: ['e1', 'e3'].map((id) => EntryId.parse(id)) },
)

describe('JSON', () => {
  it('reads back as what skein read prints of one conversation, whatever its text', async () => {
    await fc.assert(
      fc.asyncProperty(hostileConversation, async (conversation) => {
        const files = [ledger({ damaged: [damaged] })]
        const text = await written(jsonExporter, toExportable(conversation, files))
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify({ conversations: [conversation], files })),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('holds the whole tree unless the active path is asked for', async () => {
    const ids = async (branches: 'active' | 'all') =>
      (
        JSON.parse(await written(jsonExporter, toExportable(branched, []), { branches })) as {
          conversations: [{ entries: Entry[] }]
        }
      ).conversations[0].entries.map(({ id }) => id)
    expect([jsonExporter.branches, await ids('all'), await ids('active')]).toEqual([
      'all',
      ['e1', 'e2', 'e3'],
      ['e1', 'e3'],
    ])
  })

  it('lists the path when nobody knew it before the entries were read', async () => {
    const streamed = { ...toExportable(branched, []), active: undefined }
    const [one] = (
      JSON.parse(await written(jsonExporter, streamed)) as { conversations: [{ active: string[] }] }
    ).conversations
    expect(one.active).toEqual(['e1', 'e2', 'e3'])
  })

  it('holds further conversations of the family, another title, and keys that it does not know', async () => {
    const other = { ...readShape([entryAt(1, { inherited: true })]), key: 'other', stars: 3 }
    const text = await written(jsonExporter, toExportable(branched, []), {
      title: 'Mine',
      family: [toExportable(other, [ledger()])],
    })
    const { conversations, files } = JSON.parse(text) as {
      conversations: { title: string; stars?: number; entries: unknown[] }[]
      files: unknown[]
    }
    expect(
      conversations.map(({ title, stars, entries }) => [title, stars, entries.length]),
    ).toEqual([
      ['Mine', undefined, 3],
      ['Garden', 3, 1],
    ])
    expect(files).toEqual([ledger()])
  })

  it('stops when it is told to', async () => {
    const aborted = AbortSignal.abort(new Error('no more'))
    const pieces = jsonExporter.write(toExportable(branched, []), { branches: 'all' }, aborted)
    await expect(async () => {
      for await (const _ of pieces);
    }).rejects.toThrow('no more')
  })
})

describe('JSONL', () => {
  it('reads back line by line as the entries, whatever their text', async () => {
    await fc.assert(
      fc.asyncProperty(hostileConversation, async (conversation) => {
        const text = await written(
          jsonlExporter,
          toExportable(conversation, [ledger({ damaged: [damaged] })]),
        )
        const [head = '', ...lines] = text.split('\n')
        expect(lines.pop()).toBe('')
        const { title, key, models } = conversation
        expect(JSON.parse(head)).toMatchObject(
          JSON.parse(JSON.stringify({ skeinExport: 1, source: 'chibi', key, title, models })),
        )
        const count = conversation.entries.length
        expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ entries: count, damaged: 1 })
        const entries = lines.map((line) => Entry.parse(JSON.parse(line)))
        expect(entries).toEqual(JSON.parse(JSON.stringify(conversation.entries)))
      }),
      { numRuns: 200 },
    )
  })

  it('writes what a fork repeats once, and the path alone when that is asked for', async () => {
    const fork = readShape([entryAt(1, { inherited: true }), entryAt(9)], { key: 'fork' })
    const ids = async (branches: 'active' | 'all') =>
      (
        await written(jsonlExporter, toExportable(branched, []), {
          branches,
          family: [toExportable(fork, [])],
        })
      )
        .trim()
        .split('\n')
        .slice(1, -1)
        .map((line) => (JSON.parse(line) as Entry).id)
    expect([await ids('all'), await ids('active')]).toEqual([
      ['e1', 'e2', 'e3', 'e9'],
      ['e1', 'e3'],
    ])
  })
})
