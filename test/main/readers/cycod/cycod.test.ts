import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { cycodReader } from '../../../../src/main/readers/cycod/cycod'
import { type ReadRoot, readRoot, readUnit } from '../../../../src/main/readers/read-root'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { unreadIn } from '../../../support/unread'

const fixtures = path.join(__dirname, '../../../fixtures')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const read = (root: string, disk: Disk = nodeDisk) => readRoot(cycodReader, root, disk, signal)

/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const root = temp()
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  return root
}

/** What is read of one file with these lines. */
async function readLines(...lines: readonly (string | object)[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const { conversations, files } = await read(folder({ 'chat-history.jsonl': text.join('\n') }))
  const [conversation] = conversations
  const [ledger] = files
  if (conversation === undefined || ledger === undefined) throw new Error('nothing was read')
  return { conversation, entries: conversation.entries, ledger }
}

/** A last line without a line feed is one, unless nothing is there. */
const framedLines = (text: string) => text.split('\n').length - (/(^|\n)$/.test(text) ? 1 : 0)

const user = (content: string) => ({ role: 'user', content })
const randomId = 'toolu_01WKbsDE5kGZoDiPCFdcERFm'

describe('finding conversations', () => {
  const files = {
    'history/chat-history-1754437000000.jsonl': '{"role":"user","content":"a"}',
    'history/named-by-hand.jsonl': '{"role":"user","content":"b"}',
    'history/trajectory-1754437000000.md': '# words',
    'history/._chat-history-1754437000000.jsonl': 'what macOS leaves',
    'exceptions/exception-chat-history-1754437000001.jsonl': '',
    'chat-history.jsonl': '{"role":"user","content":"c"}',
    'measurements.jsonl': '{"not":"ours"}',
  }
  const keys = ({ conversations }: ReadRoot) => conversations.map(({ key }) => key)

  it('reads the own folder of the tool, crashes too, and nothing that is not of cycod', async () => {
    const found = await read(folder(files))
    expect(keys(found)).toEqual([
      'chat-history',
      'chat-history-1754437000000',
      'named-by-hand',
      'exception-chat-history-1754437000001',
    ])
    expect(found.files.map(({ file }) => file)).toEqual([
      'chat-history.jsonl',
      'history/chat-history-1754437000000.jsonl',
      'history/named-by-hand.jsonl',
      'exceptions/exception-chat-history-1754437000001.jsonl',
    ])
  })

  it('reads a folder of files, and one file of any name', async () => {
    const root = folder({ ...files, 'elsewhere/talk.log': '{"role":"user","content":"d"}' })
    const history = await read(path.join(root, 'history'))
    expect(keys(history)).toEqual(['chat-history-1754437000000', 'named-by-hand'])
    const one = await read(path.join(root, 'elsewhere/talk.log'))
    expect(keys(one)).toEqual(['talk'])
    expect(one.conversations[0]?.entries[0]).toMatchObject({ content: 'd', file: 'talk.log' })
  })

  it('gives every file a key of its own', async () => {
    const found = await read(
      folder({
        'chat-history-1.jsonl': '{"role":"user","content":"a"}',
        'history/chat-history-1.jsonl': '{"role":"user","content":"b"}',
      }),
    )
    expect(found.conversations.map(({ key, title }) => [key, title])).toEqual([
      ['chat-history-1', 'a'],
      ['history/chat-history-1', 'b'],
    ])
  })

  it('gives keys of their own to a file and its packed copies, in each folder', async () => {
    const names = ['chat-history-1754437000000.jsonl', 'chat-history-1754437000000.jsonl.gz']
    names.push('chat-history-1754437000000.jsonl.gz.jsonl', 'chat-history-1754437000000.jsonl.zst')
    const places = ['', 'exceptions/', 'history/'].flatMap((at) => names.map((name) => at + name))
    const { conversations } = await read(
      folder(Object.fromEntries(places.map((place) => [place, JSON.stringify(user(place))]))),
    )
    expect(conversations.map(({ title }) => title).sort()).toEqual([...places].sort())
    const keys = conversations.map(({ key }) => key)
    expect(new Set(keys).size).toBe(places.length)
    expect(keys.slice(0, 2)).toEqual(
      names.slice(0, 2).map((name, at) => (at ? name : name.slice(0, -6))),
    )
    expect(keys).toContain('history/chat-history-1754437000000.jsonl.gz')
    for (const { created } of conversations) expect(created).toBe('2025-08-05T23:36:40.000Z')
  })

  it.skipIf(process.platform === 'win32')(
    'finds files with a line feed in their names',
    async () => {
      const text = JSON.stringify(user('a'))
      const found = await read(
        folder({ 'chat-history\n1.jsonl': text, 'history/a\nb.jsonl': text }),
      )
      expect(keys(found)).toEqual(['chat-history\n1', 'a\nb'])
    },
  )

  it.runIf(process.platform === 'linux')(
    'lists what is no file, and tells it as unreadable',
    async () => {
      const root = folder({ ...files, 'history/a.jsonl/inner.jsonl': 'in a folder of that name' })
      const history = path.join(root, 'history')
      execFileSync('mkfifo', [path.join(history, 'b.jsonl'), path.join(history, 'c.jsonl.gz')])
      fs.symlinkSync('nowhere', path.join(history, 'd.jsonl'))
      fs.writeFileSync(Buffer.from(path.join(history, 'e\xe9.jsonl'), 'latin1'), '')
      const times = new Map<string, number | undefined>()
      for await (const ref of cycodReader.list(history, nodeDisk, signal))
        times.set(ref.key, ref.updatedAtMs)
      for (const key of ['a', 'b', 'c', 'd', 'e\ufffd']) {
        expect(times.has(key)).toBe(true)
        expect(times.get(key)).toBeUndefined()
      }
      const found = await read(history)
      expect(keys(found)).toEqual(['chat-history-1754437000000', 'named-by-hand'])
      expect(unreadIn(found)).toEqual([
        { key: 'a', notice: expect.stringMatching(/^a.jsonl cannot be read: .*is a folder/) },
        { key: 'b', notice: expect.stringMatching(/^b.jsonl cannot be read: .*is not a file/) },
        { key: 'c', notice: expect.stringMatching(/^c.jsonl.gz cannot be read: .*is not a file/) },
        { key: 'd', notice: 'd.jsonl cannot be read: it is a link to nothing.' },
        {
          key: 'e\ufffd',
          notice: 'e\ufffd.jsonl cannot be read: it has a name that is not valid UTF-8.',
        },
      ])
      const pipe = await read(path.join(history, 'b.jsonl'))
      expect(unreadIn(pipe)).toMatchObject([{ key: 'b' }])
    },
  )

  it('passes over a file that went between the listing and the look', async () => {
    const root = folder(files)
    const disk: Disk = {
      ...nodeDisk,
      stat: async (asked) => {
        if (asked.endsWith('named-by-hand.jsonl')) fs.rmSync(asked, { force: true })
        return nodeDisk.stat(asked)
      },
    }
    const found = await read(path.join(root, 'history'), disk)
    expect(keys(found)).toEqual(['chat-history-1754437000000'])
    expect(found.unread).toEqual([])
  })

  it('finds nothing where nothing is', async () => {
    expect(await read('/nowhere/at/all')).toEqual({
      conversations: [],
      files: [],
      notices: [],
      unread: [],
      damaged: [],
    })
    expect(await read(folder({ 'a.txt': '' }))).toMatchObject({ conversations: [] })
  })

  it('tells of a file that cannot be read, and reads the others', async () => {
    const root = folder(files)
    const denied = 'chat-history-1754437000000.jsonl'
    const disk: Disk = {
      ...nodeDisk,
      open: (file, mode) =>
        file.endsWith(denied)
          ? Promise.reject(new DiskError('denied', file, `${file} cannot be used`))
          : nodeDisk.open(file, mode),
    }
    const found = await read(path.join(root, 'history'), disk)
    expect(keys(found)).toEqual(['named-by-hand'])
    expect(unreadIn(found)).toEqual([
      {
        key: 'chat-history-1754437000000',
        notice: `${denied} cannot be read: ${path.join(root, 'history', denied)} cannot be used.`,
      },
    ])
    const gone = {
      source: 'cycod',
      root,
      key: 'gone',
      files: [{ file: 'gone.jsonl', bytes: 0, mtimeMs: undefined }],
      bytes: 0,
      updatedAtMs: undefined,
    } as const
    await expect(readUnit(cycodReader, gone, nodeDisk, signal)).rejects.toMatchObject({
      code: 'not-found',
      message: 'gone.jsonl no longer exists.',
    })
  })
})

describe('titles and times', () => {
  it('takes the stored title, else the first human text, else the key', async () => {
    const titleOf = async (...lines: readonly (string | object)[]) => {
      const { title, storedTitle } = (await readLines(...lines)).conversation
      return storedTitle === undefined ? title : [title, storedTitle]
    }
    const meta = { _meta: { title: ' Find large files ', titleLocked: false } }
    expect(await titleOf(meta, user('find'))).toEqual(['Find large files', 'Find large files'])
    expect(await titleOf({ _meta: { title: '' } }, user(' \n'), user('find\n  them'))).toBe(
      'find them',
    )
    expect(await titleOf({ _meta: { title: 7 } }, { role: 'system', content: 'x' })).toBe(
      'chat-history',
    )
    const mistaken = { metadata: { title: 'Doc says this' } }
    expect(await titleOf(mistaken, user('hi'))).toEqual(['Doc says this', 'Doc says this'])
    expect(await titleOf(mistaken)).toEqual(['Doc says this', 'Doc says this'])
    const long = await titleOf(user('🌊'.repeat(200)))
    expect(long).toBe(`${'🌊'.repeat(79)}…`)
  })

  it('knows when a file was begun from its name, and when it was last written from the file', async () => {
    const root = folder({
      'chat-history-1754437000000.jsonl': '{"role":"user","content":"a"}',
      'chat-history-1754437000001-sweet-puffin-26236.jsonl': '{"role":"user","content":"b"}',
      'chat-history-20250806123640.jsonl': '{"role":"user","content":"c"}',
    })
    const written = (file: string, time: string) =>
      fs.utimesSync(path.join(root, file), new Date(time), new Date(time))
    written('chat-history-1754437000000.jsonl', '2025-08-06T00:00:00.500Z')
    // A copy with a wrong clock: nothing is written before it was begun.
    written('chat-history-1754437000001-sweet-puffin-26236.jsonl', '1999-01-01T00:00:00Z')
    written('chat-history-20250806123640.jsonl', '2025-08-07T00:00:00Z')
    const { conversations } = await read(root)
    expect(conversations.map(({ created, updated }) => [created, updated])).toEqual([
      ['2025-08-05T23:36:40.000Z', '2025-08-06T00:00:00.500Z'],
      ['2025-08-05T23:36:40.001Z', '2025-08-05T23:36:40.001Z'],
      [null, '2025-08-07T00:00:00.000Z'],
    ])
  })
})

describe('one line', () => {
  it('keeps roles that nobody knows, and objects without one, as entries', async () => {
    const { entries, ledger } = await readLines(
      { role: 'critic', content: 'too long' },
      { role: 'narrator', mood: 'calm' },
      { role: 3, content: ['a', 'b'] },
      '  {"something": 1.0}',
    )
    expect(
      entries.map(({ entry_type, content, metadata }) => [entry_type, content, metadata]),
    ).toEqual([
      ['unknown', 'too long', { raw_type: 'critic' }],
      ['unknown', '{"role":"narrator","mood":"calm"}', { raw_type: 'narrator' }],
      ['unknown', 'a\nb', { raw_type: '3' }],
      ['unknown', '{"something": 1.0}', { raw_type: '' }],
    ])
    expect([ledger.entryLines, ledger.control]).toEqual([4, 0])
  })

  it('makes one entry of each call, after the words or before them, and none of empty words', async () => {
    const call = (name: string, args: unknown, id: string | null = randomId) => ({
      id,
      function: { name, arguments: args },
      type: 'function',
    })
    const { entries } = await readLines(
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('f', { path: 'a', n: 1 }), call('g', '')],
      },
      { role: 'assistant', tool_calls: [call('', undefined, null)], content: 'after' },
      { role: 'assistant', content: '', tool_calls: [{ type: 'custom', id: 'c', custom: {} }, 7] },
      { role: 'assistant', content: '' },
      { role: 'tool', content: [{ type: 'text', text: 'x' }] },
    )
    expect(
      entries.map(({ id, to, entry_type, content, tool_call_id }) => [
        id,
        to,
        entry_type,
        content,
        tool_call_id,
      ]),
    ).toEqual([
      ['L1', 'f', 'tool_call', '{"path":"a","n":1}', randomId],
      ['L1#2', 'g', 'tool_call', '', randomId],
      ['L2', 'tool', 'tool_call', '', undefined],
      ['L2#2', 'user', 'message', 'after', undefined],
      ['L3', 'tool', 'tool_call', '{"type":"custom","id":"c","custom":{}}', 'c'],
      ['L3#2', 'tool', 'tool_call', '7', undefined],
      ['L4', 'user', 'message', '', undefined],
      ['L5', 'cycod', 'tool_result', 'x', undefined],
    ])
  })

  it('hangs what is no text on the words beside it, and drops no field', async () => {
    const png = 'data:image/png;base64,iVBORw0KGgo='
    const { entries } = await readLines(
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: png },
          { type: 'file', file: { file_id: 'f1' } },
        ],
        mood: 'calm',
        ['__proto__']: { kept: true },
      },
      {
        role: 'user',
        authorName: 'mira',
        contents: [
          { $type: 'data', uri: png },
          { $type: 'uri', uri: 'https://a.example/b.pdf', mediaType: 'application/pdf' },
          { $type: 'text', text: 'these' },
        ],
      },
      { role: 'tool', contents: [{ $type: 'functionResult', result: { ok: [1] } }] },
      { role: 'user', content: { odd: 1 } },
    )
    expect(entries.map(({ from, content, metadata }) => [from, content, metadata])).toEqual([
      [
        'user',
        '',
        {
          images: [{ url: png }],
          attachments: [{ type: 'file', file: { file_id: 'f1' } }],
          raw_fields: { mood: 'calm', ['__proto__']: { kept: true } },
        },
      ],
      [
        'mira',
        'these',
        {
          images: [{ url: png }],
          attachments: [
            { $type: 'uri', uri: 'https://a.example/b.pdf', mediaType: 'application/pdf' },
          ],
        },
      ],
      ['tool', '{"ok":[1]}', undefined],
      ['user', '', { raw_fields: { content: { odd: 1 } } }],
    ])
  })

  it('names the tool of a result that stands anywhere after its call', async () => {
    const calls = [{ id: 'a', function: { name: 'ReadFile', arguments: '{}' } }]
    const { entries } = await readLines(
      { role: 'tool', tool_call_id: 'a', content: 'too early' },
      { role: 'assistant', content: '', tool_calls: calls },
      user('wait'),
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      { role: 'tool', tool_call_id: 'b', name: 'Other', content: 'y' },
    )
    const results = entries.filter(({ entry_type }) => entry_type === 'tool_result')
    expect(results.map(({ from }) => from)).toEqual(['tool', 'ReadFile', 'Other'])
  })

  it('marks a line with bytes that are no text', async () => {
    const root = folder({})
    const bytes = Buffer.from('{"role":"user","content":"caf?"}')
    bytes[bytes.indexOf('?')] = 0xe9
    fs.writeFileSync(path.join(root, 'chat-history.jsonl'), bytes)
    const { conversations, files } = await read(root)
    expect(conversations[0]?.entries[0]).toMatchObject({
      content: 'caf\ufffd',
      metadata: { damaged: true },
    })
    expect([files[0]?.entryLines, files[0]?.damaged]).toEqual([1, []])
  })

  it('tells what is no message as damaged, also what is too deep for JSON', async () => {
    const abyss = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const { entries, ledger } = await readLines(
      '[1]',
      '"text"',
      `{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${abyss}}}]}`,
      user('still here'),
    )
    expect(entries.map(({ content }) => content)).toEqual(['still here'])
    expect(ledger.damaged.map(({ reason }) => reason)).toEqual([
      'not a JSON object',
      'not a JSON object',
      'nested more than 500 levels deep',
    ])
  })
})

describe('damage', () => {
  const message = JSON.stringify({
    role: 'assistant',
    contents: [
      { $type: 'text', text: JSON.stringify(user('quoted')) },
      { $type: 'functionCall', callId: 'a', name: 'Say', arguments: user('an argument') },
    ],
  })

  it('gives up every whole message of a line, and none that is part of a torn one', async () => {
    const contents = async (line: string) =>
      (await readLines(line, user('next'))).entries.map(({ content }) => content)
    const whole = JSON.stringify(user('whole'))
    expect(await contents(`${whole}\ufeff{"_meta":{}}${whole}`)).toEqual(['whole', 'whole', 'next'])
    for (let end = 1; end < message.length; end++)
      expect(await contents(message.slice(0, end))).toEqual(['next'])
    // Cut where a value may stand, nobody can tell what follows from a part.
    const insideText = message.indexOf('quoted') + 3
    expect(await contents(message.slice(0, insideText) + whole)).toEqual(['whole', 'next'])
  })

  it('accounts for every line of any file, and throws at none', async () => {
    const junk = fc.oneof(
      fc.constantFrom('', ' ', '\r', '\0\0', '{', '{"_meta":{"title":"t"}}', '{"role":"user"}'),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify({ role: 'tool', content: value })),
      fc
        .record({
          role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'x'),
          content: fc.jsonValue(),
          contents: fc.jsonValue(),
          tool_calls: fc.array(fc.jsonValue()),
        })
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    )
    const root = folder({})
    const file = path.join(root, 'chat-history.jsonl')
    await fc.assert(
      fc.asyncProperty(fc.array(junk), fc.constantFrom('\n', '\r\n'), async (parts, end) => {
        const text = parts.join(end)
        fs.writeFileSync(file, text)
        const { conversations, files } = await read(root)
        const [ledger] = files
        if (ledger === undefined) throw new Error('no ledger')
        const { lines, entryLines, control, blank, damaged } = ledger
        expect(lines).toBe(framedLines(text))
        expect(entryLines + control + blank + damaged.length).toBe(lines)
        const entries = conversations.flatMap((conversation) => conversation.entries)
        const damagedLines = new Set(damaged.map(({ line }) => line))
        const entryLine = entries.filter(({ line = 0 }) => !damagedLines.has(line))
        expect(new Set(entryLine.map(({ line }) => line)).size).toBe(entryLines)
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
        JSON.stringify(conversations)
      }),
    )
  })

  it('tells the entries before the cut, wherever a file is cut', async () => {
    const root = folder({})
    const text = [
      '\ufeff{"_meta":{"title":"t"}}\r',
      JSON.stringify(user('é 漢 🌊')),
      '',
      message,
      '{"role":"tool","content":"to',
      JSON.stringify(user('last')),
    ].join('\n')
    const bytes = Buffer.from(text)
    const readBytes = async (end: number) => {
      fs.writeFileSync(path.join(root, 'a.jsonl'), bytes.subarray(0, end))
      const ref = {
        source: 'cycod',
        root,
        key: 'a',
        files: [{ file: 'a.jsonl', bytes: end, mtimeMs: 0 }],
        bytes: end,
        updatedAtMs: 0,
      } as const
      const { conversations, files } = await readUnit(cycodReader, ref, nodeDisk, signal)
      return { entries: conversations.flatMap((one) => one.entries), lines: files[0]?.lines }
    }
    const whole = await readBytes(bytes.length)
    expect(whole.entries.map(({ id }) => id)).toEqual(['L2', 'L4', 'L4#2', 'L6'])
    for (let end = 0; end <= bytes.length; end++) {
      const told = await readBytes(end)
      expect(told.entries).toEqual(
        whole.entries.filter(({ offset, length }) => offset + length <= end),
      )
      expect(told.lines).toBe(framedLines(bytes.subarray(0, end).toString('latin1')))
    }
  })
})

describe('families', () => {
  const family = path.join(fixtures, 'branches/cycod-family')

  it('names parents and branch points as the fixture expects, and marks what is inherited', async () => {
    const expected: { conversations: Record<string, Record<string, unknown>> } = JSON.parse(
      fs.readFileSync(path.join(family, 'expected.json'), 'utf8'),
    )
    const { conversations } = await read(path.join(family, 'history'))
    const facts = conversations.map(({ key, parent, entries }) => {
      const shared = entries.slice(0, parent?.entries ?? 0)
      expect(entries.map(({ inherited }) => inherited === true)).toEqual(
        entries.map((_, i) => i < shared.length),
      )
      const messages = new Set(shared.map(({ line }) => line)).size
      return [key, parent?.key ?? null, parent === null ? null : messages]
    })
    expect(facts).toEqual(
      Object.entries(expected.conversations).map(([key, one]) => [
        key,
        one.preferred_parent,
        one.preferred_branch_point_message_index,
      ]),
    )
  })

  it('gives a shared entry the id of the oldest file, and keeps the place in its own', async () => {
    const lines = ['a', 'b', 'c', 'd'].map((text) => JSON.stringify(user(text)))
    const meta = '{"_meta":{"titleLocked":false}}'
    const { conversations } = await read(
      folder({
        'chat-history-1754437000000.jsonl': lines.slice(0, 3).join('\n'),
        'chat-history-1754437000001.jsonl': [meta, ...lines].join('\n'),
      }),
    )
    const [, younger] = conversations
    expect(younger?.parent).toEqual({ key: 'chat-history-1754437000000', entries: 3 })
    expect(younger?.entries.map(({ id, line }) => [id, line])).toEqual([
      ['L1', 2],
      ['L2', 3],
      ['L3', 4],
      ['L5', 5],
    ])
    expect(younger?.active).toEqual(['L1', 'L2', 'L3', 'L5'])
  })

  it('leaves ids alone where the older ones would name two entries of a file', async () => {
    const lines = ['a', 'b', 'c', 'd'].map((text) => JSON.stringify(user(text)))
    const meta = '{"_meta":{"titleLocked":false}}'
    const { conversations } = await read(
      folder({
        'chat-history-1754437000000.jsonl': [meta, ...lines.slice(0, 3)].join('\n'),
        'chat-history-1754437000001.jsonl': lines.join('\n'),
      }),
    )
    const [, younger] = conversations
    expect(younger?.parent?.entries).toBe(3)
    expect(younger?.entries.map(({ id }) => id)).toEqual(['L1', 'L2', 'L3', 'L4'])
  })

  it('changes no byte and no time of what it reads', async () => {
    const root = path.join(temp(), 'history')
    fs.cpSync(path.join(family, 'history'), root, { recursive: true, preserveTimestamps: true })
    const digest = () =>
      fs.readdirSync(root).map((name) => [
        name,
        fs.statSync(path.join(root, name)).mtimeMs,
        createHash('sha256')
          .update(fs.readFileSync(path.join(root, name)))
          .digest('hex'),
      ])
    const before = digest()
    await read(root)
    expect(digest()).toEqual(before)
  })
})
