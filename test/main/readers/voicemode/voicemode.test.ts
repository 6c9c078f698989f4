import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { type ReadConversation, readRoot } from '../../../../src/main/readers/read-root'
import { audioPlaces, voicemodeFolderOf } from '../../../../src/main/readers/voicemode/audio'
import { instantOf } from '../../../../src/main/readers/voicemode/instant'
import { voicemodeReader } from '../../../../src/main/readers/voicemode/voicemode'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const fixtures = path.join(__dirname, '../../../fixtures/readers/voicemode')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const read = (root: string) => readRoot(voicemodeReader, root, nodeDisk, signal)
const days = 'logs/conversations'

/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const root = temp()
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  return root
}

/** What is read of one day with these lines. */
async function readDay(...lines: readonly (string | object)[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return read(folder({ [`${days}/exchanges_2025-09-01.jsonl`]: text.join('\n') }))
}

const said = (id: string | undefined, text: string, more: object = {}) => ({
  version: 3,
  timestamp: '2025-09-01T08:00:00+00:00',
  ...(id === undefined ? {} : { conversation_id: id }),
  type: 'stt',
  text,
  ...more,
})

const entriesOf = (conversations: readonly ReadConversation[]) =>
  conversations.flatMap(({ entries }) => entries)
const texts = (conversation: ReadConversation | undefined) =>
  conversation?.entries.map(({ content }) => content)

/** A field of what is told of how an entry was said. */
function spoken(entry: Entry, field: string): unknown {
  const speech = entry.metadata?.speech
  return typeof speech === 'object' && speech !== null
    ? Object.entries(speech).find(([key]) => key === field)?.[1]
    : undefined
}

function counted(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values)
    counts[String(value ?? 'unknown')] = (counts[String(value ?? 'unknown')] ?? 0) + 1
  return counts
}

interface Basic {
  readonly exchanges: number
  readonly stt: number
  readonly tts: number
  readonly by_version: object
  readonly conversations: Readonly<
    Record<
      string,
      {
        exchanges: number
        start: string
        end: string
        stt: number
        tts: number
        project: string
        days: string[]
      }
    >
  >
  readonly audio: Readonly<Record<string, string | null>>
  readonly providers: object
  readonly transports: object
  readonly no_speech: number
  readonly fallbacks: number
  readonly vad: { readonly enabled: number; readonly disabled: number }
  readonly errors: { readonly total: number }
}

function expectedOf(name: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(fixtures, name, 'expected.json'), 'utf8'))
}

describe('a home of all versions', () => {
  const basic = expectedOf('basic') as Basic // of the fixture's shape
  const home = path.join(fixtures, 'basic')
  const conversationsOf = async () =>
    (await read(home)).conversations.filter(({ key }) => !key.startsWith('transcriptions/'))

  it('has the conversations, over midnight and over long pauses', async () => {
    const found = await conversationsOf()
    expect(found.map(({ key }) => key)).toEqual(Object.keys(basic.conversations))
    for (const { key, entries, created, updated, project } of found) {
      const expected = basic.conversations[key]
      const roles = counted(entries.map(({ role }) => role))
      const inFiles = new Set(entries.map(({ file }) => file.slice(-16, -6)))
      expect({
        exchanges: entries.length,
        start: Date.parse(created ?? ''),
        end: Date.parse(updated ?? ''),
        stt: roles.user,
        tts: roles.agent,
        project,
        days: [...inFiles],
      }).toEqual({
        ...expected,
        start: Date.parse(expected?.start ?? ''),
        end: Date.parse(expected?.end ?? ''),
      })
    }
  })

  it('tells what was said with what, and how', async () => {
    const entries = entriesOf(await conversationsOf())
    const { exchanges, by_version, providers, transports, no_speech, fallbacks, vad } = basic
    expect(entries).toHaveLength(exchanges)
    const all = (field: string) => counted(entries.map((entry) => spoken(entry, field)))
    expect(all('version')).toEqual(by_version)
    expect(all('provider')).toEqual(providers)
    expect(all('transport')).toEqual(transports)
    expect(all('is_fallback').true).toBe(fallbacks)
    expect(all('error')).toMatchObject({ unknown: exchanges - basic.errors.total })
    expect(entries.filter(({ content }) => content === '[no speech detected]')).toHaveLength(
      no_speech,
    )
    const vads = entries.map((entry) => spoken(entry, 'silence_detection'))
    expect(vads.filter((told) => JSON.stringify(told)?.includes('"enabled":true'))).toHaveLength(
      vad.enabled,
    )
    expect(vads.filter((told) => JSON.stringify(told)?.includes('"enabled":false'))).toHaveLength(
      vad.disabled,
    )
    expect(entries[0]?.timestamp).toBe(1751070645.123456)
  })

  it('finds the sound of an utterance by month, then where all lay, or not', async () => {
    const names = entriesOf(await conversationsOf()).flatMap(({ metadata }) => {
      const audio = metadata?.audio
      return typeof audio === 'object' && audio !== null && 'file' in audio
        ? [String(audio.file)]
        : []
    })
    const found = names.map((name) => [
      name,
      audioPlaces(name).find((place) => fs.existsSync(path.join(home, place))) ?? null,
    ])
    expect(Object.fromEntries(found)).toEqual(basic.audio)
  })

  it('tells every line in a ledger, and the text files', async () => {
    const { files, notices } = await read(home)
    const lines = files.filter(({ unit }) => unit === 'line')
    expect(lines.reduce((sum, { entryLines }) => sum + entryLines, 0)).toBe(basic.exchanges)
    expect(files.filter(({ unit }) => unit === 'message')).toHaveLength(1)
    expect(notices).toEqual([])
  })
})

it.each(fs.readdirSync(path.join(fixtures, 'tricky')))('reads what is tricky: %s', async (name) => {
  const expected = expectedOf(`tricky/${name}`) as {
    readonly conversations: Readonly<Record<string, number>>
    readonly malformed_lines?: number
    readonly damaged_lines?: number
  } // of the fixture's shape
  const { conversations, files } = await read(path.join(fixtures, 'tricky', name))
  const entries = entriesOf(conversations)
  const damaged = entries.filter(({ metadata }) => metadata?.damaged === true).length
  const counts = Object.fromEntries(conversations.map(({ key, entries }) => [key, entries.length]))
  const [key = ''] = Object.keys(expected.conversations)
  expect(counts).toEqual({ [key]: (expected.conversations[key] ?? 0) + damaged })
  expect(damaged).toBe(expected.damaged_lines ?? 0)
  expect(files[0]?.damaged).toHaveLength(expected.malformed_lines ?? 0)
  expect(files[0]?.torn).toBe(name === 'torn-last-line')
})

describe('two conversations over midnight, while the clocks change', () => {
  const home = path.join(fixtures, 'midnight')
  const roots = [home, path.join(home, days)]

  it.each(roots)('are told apart, each in the order of its instants: %s', async (root) => {
    const { conversations, files } = await read(root)
    const [night, two] = conversations
    expect(conversations.map(({ key }) => key)).toEqual([
      'conv_20260328_235500_nite01',
      'conv_20260328_235600_two002',
    ])
    expect(texts(night)).toEqual([
      'is the moon up?',
      'it rises at midnight',
      'call me when it is high',
      'the moon is high',
      '[no speech detected]',
    ])
    expect(texts(two)).toEqual(['wake me at six', 'six it is'])
    expect(night).toMatchObject({
      title: 'is the moon up?',
      project: '/home/ann/garden',
      created: '2026-03-28T22:55:00.100Z',
    })
    expect(two?.project).toBe('/home/ann/kitchen')
    expect(night?.entries[1]?.metadata?.audio).toEqual({
      file: '20260328_235958_900_nite01_tts.mp3',
    })
    expect(new Set(night?.entries.map(({ id }) => id)).size).toBe(5)
    const place = root === home ? `${days}/` : ''
    expect(
      files.map(({ file, lines, entryLines, blank }) => [file, lines, entryLines, blank]),
    ).toEqual([
      [`${place}exchanges_2026-03-28.jsonl`, 4, 4, 0],
      [`${place}exchanges_2026-03-29.jsonl`, 4, 3, 1],
    ])
  })

  it('are read from one day alone', async () => {
    const { conversations } = await read(path.join(home, days, 'exchanges_2026-03-29.jsonl'))
    expect(conversations).toHaveLength(1)
    expect(conversations[0]?.entries[0]?.file).toBe('exchanges_2026-03-29.jsonl')
    expect(texts(conversations[0])).toEqual([
      'call me when it is high',
      'the moon is high',
      '[no speech detected]',
    ])
  })
})

describe('what a line becomes', () => {
  it('keeps what has no field, unless it is null', async () => {
    const { conversations } = await readDay(
      said('a', 'x', {
        project_path: null,
        audio_file: null,
        duration_ms: 7,
        mood: 'calm',
        metadata: { model: 'whisper-1', type: 'odd', timing: null },
      }),
    )
    expect(conversations[0]?.entries[0]?.metadata).toEqual({
      model: 'whisper-1',
      speech: { type: 'stt', version: 3, timing: null },
      raw_fields: { duration_ms: 7, mood: 'calm', metadata: { type: 'odd' } },
    })
  })

  it('keeps fields of any name', async () => {
    const odd = '"constructor": 1, "__proto__": 2, "toString": 3'
    const { conversations } = await readDay(
      `{"conversation_id": "a", "type": "stt", "text": "x", ${odd}, "metadata": {${odd}}}`,
    )
    const { speech, raw_fields } = conversations[0]?.entries[0]?.metadata ?? {}
    expect(JSON.stringify(raw_fields)).toBe(`{${odd.replaceAll(' ', '')}}`)
    expect(JSON.stringify(speech)).toBe(`{"type":"stt","version":1,${odd.replaceAll(' ', '')}}`)
  })

  it('tells an unknown type as it stands, and fields of other types raw', async () => {
    const line = said('a', 'x', { type: 'dtmf', text: undefined, project_path: 5, timestamp: 12 })
    const { conversations } = await readDay(line)
    expect(conversations[0]?.entries[0]).toMatchObject({
      entry_type: 'unknown',
      timestamp: null,
      content: JSON.stringify(line),
      metadata: { raw_type: 'dtmf', raw_fields: { project_path: 5, timestamp: 12 } },
    })
  })

  it.each([
    '[1]',
    '"text"',
    '7',
    'null',
    `{"conversation_id":"a","x":${'['.repeat(900)}${']'.repeat(900)}}`,
  ])('is damage: %.20s', async (line) => {
    const { files } = await readDay(said('a', 'x'), line)
    expect(files[0]?.damaged).toHaveLength(1)
  })

  it('has a title of what was heard, else of what was spoken, else the key', async () => {
    const { conversations } = await readDay(
      said('a', 'spoken', { type: 'tts' }),
      said('a', '[no speech detected]'),
      said('a', 'heard'),
      said('b', '[no speech detected]'),
      said('b', 'spoken', { type: 'tts' }),
      said('c', '', { type: 'tts' }),
    )
    expect(conversations.map(({ title }) => title)).toEqual(['heard', 'spoken', 'c'])
  })
})

describe('whose line it is', () => {
  it('goes by the id, whatever it looks like', async () => {
    const ids = ['../../etc/passwd', 'a"b\\c', 'ü'.repeat(512), '\u0000', '__proto__', 'no-id/x']
    const { conversations } = await readDay(...ids.map((id) => said(id, id)))
    expect(conversations.map(({ key }) => key)).toEqual(ids)
  })

  it('goes by day and project where there is no usable id', async () => {
    const { conversations } = await readDay(
      said(undefined, 'a', { project_path: '/p' }),
      said('', 'b', { project_path: '/p' }),
      said('x'.repeat(513), 'c', { project_path: 'C:\\p' }),
      said('transcriptions/x', 'd', { timestamp: 'then' }),
      { type: 'stt', text: 'e' },
    )
    expect(conversations.map((one) => [one.key, texts(one)])).toEqual([
      ['no-id/2025-09-01/p', ['a', 'b']],
      ['no-id/2025-09-01/C:\\p', ['c']],
      ['no-id/undated', ['d', 'e']],
    ])
  })
})

describe('text files', () => {
  const head = (fields: string, text: string) =>
    `--- METADATA ---\n${fields}\n--- TRANSCRIPT ---\n\n${text}`

  it('are one conversation while they are of one project and five minutes apart at most', async () => {
    const files = {
      'stt_20250628_235900_000.txt': head('type: stt\nproject_path: /p', 'one'),
      'tts_20250629_000400_000.txt': head('type: tts\nproject_path: /p\nmodel: tts-1', 'two'),
      'tts_20250629_000401_000.txt': head('type: tts\nproject_path: /q', 'of another project'),
      'stt_20250629_000900_001.txt': head('type: stt\nproject_path: /p', 'too late'),
      'conversation_20250630_000000_000.txt': 'no head\nat all',
      'stt_20250701_000000_000.txt': '',
      'notes.txt': 'not of voicemode',
    }
    const root = folder(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`transcriptions/${name}`, text]),
      ),
    )
    for (const at of [root, path.join(root, 'transcriptions')]) {
      const { conversations, files: ledgers } = await read(at)
      expect(conversations.map((one) => [one.key, texts(one), one.project])).toEqual([
        ['transcriptions/stt_20250628_235900_000', ['one', 'two'], '/p'],
        ['transcriptions/tts_20250629_000401_000', ['of another project'], '/q'],
        ['transcriptions/stt_20250629_000900_001', ['too late'], '/p'],
        ['transcriptions/conversation_20250630_000000_000', ['no head\nat all'], null],
        ['transcriptions/stt_20250701_000000_000', [], null],
      ])
      expect(ledgers.reduce((sum, { entryLines }) => sum + entryLines, 0)).toBe(5)
      expect(ledgers.reduce((sum, { blank }) => sum + blank, 0)).toBe(1)
      const [one, two] = conversations[0]?.entries ?? []
      expect([one?.role, two?.role, two?.timestamp, two?.metadata?.model]).toEqual([
        'user',
        'agent',
        null,
        'tts-1',
      ])
      expect(spoken(two as Entry, 'stamp')).toBe('20250629_000400_000')
    }
  })
})

describe('finding files', () => {
  it('finds nothing where nothing is, and reads the rest where a file cannot be read', async () => {
    expect(await read(path.join(temp(), 'nowhere'))).toMatchObject({ conversations: [], files: [] })
    const root = folder({
      [`${days}/exchanges_2025-09-01.jsonl`]: JSON.stringify(said('a', 'x')),
      [`${days}/exchanges_2025-09-02.jsonl`]: JSON.stringify(said('b', 'y')),
      [`${days}/exchanges_2025-09-03.jsonl/inner`]: 'in a folder of that name',
      [`${days}/other.jsonl`]: JSON.stringify(said('c', 'z')),
    })
    const second = path.join(root, days, 'exchanges_2025-09-02.jsonl')
    const disk = {
      ...nodeDisk,
      open: (file: string, mode: 'read' | 'append' | 'create-new') =>
        nodeDisk.open(file === second ? root : file, mode),
    }
    const { conversations, files, unread } = await readRoot(voicemodeReader, root, disk, signal)
    expect(conversations.map(({ key }) => key)).toEqual(['a'])
    expect(files).toHaveLength(1)
    const [dayOfA, ...ofRoot] = unread
    expect(dayOfA?.key).toBe('a')
    expect(dayOfA?.part.sentence).toContain('exchanges_2025-09-02.jsonl cannot be read')
    expect(ofRoot.map(({ part }) => part.sentence)).toEqual([
      expect.stringMatching(/exchanges_2025-09-03.jsonl cannot be read: it is a folder/),
      expect.stringContaining('exchanges_2025-09-02.jsonl cannot be read'),
    ])
  })

  it('reads a packed day beside a plain one that holds other lines, each line once', async () => {
    const day = `${days}/exchanges_2025-09-01.jsonl`
    const line = (text: string, at: string) =>
      `${JSON.stringify({ ...said('a', text), timestamp: `2025-09-01T${at}+00:00` })}\n`
    const root = folder({ [day]: line('later', '12:00:00') })
    fs.writeFileSync(path.join(root, `${day}.gz`), gzipSync(line('early', '08:00:00')))
    const disk = unpackingDisk(nodeDisk)
    const read = async () => {
      const { conversations, files, notices } = await readRoot(voicemodeReader, root, disk, signal)
      const entries = entriesOf(conversations).map(({ id, content }) => [id, content])
      return { entries, files: files.map(({ file }) => file).sort(), notices }
    }
    expect(await read()).toEqual({
      entries: [
        ['L1', 'early'],
        ['L1@2025-09-01', 'later'],
      ],
      files: [day, `${day}.gz`],
      notices: [],
    })
    // What is packed now stands in the plain file: it is a copy.
    fs.writeFileSync(path.join(root, day), line('early', '08:00:00') + line('later', '12:00:00'))
    expect((await read()).entries).toEqual([
      ['L1', 'early'],
      ['L2', 'later'],
    ])
  })

  it('reads a day once that is there plain and packed, and tells of the copy', async () => {
    const day = `${days}/exchanges_2025-09-01.jsonl`
    const text = `${JSON.stringify(said('a', 'x'))}\n${JSON.stringify(said('a', 'y'))}\n`
    const root = folder({ [day]: text })
    const pack = (ending: string, bytes: Uint8Array) =>
      fs.writeFileSync(path.join(root, `${day}${ending}`), bytes)
    pack('.gz', gzipSync(text))
    pack('.zst', Buffer.from('never opened'))
    const told = async () => {
      const disk = unpackingDisk(nodeDisk)
      const { conversations, files, notices } = await readRoot(voicemodeReader, root, disk, signal)
      const entries = entriesOf(conversations).map(({ id, content, file }) => [id, content, file])
      return { entries, files: files.map(({ file }) => file), notices }
    }
    const passed = (ending: string, what: string, of: string) => ({
      key: root,
      notice: `${day}${ending} is skipped: ${what} is also in ${of}.`,
    })
    expect(await told()).toEqual({
      entries: [
        ['L1', 'x', day],
        ['L2', 'y', day],
      ],
      files: [day],
      notices: [
        passed('.gz', 'everything in it', day),
        passed('.zst', 'what can be read of it', day),
      ],
    })
    fs.rmSync(path.join(root, day))
    expect(await told()).toEqual({
      entries: [
        ['L1', 'x', `${day}.gz`],
        ['L2', 'y', `${day}.gz`],
      ],
      files: [`${day}.gz`],
      notices: [passed('.zst', 'what can be read of it', `${day}.gz`)],
    })
  })

  it.runIf(process.platform === 'linux')(
    'finds days with a line feed in their names, and tells of what is no file',
    async () => {
      const root = folder({ [`${days}/exchanges_a\nb.jsonl`]: JSON.stringify(said('a', 'x')) })
      const place = (name: string) => path.join(root, days, name)
      execFileSync('mkfifo', [place('exchanges_1.jsonl')])
      fs.symlinkSync('nowhere', place('exchanges_2.jsonl'))
      fs.writeFileSync(Buffer.from(place('exchanges_\xe9.jsonl'), 'latin1'), '')
      const { conversations, unread } = await read(root)
      expect(conversations.map(({ key }) => key)).toEqual(['a'])
      expect(unread.map(({ part }) => part.sentence)).toEqual([
        `${days}/exchanges_1.jsonl cannot be read: it is not a file.`,
        `${days}/exchanges_2.jsonl cannot be read: it is a link to nothing.`,
        `${days}/exchanges_\ufffd.jsonl cannot be read: it has a name that is not valid UTF-8.`,
      ])
    },
  )

  it.each([
    ['/home/ann/.voicemode', '/home/ann/.voicemode'],
    ['/home/ann/.voicemode/logs/conversations', '/home/ann/.voicemode'],
    ['/home/ann/.voicemode/logs/conversations/exchanges_2025-09-01.jsonl', '/home/ann/.voicemode'],
    ['/home/ann/.voicemode/logs', '/home/ann/.voicemode'],
    ['/home/ann/.voicemode/logs/exchanges_2025-07-01.jsonl', '/home/ann/.voicemode'],
    ['/home/ann/.voicemode/transcriptions', '/home/ann/.voicemode'],
    ['/logs/other/folder', '/logs/other/folder'],
  ])('knows the folder that %s belongs to', (root, base) => {
    expect(voicemodeFolderOf(root)).toBe(base)
  })
})

it.each<[string, readonly string[]]>([
  [
    '20250628_103045_123_ab12cd_tts.mp3',
    [
      'audio/2025/06/20250628_103045_123_ab12cd_tts.mp3',
      'audio/20250628_103045_123_ab12cd_tts.mp3',
    ],
  ],
  [
    'tts_20250628_103045_123.mp3',
    ['audio/2025/06/tts_20250628_103045_123.mp3', 'audio/tts_20250628_103045_123.mp3'],
  ],
  ['song.mp3', ['audio/song.mp3']],
  ['kept/song.mp3', ['kept/song.mp3', 'audio/kept/song.mp3']],
  ...[
    '',
    '.',
    '..',
    '../x.mp3',
    '/a.mp3',
    'a//b.mp3',
    'a/./b.mp3',
    'a/../b.mp3',
    'a\\b.mp3',
    'C:x.mp3',
    'a\0.mp3',
    '..mp3',
  ].map((name): [string, readonly string[]] => [name, []]),
])('looks for the sound %j in places below its folder alone', (name, places) => {
  expect(audioPlaces(name)).toEqual(places)
})

describe('instants', () => {
  it.each([
    '2025-08-01T23:58:30.500000+10:00',
    '1969-12-31T23:59:59.999Z',
    '2000-02-29T00:00:00-11:30',
    '2100-03-01T12:34:56+00:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.001+14:00',
  ])('are those of the calendar: %s', (text) => {
    expect(instantOf(text)).toBe(Date.parse(text) / 1000)
  })

  it.each([
    ['2025-08-01T00:00:00.123456789Z', Date.UTC(2025, 7, 1) / 1000 + 0.123456],
    ['2025-08-01 10:00+02', Date.UTC(2025, 7, 1, 8) / 1000],
    ['2025-08-01T10:00:00+0200', Date.UTC(2025, 7, 1, 8) / 1000],
    ['2025-08-01t10:00:60z', Date.UTC(2025, 7, 1, 10, 1) / 1000],
  ])('%s', (text, seconds) => {
    expect(instantOf(text)).toBe(seconds)
  })

  it.each([
    '',
    '2025-08-01T10:00:00',
    '2025-02-29T10:00:00Z',
    '1900-02-29T10:00:00Z',
    '2025-04-31T10:00:00Z',
    '2025-00-01T10:00:00Z',
    '2025-08-01T24:00:00Z',
    '2025-08-01T10:60:00Z',
    '2025-08-01T10:00:00Z ',
    '2O25-08-01T10:00:00Z',
    '1751070645',
  ])('%j is none', (text) => {
    expect(instantOf(text)).toBeUndefined()
  })
})

describe('folders of three generations', () => {
  const line = (version: number, id: string, time: string, text: string, type = 'stt') =>
    `${JSON.stringify({ version, timestamp: time, conversation_id: id, type, text })}\n`
  const [asked, answered] = [
    line(2, 'conv_a', '2025-07-28T09:00:00+00:00', 'Before the change'),
    line(3, 'conv_a', '2025-07-28T09:01:00+00:00', 'After the change', 'tts'),
  ]

  it('reads the days of `logs` and of `logs/conversations`, and a day and its conversation that stand in both', async () => {
    const root = folder({
      'logs/exchanges_2025-06-28.jsonl': line(1, 'conv_1', '2025-06-28T09:00:00+00:00', 'First'),
      'logs/exchanges_2025-07-28.jsonl': asked,
      'logs/conversations/exchanges_2025-07-28.jsonl': answered,
    })
    for (const place of [root, path.join(root, 'logs')]) {
      const { conversations, files } = await read(place)
      const said = conversations.map(({ key, entries }) => [
        key,
        ...entries.map((one) => one.content),
      ])
      expect(said).toEqual([
        ['conv_1', 'First'],
        ['conv_a', 'Before the change', 'After the change'],
      ])
      expect(files.map(({ entryLines }) => entryLines)).toEqual([1, 1, 1])
    }
  })

  it('tells a day once that was copied into the other folder, whichever goes on, and says so', async () => {
    for (const [longer, shorter] of [
      ['logs', 'logs/conversations'],
      ['logs/conversations', 'logs'],
    ]) {
      const root = folder({
        [`${longer}/exchanges_2025-07-28.jsonl`]: asked + answered,
        [`${shorter}/exchanges_2025-07-28.jsonl`]: asked,
      })
      const { conversations, notices } = await read(root)
      expect(conversations.flatMap(({ entries }) => entries)).toHaveLength(2)
      expect(notices.map(({ notice }) => notice)).toEqual([
        `${shorter}/exchanges_2025-07-28.jsonl is skipped: everything in it is also in ${longer}/exchanges_2025-07-28.jsonl.`,
      ])
    }
  })
})

describe('text files beside day files', () => {
  const text = (type: string, words: string) =>
    `--- METADATA ---\ntype: ${type}\nvoice: alloy\nmodel: tts-1\nstt_model: whisper-1\n--- TRANSCRIPT ---\n\n${words}\n`
  const both = text('conversation', 'Assistant: Which?\n\nThe left one?\n\nUser: The right one.')
  const utterances = {
    'transcriptions/stt_20250901_235959_000.txt': text('stt', 'The right one.'),
    'transcriptions/conversation_20250901_235959_001.txt': both,
  }

  it('are no second conversation beside the same words in the day of their date, or of the next', async () => {
    for (const day of ['2025-09-01', '2025-09-02']) {
      const file = `${days}/exchanges_${day}.jsonl`
      const lines = [
        { ...said('a', 'Which?\n\nThe left one?'), type: 'tts' },
        { ...said('a', 'The right one.'), type: 'stt' },
      ]
      const root = folder({
        ...utterances,
        [file]: lines.map((one) => JSON.stringify(one)).join('\n'),
      })
      const { conversations, notices } = await read(root)
      expect(conversations.map(({ key }) => key)).toEqual(['a'])
      expect(notices.map(({ notice }) => notice)).toEqual([
        `2 text files are skipped: their words are also in ${file}.`,
      ])
    }
  })

  it('stay where the day does not have their words, or has them fewer times', async () => {
    const root = folder({
      'transcriptions/stt_20250901_100000_000.txt': text('stt', 'Yes'),
      'transcriptions/stt_20250901_100001_000.txt': text('stt', 'Yes'),
      'transcriptions/stt_20250901_100002_000.txt': text('stt', 'No'),
      [`${days}/exchanges_2025-09-01.jsonl`]: JSON.stringify({ ...said('a', 'Yes'), type: 'stt' }),
    })
    const { conversations } = await read(root)
    const texts = conversations.filter(({ key }) => key !== 'a')
    expect(texts.flatMap(({ entries }) => entries.map(({ content }) => content))).toEqual([
      'Yes\n',
      'No\n',
    ])
  })

  it('alone have both speakers where they hold a question and its answer', async () => {
    const { conversations } = await read(
      folder({ 'transcriptions/conversation_20250901_235959_001.txt': both }),
    )
    const told = conversations.flatMap(({ entries }) =>
      entries.map(({ id, role, content, metadata }) => [id, role, content, metadata?.model]),
    )
    expect(told).toEqual([
      ['L1', 'agent', 'Which?\n\nThe left one?', 'tts-1'],
      ['L1#2', 'user', 'The right one.\n', 'whisper-1'],
    ])
  })
})
