import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aiderReader } from '../../../../src/main/readers/aider/aider'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const name = '.aider.chat.history.md'
const began = (time: string) => `\n# aider chat started at 2026-03-10 ${time}\n\n`

function diskWith(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [file, text] of Object.entries(files))
    disk.put(path.posix.join('/repos', file), Buffer.from(text))
  return historyDisk(disk)
}

const read = (files: Readonly<Record<string, string>>, root = '/repos') =>
  readRoot(aiderReader, root, diskWith(files), signal)

async function sessionsOf(text: string) {
  const { conversations, files } = await read({ [name]: text })
  const told = conversations.map(({ entries }) =>
    entries.map(({ role, content }) => `${role} ${content}`),
  )
  return { conversations, told, ledgers: files }
}

describe('finding sessions', () => {
  const files = {
    [`terrace/${name}`]: `${began('09:00:00')}#### a  \n${began('09:00:00')}#### b  \n`,
    [`yard/roof/${name}`]: `${began('10:00:00')}#### c  \n`,
    [`yard/roof/deep/er/${name}`]: `${began('11:00:00')}#### d  \n`,
    [`node_modules/x/${name}`]: `${began('11:00:00')}#### e  \n`,
    'terrace/README.md': '# aider chat started at 2026-03-10 09:00:00\n',
  }

  it('reads the history of each project, also sessions of one second', async () => {
    const { conversations } = await read(files)
    expect(
      conversations.map(({ key, title, project, created }) => [key, title, project, created]),
    ).toEqual(
      [
        ['terrace/2026-03-10T09-00-00', 'a', 'terrace'],
        ['terrace/2026-03-10T09-00-00-2', 'b', 'terrace'],
        ['yard/roof/2026-03-10T10-00-00', 'c', 'roof'],
      ].map(([key = '', ...others]) => [
        key,
        ...others,
        new Date(2026, 2, 10, key.includes('T10') ? 10 : 9).toISOString(),
      ]),
    )
  })

  it('reads one file', async () => {
    const { conversations } = await read(files, `/repos/yard/roof/${name}`)
    expect(conversations.map(({ key, project }) => [key, project])).toEqual([
      ['2026-03-10T10-00-00', 'roof'],
    ])
  })
})

describe('a list', () => {
  const text = `${began('09:00:00')}#### /add a.md  \n\n#### tidy it  \n\nA\n${began('10:00:00')}${began('11:00:00')}#### /help  \n\nH\n${began('12:00:00')}> Aider v1  \n`

  it('has of each session what a look into it tells', async () => {
    const disk = diskWith({ [`yard/${name}`]: `#### cut away  \n${text}` })
    const titles: string[] = []
    for await (const { glance, ...bare } of aiderReader.list('/repos', disk, signal)) {
      expect(glance).toEqual(await glanceAt(aiderReader, bare, disk, signal))
      titles.push(glance?.title ?? '')
    }
    expect(titles).toEqual(['cut away', 'tidy it', '/help', 'yard/2026-03-10T12-00-00'])
  })

  it('reads a history once, however many sessions it has', async () => {
    const reads: number[] = []
    for (const sessions of [1, 40]) {
      let opened = 0
      const plain = memoryDisk()
      plain.put(`/repos/${name}`, Buffer.from(text.repeat(sessions)))
      const open: typeof plain.open = (file, mode) => {
        opened += 1
        return plain.open(file, mode)
      }
      const disk = historyDisk({ ...plain, open })
      for await (const ref of aiderReader.list('/repos', disk, signal))
        expect(ref.glance).toBeDefined()
      reads.push(opened)
    }
    expect(reads).toEqual([1, 1])
  })

  it('holds nothing of a file of another name in which no session begins', async () => {
    const disk = diskWith({ 'notes.md': 'a line\n'.repeat(1000) })
    for await (const ref of aiderReader.list('/repos/notes.md', disk, signal))
      expect(ref).toBeUndefined()
  })
})

describe('a session', () => {
  it('has prompts of several lines, answers, and what the program says', async () => {
    const { told, conversations } = await sessionsOf(
      `${began('09:00:00')}> Aider v0.86.1  \n> Main model: gpt-5 with diff edit format  \n\n#### /add a.md  \n\n#### tidy it  \n####   \n#### and keep basil  \n\nHere:\n\n> a quote\n\n# Plan\n\n> Tokens: 1.2k sent, 80 received. Cost: $0.01 message, $0.02 session.  \n\n#### <blank>  \n\nNothing.\n`,
    )
    expect(told).toEqual([
      [
        'system Aider v0.86.1\nMain model: gpt-5 with diff edit format',
        'user /add a.md',
        'user tidy it\n\nand keep basil',
        'agent Here:\n\n> a quote\n\n# Plan',
        'system Tokens: 1.2k sent, 80 received. Cost: $0.01 message, $0.02 session.',
        'user ',
        'agent Nothing.',
      ],
    ])
    expect(conversations[0]).toMatchObject({ title: 'tidy it and keep basil', models: ['gpt-5'] })
    expect(conversations[0]?.entries[3]?.metadata).toEqual({
      model: 'gpt-5',
      usage: { input: 1200, output: 80, cost: 0.01 },
    })
  })

  it('takes what stands in a code fence for text, and a fence that is never closed for none', async () => {
    const { told } = await sessionsOf(
      `${began('09:00:00')}#### a  \n\n\`\`\`markdown\n#### no  \n> no  \n# aider chat started at 2020-01-01 00:00:00\nbasil\n\`\`\`\n\nDone.\n\n\`\`\`sh\nopen\n\n#### b  \n\nB\n${began('10:00:00')}#### c  \n`,
    )
    expect(told).toEqual([
      [
        'user a',
        'agent ```markdown\n#### no  \n> no  \n# aider chat started at 2020-01-01 00:00:00\nbasil\n```\n\nDone.\n\n```sh\nopen',
        'user b',
        'agent B',
      ],
      ['user c'],
    ])
  })

  it('begins where a run was killed before, without a blank line', async () => {
    const { told } = await sessionsOf(
      `${began('09:00:00')}#### a  \n\nhalf an ans\n# aider chat started at 2026-03-10 10:00:00\n\n#### b  \n`,
    )
    expect(told).toEqual([['user a', 'agent half an ans'], ['user b']])
  })

  it('has no time where the beginning of the file was cut away', async () => {
    const rest = '\n#### a  \n\nA\n'
    const { told, conversations } = await sessionsOf(`${rest}${began('10:00:00')}#### b  \n`)
    expect(told).toEqual([['user a', 'agent A'], ['user b']])
    expect(conversations.map(({ key, created }) => [key, created !== null])).toEqual([
      ['undated', false],
      ['2026-03-10T10-00-00', true],
    ])
    expect((await sessionsOf(rest)).told).toEqual([['user a', 'agent A']])
    expect((await sessionsOf(' \n\n')).told).toEqual([])
    const other = { 'notes.md': rest }
    expect((await read(other, '/repos/notes.md')).conversations).toEqual([])
  })

  it('is read with line ends of Windows, and without the blanks that an editor took away', async () => {
    const text = `${began('09:00:00')}> Aider v1\n\n#### a\n####\n#### b\n\nA\n`
    const { told } = await sessionsOf(text)
    expect(told).toEqual([['system Aider v1', 'user a\n\nb', 'agent A']])
    expect((await sessionsOf(text.replaceAll('\n', '\r\n'))).told).toEqual(told)
  })

  it('tells the same before its last turn, wherever the file is cut', async () => {
    const text = `${began('09:00:00')}#### a  \n\nA is ä\n\n#### b  \n\nB\n${began('10:00:00')}#### c  \n`
    const whole = (await sessionsOf(text)).told.flat()
    for (let end = 0; end <= text.length; end++) {
      const { told } = await sessionsOf(text.slice(0, end))
      const turns = told.flat()
      expect(turns.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, turns.length - 1)))
    }
  })
})

it('accounts for every line, whatever is in a file', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '',
      '```',
      '````',
      '~~~',
      '#### q  ',
      '> p  ',
      '# aider chat started at 2026-03-10 09:00:00',
      '\r',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (some) => {
      const { conversations, ledgers } = await sessionsOf(`${began('09:00:00')}${some.join('\n')}`)
      for (const { lines, entryLines, control, blank, damaged } of ledgers)
        expect(entryLines + control + blank + damaged.length).toBe(lines)
      for (const { entries } of conversations)
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
    }),
    { numRuns: 300 },
  )
})
