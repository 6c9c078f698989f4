import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { runAtOnce } from '../../../../src/main/disk/pacing/slices'
import { branchFromContext } from '../../../../src/main/library/branch/branch-from-context'
import { openLibrary } from '../../../../src/main/library/library'
import { searchDecoders } from '../../../../src/main/library/sources/search-decoders'
import { chibiReader } from '../../../../src/main/readers/chibi'
import { readRoot } from '../../../../src/main/readers/read-root'
import { parseLegacyPage } from '../../../../src/main/store/lines/legacy-page'
import { openStore } from '../../../../src/main/store/open-store'
import { ConversationKey, LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { jsonLine } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { textIn } from '../../exporters/round'

const temp = tempFolders(memoryFolder)
const page = 'contexts/garden/transcript.md'

function homeWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const home = temp()
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(home, 'contexts/garden', name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
  }
  return { home, store: openStore({ home, disk: nodeDisk }) }
}

async function entriesIn(store: ReturnType<typeof homeWith>['store']) {
  const reading = await store.readWhole('garden')
  const entries: Entry[] = []
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  return { entries, reading }
}

const said = (entries: readonly Entry[]) => entries.map(({ role, content }) => [role, content])

const text =
  '[USER]: When to sow peas?\n\n[ASSISTANT]: In March.\n\nIn rows:\n- one\n\n[USER]: Ünd beans?\n\n'

describe('a context that has a transcript.md alone', () => {
  it('is read as its messages, without times, each at its own bytes', async () => {
    const { home, store } = homeWith({ 'transcript.md': text })
    const { entries, reading } = await entriesIn(store)
    expect(
      entries.map(({ id, from, to, role, timestamp, entry_type, content }) => [
        id,
        from,
        to,
        role,
        timestamp,
        entry_type,
        content,
      ]),
    ).toEqual([
      ['L1', 'user', 'garden', 'user', null, 'message', 'When to sow peas?'],
      ['L2', 'garden', 'user', 'agent', null, 'message', 'In March.\n\nIn rows:\n- one'],
      ['L3', 'user', 'garden', 'user', null, 'message', 'Ünd beans?'],
    ])
    expect(reading.ledgers).toEqual([
      {
        file: page,
        unit: 'message',
        lines: 3,
        entryLines: 3,
        control: 0,
        blank: 0,
        damaged: [],
        torn: false,
      },
    ])
    const bytes = fs.readFileSync(path.join(home, page))
    for (const { file, offset, length, line, content } of entries) {
      const raw = await store.readLine('garden', file, offset, length)
      expect(raw.line).toBe(line)
      expect(Buffer.from(raw.bytes).toString()).toMatch(/^\[(USER|ASSISTANT)\]: /)
      expect(bytes.subarray(offset, offset + length).toString()).toContain(content)
    }
  })

  it('is listed, counted, paged from both ends and from the middle, searched and exported', async () => {
    const { home, store } = homeWith({ 'transcript.md': text })
    const library = openLibrary({
      disk: nodeDisk,
      store,
      shownHome: '~/.chibi',
      isRunning: () => false,
      changed: () => undefined,
      watched: false,
    })
    const [row] = await library.all(true)
    expect(row).toMatchObject({ key: 'garden', entries: 3, damaged: 0 })
    expect(row?.unreadable).toBeUndefined()
    const { entries } = await entriesIn(store)
    const contents = async (from: Parameters<typeof store.readPage>[1], limit: number) =>
      (await store.readPage('garden', from, limit)).rows.map((one) =>
        one.type === 'entry' ? one.entry.id : 'damaged',
      )
    expect(await contents('end', 2)).toEqual(['L2', 'L3'])
    const first = await store.readPage('garden', 'start', 1)
    expect(await contents({ after: first.after }, 9)).toEqual(['L2', 'L3'])
    const middle = { file: page, offset: entries[1]?.offset ?? -1 }
    expect(await contents({ around: middle }, 2)).toEqual(['L1', 'L2'])

    const searchable = await library.searchable(LibraryKey.parse('garden'))
    const decoder = searchDecoders[searchable?.files[0]?.decoder ?? '']
    if (decoder?.unit !== 'document') throw new Error('no decoder of documents')
    const found = decoder.decode(fs.readFileSync(path.join(home, page)))
    expect(
      found.map(({ entryId, text, offset, length }) => [entryId, text, offset, length]),
    ).toEqual(entries.map(({ id, content, offset, length }) => [id, content, offset, length]))

    const signal = new AbortController().signal
    const [conversation] = (await readRoot(chibiReader, home, nodeDisk, signal)).conversations
    if (conversation === undefined) throw new Error('no conversation')
    const markdown = await textIn('md', conversation)
    for (const words of ['When to sow peas?', 'In March.', 'Ünd beans?'])
      expect(markdown).toContain(words)
    await library.close()
  })

  it('is not added to, since a transcript beside it would hide it', async () => {
    const { home, store } = homeWith({ 'transcript.md': text })
    await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
      code: 'read-only',
    })
    expect(fs.readdirSync(path.join(home, 'contexts/garden'))).toEqual(['transcript.md'])
  })

  it('goes on in a branch, which has its messages', async () => {
    const { home, store } = homeWith({ 'transcript.md': text })
    const { entries } = await entriesIn(store)
    const last = entries.at(-1)
    if (last === undefined) throw new Error('no entry')
    const at = { entry: last.id, file: last.file, offset: last.offset }
    const garden = ConversationKey.parse('garden')
    const { beginning } = await branchFromContext(store, nodeDisk, garden, at, 'branch')
    const writer = await store.openWriter('later', { create: true, beginning: beginning() })
    await writer.close()
    const rows = (await store.readPage('later', 'start', 9)).rows
    expect(rows.map((row) => row.type === 'entry' && row.entry.content).slice(1)).toEqual(
      entries.map(({ content }) => content),
    )
    expect(fs.readFileSync(path.join(home, page), 'utf8')).toBe(text)
  })

  it('keeps words before the first block, and a page without blocks, as a document', () => {
    const of = (words: string) =>
      runAtOnce(parseLegacyPage(Buffer.from(words), page, 'garden')).flatMap(({ rows }) =>
        rows.map((row) => row.type === 'entry' && [row.entry.entry_type, row.entry.content]),
      )
    expect(of('# Old talk\n\n[USER]: Hello')).toEqual([
      ['document', '# Old talk'],
      ['message', 'Hello'],
    ])
    expect(of('just words')).toEqual([['document', 'just words']])
    expect(of('\ufeff[USER]: marked')).toEqual([['message', 'marked']])
    expect(of('[USER]: \r\n\r\n[ASSISTANT]: one\r\n\r\n')).toEqual([
      ['message', ''],
      ['message', 'one'],
    ])
    expect([of(''), of('\n\n')]).toEqual([[], []])
  })

  it('takes no words for tools, blocks or lines of a transcript, whatever they look like', () => {
    const hostile = [
      '[USER]: see\n[ASSISTANT]: this is quoted, without an empty line before it',
      '[TOOL]: rm -rf\n\n[TOOL_CALL]: {"name": "shell"}',
      jsonLine({ entry_type: 'tool_call', to: 'shell' }),
      '[user]: lower\n\n [USER]: not at the begin of its line\n\n[USER] no colon',
    ].join('\n\n')
    const facts = runAtOnce(parseLegacyPage(Buffer.from(hostile), page, 'garden'))
    const entries = facts.flatMap(({ rows }) =>
      rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : [])),
    )
    expect(said(entries)).toEqual([['user', hostile.slice('[USER]: '.length)]])
  })

  it('marks bytes that are no text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[USER]: caf'),
      Buffer.from([0xe9]),
      Buffer.from('\n'),
    ])
    const { entries } = await entriesIn(homeWith({ 'transcript.md': bytes }).store)
    expect(entries.map(({ content, metadata }) => [content, metadata])).toEqual([
      ['caf\ufffd', { damaged: true }],
    ])
  })

  it('loses no byte but empty lines, whatever stands in it', () => {
    const piece = fc.constantFrom(
      '[USER]: ',
      '[ASSISTANT]: ',
      '\n',
      '\n\n',
      '\r\n',
      ' ',
      'x',
      'é',
      '[',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(''))
        let at = 0
        for (const { place } of runAtOnce(parseLegacyPage(Buffer.from(bytes), page, 'garden'))) {
          expect(place.offset).toBeGreaterThanOrEqual(at)
          expect(bytes.subarray(at, place.offset).toString().trim()).toBe('')
          at = place.offset + place.length
        }
        expect(bytes.subarray(at).toString().trim()).toBe('')
      }),
    )
  })
})

describe('a transcript.md beside a transcript', () => {
  it.each([
    ['transcript/active.jsonl', `${jsonLine({ id: 'a' })}\n`],
    ['transcript.jsonl', `${jsonLine({ id: 'a' })}\n`],
    ['context.json', '{"messages": [{"id": "a", "role": "user", "content": "hello"}]}'],
  ])('is not read where %s stands, and its messages are counted', async (name, content) => {
    const { store } = homeWith({ 'transcript.md': text, [name]: content })
    const { entries } = await entriesIn(store)
    expect(entries.map(({ id }) => id)).toEqual(['a'])
    expect((await store.readBeside('garden')).pageMessages).toBe(3)
  })

  it('is not counted where it is the transcript itself', async () => {
    const { store } = homeWith({ 'transcript.md': text })
    expect((await store.readBeside('garden')).pageMessages).toBe(0)
  })
})
