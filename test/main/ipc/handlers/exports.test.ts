import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openWorkToEnd } from '../../../../src/main/compose/ending-work'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { readSmallText } from '../../../../src/main/disk/reading/read'
import { zipMembersFolder } from '../../../../src/main/disk/unpack/zip-path'
import { exportHandlers } from '../../../../src/main/ipc/handlers/exports'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { ExportFormat } from '../../../../src/shared/model/export'
import { bundled } from '../../../support/bundled'
import { openTestHome } from '../../../support/home'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const countWorker = bundled('src/main/library/count/count.worker.ts')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const soup = LibraryKey.parse('cycod:chat-history-1754437000000')

/** What the window's calls do with a cycod folder with this conversation. */
async function handlersOver(lines: readonly string[]) {
  const root = folder()
  const file = path.join(root, 'history/chat-history-1754437000000.jsonl')
  await fs.mkdir(path.dirname(file))
  await fs.writeFile(file, lines.join('\n'))
  const home = await openTestHome(folder(), {
    roots: [{ source: 'cycod', path: root }],
    workers: { count: countWorker() },
  })
  closers.push(() => home.close())
  const target = path.join(folder(), 'out')
  const asked: string[] = []
  const titles: string[] = []
  /** Where the next export of several goes: the last one. */
  const folders: string[] = []
  /** Answers that the next questions for a file wait for; others get the target. */
  const answers: Promise<string>[] = []
  const progress: { readonly done: number; readonly total: number }[] = []
  const ending = openWorkToEnd()
  /** Own patterns of Settings. */
  const kept: string[] = []
  const handlers = exportHandlers(
    () => home,
    {
      async file(name, { extension, title }) {
        asked.push(`${name} as ${extension}`)
        titles.push(title)
        return answers.shift() ?? target
      },
      shown: (place) => path.basename(place),
      folder: async () => folders.at(-1),
    },
    { progress: (one) => void progress.push(one) },
    ending,
    async () => kept,
  )
  return { handlers, target, file, asked, folders, titles, answers, progress, ending, kept }
}

const lines = [
  '{"_meta":{"title":"Soup","titleLocked":false}}',
  '{"role":"user","content":"What is this?"}',
  '{"role":"user","content":"cut',
  '{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{}"},"type":"function"}]}',
  '{"role":"tool","tool_call_id":"c1","content":"soup"}',
  '{"role":"assistant","content":"Soup."}',
]

it('says what has no place in a format, and writes what has', async () => {
  const { handlers, target } = await handlersOver(lines)
  expect(await handlers.losses({ key: soup, format: 'fluux' })).toEqual({
    entries: 5,
    written: 3,
    losses: [
      {
        kind: 'tool',
        count: 2,
        sentence: '2 tool calls and results are left out.',
      },
      { kind: 'damaged', count: 1, sentence: '1 damaged line is left out.' },
    ],
  })
  expect(await handlers.save({ key: soup, format: 'fluux' })).toMatchObject({
    file: 'out',
    entries: 5,
    damaged: 1,
  })
  const written = (await fs.readFile(target, 'utf8')).trimEnd().split('\n')
  expect(written.slice(1).map((line) => JSON.parse(line).content)).toEqual([
    'What is this?',
    'I look.',
    'Soup.',
  ])
})

it.each(ExportFormat.options)('counts and saves as %s', async (format) => {
  const { handlers, target } = await handlersOver(lines)
  const { entries } = await handlers.losses({ key: soup, format })
  const saved = await handlers.save({ key: soup, format })
  expect([entries, saved?.entries, saved?.bytes]).toEqual([5, 5, (await fs.stat(target)).size])
})

it('writes the original as it stands, and counts what is in it', async () => {
  const { handlers, target, file } = await handlersOver(lines)
  expect(await handlers.losses({ key: soup, format: 'original' })).toEqual({
    entries: 5,
    written: 5,
    losses: [],
  })
  expect(await handlers.save({ key: soup, format: 'original' })).toMatchObject({
    entries: 5,
    damaged: 1,
  })
  expect((await fs.readFile(target)).equals(await fs.readFile(file))).toBe(true)
})

it('suggests the name under which the system of the form finds the file', async () => {
  const { handlers, asked } = await handlersOver(lines)
  for (const format of ['md', 'original', 'chibi', 'cycod', 'fluux', 'voicemode'] as const)
    await handlers.save({ key: soup, format })
  expect(asked).toEqual([
    'chat-history-1754437000000.md as md',
    'chat-history-1754437000000.jsonl as jsonl',
    'active.jsonl as jsonl',
    'chat-history-1754437000000.jsonl as jsonl',
    'history.jsonl as jsonl',
    'exchanges_2025-08-05.jsonl as jsonl',
  ])
})

it('is not kept waiting by a question for another place, which Stop ends too', async () => {
  const { handlers, answers, progress } = await handlersOver(lines)
  let answer: (file: string) => void = () => undefined
  answers.push(
    new Promise((resolve) => {
      answer = resolve
    }),
  )
  const first = handlers.save({ key: soup, format: 'md' })
  expect(await handlers.save({ key: soup, format: 'csv' })).toMatchObject({ file: 'out' })
  expect(progress).toEqual([{ done: 0, total: 1 }])
  await handlers.stop()
  const into = folder()
  answer(path.join(into, 'late.md'))
  expect(await first).toBeNull()
  expect(await fs.readdir(into)).toEqual([])
})

it('ends a count that is no longer asked for', async () => {
  const { handlers } = await handlersOver(lines)
  const first = handlers.losses({ key: soup, format: 'md' })
  const second = handlers.losses({ key: soup, format: 'csv' })
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect((await second).entries).toBe(5)
})

it('says so when the conversation is not there', async () => {
  const { handlers } = await handlersOver(lines)
  const key = LibraryKey.parse('cycod:other')
  await expect(handlers.losses({ key, format: 'md' })).rejects.toMatchObject({ code: 'not-found' })
})

describe('an export of several conversations', () => {
  const gone = LibraryKey.parse('cycod:gone')

  it('writes a file each, says what they lose together, and goes on behind one that is not there', async () => {
    const { handlers, folders, progress } = await handlersOver(lines)
    expect(await handlers.saveAll({ keys: [soup], format: 'fluux', into: 'folder' })).toBeNull()
    const into = folder()
    folders.push(into)
    expect(
      await handlers.saveAll({ keys: [soup, gone, soup], format: 'fluux', into: 'folder' }),
    ).toEqual({
      place: path.basename(into),
      conversations: 2,
      bytes: expect.any(Number),
      losses: {
        entries: 10,
        written: 6,
        losses: [
          {
            kind: 'tool',
            count: 4,
            sentence: '4 tool calls and results are left out.',
          },
          { kind: 'damaged', count: 2, sentence: '2 damaged lines are left out.' },
        ],
      },
      failures: ['gone was not exported: The conversation "cycod:gone" no longer exists.'],
      failed: 1,
      stopped: false,
    })
    const name = 'cycod-chat-history-1754437000000'
    expect((await fs.readdir(into)).sort()).toEqual([`${name}-2.jsonl`, `${name}.jsonl`])
    expect(progress[0]).toEqual({ done: 0, total: 3 })
  })

  it('does not end where one is longer than what is printed', async () => {
    const content = 'plum '.repeat(3_600_000)
    const long = JSON.stringify({ role: 'tool', tool_call_id: 'c2', content })
    const { handlers } = await handlersOver([...lines, long])
    expect(await handlers.saveAll({ keys: [soup], format: 'pdf', into: 'zip' })).toMatchObject({
      conversations: 0,
      failed: 1,
      failures: [expect.stringContaining('more than 16 MB of text')],
    })
  })

  it('is stopped between two conversations, and what is there is whole', async () => {
    const { handlers, folders, target } = await handlersOver(lines)
    await handlers.save({ key: soup, format: 'md' })
    const into = folder()
    folders.push(into)
    const saving = handlers.saveAll({
      keys: Array.from({ length: 500 }, () => soup),
      format: 'md',
      into: 'folder',
    })
    await expect(
      handlers.saveAll({ keys: [soup], format: 'md', into: 'folder' }),
    ).rejects.toMatchObject({
      code: 'busy',
    })
    await expect.poll(async () => (await fs.readdir(into)).length).toBeGreaterThan(0)
    await handlers.stop()
    const saved = await saving
    const names = await fs.readdir(into)
    expect(saved).toMatchObject({ stopped: true, conversations: names.length, failed: 0 })
    expect(names.length).toBeLessThan(500)
    const whole = await fs.readFile(target, 'utf8')
    for (const name of names) expect(await fs.readFile(path.join(into, name), 'utf8')).toBe(whole)
  })

  it('writes nothing among what is read', async () => {
    const { handlers, folders, file } = await handlersOver(lines)
    folders.push(path.dirname(file))
    await expect(
      handlers.saveAll({ keys: [soup], format: 'md', into: 'folder' }),
    ).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect(await fs.readdir(path.dirname(file))).toEqual([path.basename(file)])
  })
})

describe('a zip of several conversations', () => {
  const gone = LibraryKey.parse('cycod:gone')

  it('has a file each as one alone is written, is read back, and is the same bytes whatever their order', async () => {
    const { handlers, target, asked } = await handlersOver(lines)
    await handlers.save({ key: soup, format: 'md' })
    const alone = await fs.readFile(target, 'utf8')
    const saved = await handlers.saveAll({ keys: [soup, gone], format: 'md', into: 'zip' })
    const zip = await fs.readFile(target)
    expect(asked.at(-1)).toBe('conversations.zip as zip')
    expect(saved).toMatchObject({
      place: 'out',
      zipBytes: zip.length,
      conversations: 1,
      bytes: Buffer.byteLength(alone),
      failed: 1,
      stopped: false,
    })
    const folder = zipMembersFolder(target)
    const name = 'cycod-chat-history-1754437000000.md'
    expect(await appDisk.list(folder)).toEqual([name])
    expect(await readSmallText(appDisk, path.join(folder, name))).toBe(alone)
    await handlers.saveAll({ keys: [gone, soup], format: 'md', into: 'zip' })
    expect((await fs.readFile(target)).equals(zip)).toBe(true)
  })

  it('is not there where it was stopped, or the program ends: what stood there is as it was', async () => {
    const { handlers, target, ending } = await handlersOver(lines)
    await fs.writeFile(target, 'mine')
    const keys = Array.from({ length: 5000 }, () => soup)
    const beside = () => fs.readdir(path.dirname(target))
    for (const stop of [() => handlers.stop(), () => ending.end()]) {
      const saving = handlers.saveAll({ keys, format: 'md', into: 'zip' })
      await expect.poll(async () => (await beside()).length).toBe(2)
      await stop()
      expect(await saving).toMatchObject({ zipBytes: null, stopped: true })
      expect(await beside()).toEqual(['out'])
    }
    expect(await fs.readFile(target, 'utf8')).toBe('mine')
  })

  it('is none, and no folder is made, where it begins behind the end of the program', async () => {
    const { handlers, target, folders, ending } = await handlersOver(lines)
    await ending.end()
    const saved = await handlers.saveAll({ keys: [soup], format: 'md', into: 'zip' })
    expect(saved).toMatchObject({ zipBytes: null, stopped: true })
    const into = path.join(folder(), 'new')
    folders.push(into)
    const inFolder = await handlers.saveAll({ keys: [soup], format: 'md', into: 'folder' })
    expect(inFolder).toMatchObject({ conversations: 0, stopped: true })
    expect(await fs.readdir(path.dirname(target))).toEqual([])
    expect(await fs.readdir(path.dirname(into))).toEqual([])
  })

  it('is asked for as what it is', async () => {
    const { handlers, titles } = await handlersOver(lines)
    await handlers.saveAll({ keys: [soup], format: 'md', into: 'zip' })
    await handlers.save({ key: soup, format: 'md' })
    expect(titles).toEqual(['Export conversations into a zip', 'Export the conversation'])
  })

  it('is not written where no conversation came into it', async () => {
    const { handlers, target } = await handlersOver(lines)
    expect(await handlers.saveAll({ keys: [gone], format: 'md', into: 'zip' })).toMatchObject({
      zipBytes: null,
      conversations: 0,
      failed: 1,
      stopped: false,
    })
    expect(await fs.readdir(path.dirname(target))).toEqual([])
  })
})

describe('a preview', () => {
  const secret = [
    ...lines,
    '{"role":"user","content":"Write to ann@plum.example, not to bob@plum.example."}',
  ]
  const redaction = { groups: ['emails' as const], patterns: [], kept: [] }

  it.each(ExportFormat.options.filter((format) => format !== 'original'))(
    'as %s is what is written, with the same choices',
    async (format) => {
      const { handlers, target } = await handlersOver(secret)
      const parts = { tools: 'calls', reasoning: true, system: true, times: true } as const
      const choices = { redaction, parts }
      const wanted = { key: soup, format, choices }
      const { text, isWhole, redacted } = await handlers.preview({ ...wanted, most: 100_000 })
      const saved = await handlers.save(wanted)
      const written = await fs.readFile(target, 'utf8').catch(() => undefined)
      expect(isWhole).toBe(true)
      // A session has the id that its file has.
      if (written !== undefined && !['pi', 'claude-code', 'codex', 'opencode'].includes(format))
        expect(text).toBe(written)
      expect(text).not.toContain('@plum.example')
      expect(redacted?.places).toBe(2)
      expect(saved?.redacted).toEqual(redacted)
    },
  )

  it('is its beginning, and has what is left of all that is found', async () => {
    const { handlers, target } = await handlersOver(secret)
    const { findings } = (
      await handlers.preview({ key: soup, format: 'txt', choices: { redaction }, most: 20 })
    ).redacted ?? { findings: [] }
    const kept = findings.filter(({ shown }) => shown.startsWith('bob')).map(({ id }) => id)
    const choices = { redaction: { ...redaction, kept } }
    const made = await handlers.preview({ key: soup, format: 'txt', choices, most: 20 })
    await handlers.save({ key: soup, format: 'txt', choices })
    const written = await fs.readFile(target, 'utf8')
    expect(made).toMatchObject({ text: written.slice(0, 20), isWhole: false })
    expect(written).toContain('[redacted: e-mail address #1], not to bob@plum.example.')
  })

  it('ends when another is asked for', async () => {
    const { handlers } = await handlersOver(secret)
    const first = handlers.preview({ key: soup, format: 'md', choices: {}, most: 1000 })
    const second = handlers.preview({ key: soup, format: 'txt', choices: {}, most: 1000 })
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect((await second).isWhole).toBe(true)
  })
})

it('redacts each of several with the same choice, and sums the places', async () => {
  const { handlers, folders } = await handlersOver([
    ...lines,
    '{"role":"user","content":"Write to ann@plum.example."}',
  ])
  folders.push(folder())
  const redaction = { groups: ['emails' as const], patterns: [], kept: [] }
  const saved = await handlers.saveAll({
    keys: [soup],
    format: 'txt',
    into: 'folder',
    choices: { redaction },
  })
  expect(saved?.redacted).toBe(1)
  const [name = ''] = await fs.readdir(folders.at(-1) ?? '')
  const written = await fs.readFile(path.join(folders.at(-1) ?? '', name), 'utf8')
  expect(written).toContain('Write to [redacted: e-mail address #1].')
})

it('counts what is left out as chosen', async () => {
  const { handlers } = await handlersOver(lines)
  const parts = { tools: 'none', reasoning: true, system: true, times: true } as const
  const { entries, written, losses } = await handlers.losses({
    key: soup,
    format: 'json',
    choices: { parts },
  })
  expect(losses).toContainEqual({
    kind: 'chosen',
    count: 2,
    sentence: '2 entries are left out as chosen.',
  })
  expect(entries - written).toBe(2)
})

describe('own patterns of redaction', () => {
  const words = [
    '{"role":"user","content":"Plum and Pear, plum and PEAR."}',
    '{"role":"assistant","content":"Plums."}',
  ]

  it('that are kept are replaced with those of the choice, in the preview, the file and each of several', async () => {
    const { handlers, target, kept, folders } = await handlersOver(words)
    kept.push('plum')
    const redaction = { groups: ['own' as const], patterns: ['/PEAR/'], kept: [] }
    const wanted = { format: 'txt' as const, choices: { redaction } }
    const { text, redacted } = await handlers.preview({ key: soup, ...wanted, most: 10_000 })
    await handlers.save({ key: soup, ...wanted })
    expect(await fs.readFile(target, 'utf8')).toBe(text)
    expect(text).toContain(
      '[redacted: own pattern #1] and Pear, [redacted: own pattern #2] and [redacted: own pattern #3].',
    )
    folders.push(folder())
    const saved = await handlers.saveAll({ keys: [soup], into: 'folder', ...wanted })
    expect(saved?.redacted).toBe(redacted?.places)
  })

  it('that are kept change nothing where own patterns are not chosen', async () => {
    const { handlers, kept } = await handlersOver(words)
    kept.push('plum')
    const redaction = { groups: ['emails' as const], patterns: [], kept: [] }
    for (const choices of [{}, { redaction }]) {
      const { text } = await handlers.preview({ key: soup, format: 'txt', choices, most: 10_000 })
      expect(text).toContain('Plum and Pear, plum and PEAR.')
    }
  })

  it('are tried on a conversation as they would be replaced, alone, and refused in words', async () => {
    const { handlers, kept } = await handlersOver(words)
    kept.push('pear')
    const attempt = (pattern: string) => handlers.tryPattern({ key: soup, pattern })
    // Two messages, and the title, which is the first of them.
    expect(await attempt('plum')).toEqual({ places: 5 })
    expect(await attempt('/Plum/')).toEqual({ places: 3 })
    expect(await attempt('cherry')).toEqual({ places: 0 })
    await expect(attempt('/(/')).rejects.toMatchObject({ code: 'bad-argument' })
    const first = attempt('plum')
    const second = attempt('pear')
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect(await second).toEqual({ places: 4 })
  })
})
