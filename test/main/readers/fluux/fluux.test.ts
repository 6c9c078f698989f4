import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { fluuxReader } from '../../../../src/main/readers/fluux/fluux'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const fixtures = path.join(__dirname, '../../../fixtures/readers/fluux')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const jid = 'mira@example.org'

/** A memory in which one JID has this history. */
function memoryWith(bytes: string | Uint8Array, name = 'history.jsonl'): string {
  const root = temp()
  fs.mkdirSync(path.join(root, jid, path.dirname(name)), { recursive: true })
  fs.writeFileSync(path.join(root, jid, name), bytes)
  return root
}

/** What is read of a history with these lines. */
async function readLines(...lines: readonly (string | object)[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return readOnly(memoryWith(text.join('\n')))
}

async function readOnly(root: string) {
  const { conversations, files } = await readRoot(fluuxReader, root, nodeDisk, signal)
  const [conversation] = conversations
  const [ledger] = files
  if (conversation === undefined || ledger === undefined) throw new Error('nothing was read')
  return { conversation, entries: conversation.entries, ledger }
}

async function lastTimeOf(root: string) {
  const refs: SourceRef[] = []
  for await (const ref of fluuxReader.list(root, nodeDisk, signal)) refs.push(ref)
  const [ref] = refs
  if (ref === undefined) throw new Error('nothing was listed')
  return fluuxReader.lastTime?.(ref, nodeDisk, signal)
}

const said = (content: string, more: object = {}) => ({
  type: 'message',
  role: 'user',
  content,
  ...more,
})
const header = { type: 'session', version: 1, created: '2026-02-10T09:00:00Z', jid }

describe('the facts that fixtures expect', () => {
  const cases = [
    'memory/alice@example.org',
    'memory/team@conference.example.org',
    ...fs.readdirSync(path.join(fixtures, 'tricky')).map((name) => `tricky/${name}`),
  ]

  it.each(cases)('%s', async (name) => {
    const folder = path.join(fixtures, name)
    const expected = JSON.parse(fs.readFileSync(path.join(folder, 'expected.json'), 'utf8'))
    const file = path.join(folder, 'history.jsonl')
    const { conversation, entries, ledger } = await readOnly(file)
    expect(conversation.key).toBe(path.basename(folder))
    const spoken = entries.filter(({ entry_type }) => entry_type === 'message')
    const byRole = (role: string) => spoken.filter((entry) => entry.role === role).length
    const lists = spoken.map(({ metadata }) => metadata?.attachments)
    expect({
      headers: ledger.control,
      messages: spoken.length,
      by_role: { assistant: byRole('agent'), user: byRole('user') },
      reactions: spoken.filter(({ metadata }) => metadata?.reaction !== undefined).length,
      attachments: lists.flatMap((list) => (Array.isArray(list) ? list : [])).length,
      malformed: ledger.damaged.length,
    }).toEqual({
      headers: expected.headers,
      messages: expected.messages,
      by_role: expected.by_role,
      reactions: expected.reactions,
      attachments: expected.attachments,
      malformed: expected.malformed_lines ?? 0,
    })
    const senders = spoken.flatMap(({ role, metadata }) =>
      role === 'user' && metadata?.sender !== undefined ? [metadata.sender] : [],
    )
    expect([...new Set(senders)].sort()).toEqual(expected.senders)
    expect(ledger.lines).toBe(
      ledger.entryLines + ledger.control + ledger.blank + ledger.damaged.length,
    )
  })
})

describe('one line', () => {
  it('takes times with any decimals and zone, and keeps the words of others', async () => {
    const times = [
      '2026-02-10T09:00:01.123456789+00:00',
      '2025-02-08T19:00:01Z',
      '2026-02-10t09:00:01.5-05:30',
      '1969-12-31T23:59:59.5+00:00',
      '2026-02-30T00:00:00Z',
      '2026-02-10T09:00:01',
      'soon',
    ]
    const { entries } = await readLines(...times.map((ts) => said('x', { ts })))
    expect(entries.map(({ timestamp, metadata }) => metadata?.raw_ts ?? timestamp)).toEqual([
      1770714001.1234567,
      1739041201,
      1770733801.5,
      -0.5,
      '2026-02-30T00:00:00Z',
      '2026-02-10T09:00:01',
      'soon',
    ])
    expect(entries.slice(4).map(({ timestamp }) => timestamp)).toEqual([null, null, null])
  })

  it('names the sender as the line does, and the agent as the source', async () => {
    const { entries } = await readLines(
      said('a', { sender: jid }),
      said('b', { sender: 'bob the builder@muc' }),
      said('c', { sender: '' }),
      { ...said('d'), role: 'assistant', msg_id: 'out' },
    )
    expect(entries.map(({ from, to, role }) => [from, to, role])).toEqual([
      [jid, 'fluux', 'user'],
      ['bob the builder@muc', 'fluux', 'user'],
      ['user', 'fluux', 'user'],
      ['fluux', 'user', 'agent'],
    ])
    expect(entries[1]?.metadata).toEqual({ sender: 'bob the builder@muc' })
  })

  it('keeps fields of another shape and of no format, and takes null for absent', async () => {
    const { entries } = await readLines(
      said('a', { msg_id: null, sender: null, ts: null, attachments: null, reaction: null }),
      said('b', { msg_id: 7, ts: 8, attachments: [{}], reaction: { emojis: [] }, mood: null }),
      `{"type":"message","role":"user","content":"c","__proto__":{"kept":true}}`,
      said('d', { attachments: [{ filename: 'f', mime_type: 'm', size: 's', of: 1 }] }),
      said('e', { attachments: [] }),
    )
    expect(entries.map(({ metadata }) => metadata)).toEqual([
      undefined,
      {
        raw_fields: {
          msg_id: 7,
          ts: 8,
          attachments: [{}],
          reaction: { emojis: [] },
          mood: null,
        },
      },
      { raw_fields: { ['__proto__']: { kept: true } } },
      { attachments: [{ filename: 'f', mime_type: 'm', size: 's', of: 1 }] },
      undefined,
    ])
  })

  it('tells kinds, roles and messages that it cannot know as unknown, word for word', async () => {
    const { entries } = await readLines(
      '  {"type":"summary","n":1.0,"ts":"2026-02-10T09:00:00Z"}',
      '{"key":"peas"}',
      '{"type":["x"]}',
      '{"type":"message","role":"user"}',
      '{"type":"message","role":1,"content":"x"}',
      said('It rains.', { role: 'narrator' }),
    )
    expect(
      entries.map(({ entry_type, content, metadata }) => [entry_type, content, metadata]),
    ).toEqual([
      [
        'unknown',
        '{"type":"summary","n":1.0,"ts":"2026-02-10T09:00:00Z"}',
        { raw_type: 'summary' },
      ],
      ['unknown', '{"key":"peas"}', { raw_type: '' }],
      ['unknown', '{"type":["x"]}', { raw_type: '["x"]' }],
      ['unknown', '{"type":"message","role":"user"}', { raw_type: 'message' }],
      ['unknown', '{"type":"message","role":1,"content":"x"}', { raw_type: 'message' }],
      ['unknown', 'It rains.', { raw_type: 'narrator' }],
    ])
    expect(entries[0]?.timestamp).toBe(1770714000)
  })

  it('repairs no text that was garbled before it was stored', async () => {
    const garbled = 'a ‚Äî b üëç \u0000\u001b[31m\u202e'
    const { entries } = await readLines(said(garbled))
    expect(entries[0]?.content).toBe(garbled)
  })
})

describe('titles and times', () => {
  it('takes the first words of a person, else the JID', async () => {
    const titleOf = async (...lines: readonly object[]) =>
      (await readLines(...lines)).conversation.title
    const reaction = said('', { reaction: { message_id: 'm', emojis: ['👍'] } })
    const answer = { ...said('welcome'), role: 'assistant' }
    expect(await titleOf(header, answer, reaction, said(' \n'), said('peas\n  please'))).toBe(
      'peas please',
    )
    expect(await titleOf({ ...header, jid: 'other@example.org' }, answer, reaction)).toBe(
      'other@example.org',
    )
    expect(await titleOf({ ...header, jid: ' ' }, reaction)).toBe(jid)
    expect(await titleOf(answer)).toBe(jid)
  })

  it('is begun when its first header says, and last spoken in when its last timed line does', async () => {
    const at = (second: number) => ({ ts: `2026-02-10T09:00:0${second}Z` })
    const lines = [header, said('a', at(3)), { ...header, created: '2027-01-01T00:00:00Z' }]
    const { conversation } = await readLines(...lines, said('b', at(2)), said('c'))
    expect([conversation.created, conversation.updated]).toEqual([
      '2026-02-10T09:00:00.000Z',
      '2026-02-10T09:00:02.000Z',
    ])
    const text = (more: readonly (string | object)[]) =>
      [...lines, ...more].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    const lastOf = (...more: readonly (string | object)[]) =>
      lastTimeOf(memoryWith(text(more).join('\n')))
    expect(await lastOf(said('b', at(2)), said('c'), '', '{"type":"mess')).toBe(1770714002)
    expect(await lastOf(`{"x${JSON.stringify(said('glued', at(5)))}`)).toBe(1770714005)
    expect(await lastOf(...Array(8).fill(said('no time')))).toBeUndefined()
  })

  it('shows in a list what a whole reading tells', async () => {
    const root = path.join(fixtures, 'memory')
    const { conversations } = await readRoot(fluuxReader, root, nodeDisk, signal)
    const glances = []
    for await (const ref of fluuxReader.list(root, nodeDisk, signal))
      glances.push(await glanceAt(fluuxReader, ref, nodeDisk, signal))
    expect(glances).toEqual(
      conversations.map(({ title, project, created, updated }) => ({
        title,
        project,
        created,
        updated,
      })),
    )
  })
})

describe('documents', () => {
  it('tells a page as one entry, marks bad bytes, and has no entry for nothing', async () => {
    const page = await readOnly(memoryWith('\ufeff## Peas\n\n**user**: when?\n', 'history.md'))
    expect(page.conversation.title).toBe('Peas **user**: when?')
    expect(page.entries).toEqual([
      {
        ...fluuxReader.documentOf?.('## Peas\n\n**user**: when?\n')[0],
        id: 'L1',
        file: `${jid}/history.md`,
        line: 1,
        offset: 0,
        length: 28,
      },
    ])
    const bad = await readOnly(memoryWith(Buffer.from('caf\xe9', 'latin1'), 'sessions/a.md'))
    expect(bad.entries[0]).toMatchObject({ content: 'caf\ufffd', metadata: { damaged: true } })
    for (const blank of ['', ' \n\n']) {
      const { entries, ledger, conversation } = await readOnly(memoryWith(blank, 'history.md'))
      expect([entries, conversation.title, ledger.lines, ledger.blank]).toEqual([[], jid, 1, 1])
    }
  })
})

describe('damage', () => {
  it('gives up every whole message of a line, and no reaction or attachment', async () => {
    const whole = JSON.stringify(said('whole'))
    const rich = JSON.stringify(
      said('rich {"type":"message","role":"user","content":"quoted"}', {
        attachments: [{ filename: 'f', mime_type: 'm', size: 's' }],
        reaction: { message_id: 'm', emojis: [] },
      }),
    )
    const contents = async (line: string) =>
      (await readLines(line, said('next'))).entries.map(({ content }) => content)
    expect(await contents(`${whole}${JSON.stringify(header)}${whole}`)).toEqual([
      'whole',
      'whole',
      'next',
    ])
    for (let end = 1; end < rich.length; end++)
      expect(await contents(rich.slice(0, end))).toEqual(['next'])
    for (let end = 1; end < rich.length; end++)
      expect((await contents(rich.slice(0, end) + whole)).slice(-2)).toEqual(['whole', 'next'])
  })

  it('accounts for every line of any file, and throws at none', async () => {
    const field = fc.oneof(fc.jsonValue(), fc.string(), fc.constant(null))
    const junk = fc.oneof(
      fc.constantFrom('', ' ', '\r', '\0\0', '{', JSON.stringify(header), '{"type":"session"}'),
      fc.json(),
      fc
        .record(
          {
            type: fc.constantFrom<unknown>('message', 'message', 'session', 'x', 1),
            role: fc.constantFrom<unknown>('user', 'assistant', 'x', null),
            content: fc.oneof(fc.string(), fc.jsonValue()),
            msg_id: field,
            sender: field,
            ts: field,
            attachments: fc.array(field),
            reaction: field,
            other: field,
          },
          { requiredKeys: ['type'] },
        )
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    )
    const root = memoryWith('')
    await fc.assert(
      fc.asyncProperty(fc.array(junk), fc.constantFrom('\n', '\r\n'), async (parts, end) => {
        const text = parts.join(end)
        fs.writeFileSync(path.join(root, jid, 'history.jsonl'), text)
        const { entries, ledger, conversation } = await readOnly(root)
        const { lines, entryLines, control, blank, damaged } = ledger
        expect(lines).toBe(text.split('\n').length - (/(^|\n)$/.test(text) ? 1 : 0))
        expect(entryLines + control + blank + damaged.length).toBe(lines)
        const damagedLines = new Set(damaged.map(({ line }) => line))
        expect(entries.filter(({ line = 0 }) => !damagedLines.has(line)).length).toBe(entryLines)
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
        expect(conversation.title).not.toBe('')
        await lastTimeOf(root)
      }),
    )
  })
})
