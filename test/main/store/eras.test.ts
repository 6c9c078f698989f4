import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { toChatMessages } from '../../../src/main/llm/prompt/messages'
import { chibiReader } from '../../../src/main/readers/chibi'
import { readRoot } from '../../../src/main/readers/read-root'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import { pairTools } from '../../../src/renderer/transcript/entries/tool-pairs'
import { type Entry, speakerOf } from '../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { rowKey, type TranscriptRow } from '../../../src/shared/model/conversation/transcript'
import { message } from '../../support/entries'
import { tempFolders } from '../../support/temp-folder'
import { textIn } from '../exporters/round'

const fixtures = path.join(__dirname, '../../fixtures/chibi')
const temp = tempFolders()
const signal = new AbortController().signal
const homes = ['home-v05', 'home-v09', 'home-v010'] as const

/** Everything that an expected.json may tell of a context or a home, as far as it is told in this file. */
interface Expected {
  readonly tool_pairs?: readonly (readonly [string, string])[]
  readonly api_roles_after_rebuild?: readonly string[]
  readonly context_jsonl_types?: readonly string[]
  readonly effective_summary?: string
  readonly inbox_messages?: number
  readonly inbox_damaged?: number
  readonly system_prompt_hash_sha256?: string
  readonly current_context?: string
  readonly previous_context?: string
  readonly expires_at?: Readonly<Record<string, number | null>>
  readonly contexts?: readonly string[]
}

const expectedIn = (folder: string): Expected =>
  JSON.parse(fs.readFileSync(path.join(folder, 'expected.json'), 'utf8')) as Expected

const contexts = homes.flatMap((home) =>
  (expectedIn(path.join(fixtures, home)).contexts ?? []).map((name) => {
    const expected = expectedIn(path.join(fixtures, home, 'contexts', name))
    return { home, name, expected }
  }),
)

/** The contexts whose expected.json tells this. */
const that = (key: keyof Expected) => contexts.filter(({ expected }) => expected[key] !== undefined)

function copyOf(home: string): string {
  const copy = path.join(temp(), 'home')
  fs.cpSync(path.join(fixtures, home), copy, { recursive: true })
  return copy
}

async function rowsOf(home: string, name: string): Promise<TranscriptRow[]> {
  const rows: TranscriptRow[] = []
  const store = openStore({ home: path.join(fixtures, home), disk: nodeDisk })
  for await (const row of requireWhole((await store.readWhole(name)).rows)) rows.push(row)
  return rows
}

async function windowOf(home: string, name: string): Promise<readonly Entry[]> {
  const store = openStore({ home: copyOf(home), disk: nodeDisk })
  const writer = await store.openWriter(name, { create: false })
  try {
    return await writer.window('refuse')
  } finally {
    await writer.close()
  }
}

describe('contexts of three eras', () => {
  it.each(that('tool_pairs'))('joins the calls and results of $home/$name', async (context) => {
    const rows = await rowsOf(context.home, context.name)
    const { resultOf } = pairTools(rows)
    const found = rows.flatMap((row) => {
      const result = row.type === 'entry' ? resultOf.get(rowKey(row)) : undefined
      return row.type === 'entry' && result ? [[row.entry.id, result.id]] : []
    })
    expect(found).toEqual(context.expected.tool_pairs)
  })

  it.each(that('api_roles_after_rebuild'))(
    'tells the model the window of $home/$name',
    async (context) => {
      // chibi sends nothing of its flow control; what the model said to the person by it is sent here, and tested there.
      const window = (await windowOf(context.home, context.name)).filter(
        ({ entry_type }) => !entry_type.startsWith('flow_control_'),
      )
      const messages = toChatMessages(window, {})
      const roles = messages.map((one) =>
        one.role === 'assistant' && 'tool_calls' in one && one.tool_calls
          ? `assistant(tool_calls:${one.tool_calls.length})`
          : one.role,
      )
      expect(roles).toEqual(context.expected.api_roles_after_rebuild)
    },
  )

  it.each(that('context_jsonl_types'))(
    'makes the window of $home/$name of the entries that chibi put there',
    async (context) => {
      const types = (await windowOf(context.home, context.name)).map(({ entry_type }) => entry_type)
      // The prompt stood in the window itself up to 0.5; it is read from its own file.
      expect(types).toEqual(
        context.expected.context_jsonl_types?.filter((type) => type !== 'system_prompt'),
      )
    },
  )

  it.each(that('effective_summary'))(
    'knows the summary of $home/$name, with summary.md and without',
    async (context) => {
      const home = copyOf(context.home)
      const store = openStore({ home, disk: nodeDisk })
      expect((await store.readNotes(context.name)).summary).toBe(context.expected.effective_summary)
      expect((await store.readBeside(context.name)).keptSummary).toBeUndefined()
      fs.rmSync(path.join(home, 'contexts', context.name, 'summary.md'))
      expect((await store.readBeside(context.name)).keptSummary).toBe(
        context.expected.effective_summary,
      )
    },
  )

  it.each(that('inbox_messages'))(
    'counts what waits in the inbox of $home/$name',
    async (context) => {
      const store = openStore({ home: path.join(fixtures, context.home), disk: nodeDisk })
      const { inbox, inboxCount, inboxDamaged } = await store.readBeside(context.name)
      expect([inbox.length, inboxCount, inboxDamaged]).toEqual([
        context.expected.inbox_messages,
        context.expected.inbox_messages,
        context.expected.inbox_damaged ?? 0,
      ])
    },
  )

  it.each(that('system_prompt_hash_sha256'))(
    'reads the system prompt of $home/$name',
    async (context) => {
      const store = openStore({ home: path.join(fixtures, context.home), disk: nodeDisk })
      const { systemPrompt = '' } = await store.readNotes(context.name)
      expect(createHash('sha256').update(systemPrompt).digest('hex')).toBe(
        context.expected.system_prompt_hash_sha256,
      )
      expect((await store.readBeside(context.name)).hasSystemPrompt).toBe(true)
    },
  )

  it.each(homes)(
    'knows which context of %s is current, and when chibi deletes which',
    async (home) => {
      const { contexts = [], ...expected } = expectedIn(path.join(fixtures, home))
      const session = path.join(fixtures, home, 'session.json')
      const previous =
        expected.previous_context ?? JSON.parse(fs.readFileSync(session, 'utf8')).previous_context
      const store = openStore({ home: path.join(fixtures, home), disk: nodeDisk })
      for (const name of contexts) {
        const { mark, expiresAt } = await store.readBeside(name)
        const expectedMark =
          name === expected.current_context ? 'current' : name === previous ? 'previous' : null
        expect([name, mark, expiresAt]).toEqual([
          name,
          expectedMark,
          expected.expires_at?.[name] ?? null,
        ])
      }
    },
  )

  it('reads todos, goals and the first inbox message of home-v09', async () => {
    const store = openStore({ home: path.join(fixtures, 'home-v09'), disk: nodeDisk })
    expect(await store.readNotes('default')).toMatchObject({
      todos: '- [ ] check tide table\n- [x] read notes\n',
      goals: 'Understand tides.\n',
      systemPrompt: 'You are terse.',
      reflection: 'Mira prefers short answers.',
    })
    expect((await store.readBeside('default')).inbox).toEqual([
      {
        id: 'fbfb6640-f201-466b-9b81-b70b633969d5',
        from: 'research',
        text: 'Tide table is ready.',
        at: 1770000300,
      },
    ])
    expect((await store.readNotes('fresh')).systemPrompt).toMatch(/^You are a helpful companion/)
    expect((await store.readBeside('fresh')).hasSystemPrompt).toBe(false)
  })
})

describe('flow control', () => {
  it('of 0.9: the words of call_user are the assistant’s in the exports that tell turns', async () => {
    const home = path.join(fixtures, 'home-v09')
    const { conversations } = await readRoot(chibiReader, home, nodeDisk, signal)
    const conversation = conversations.find(({ key }) => key === 'default')
    if (conversation === undefined) throw new Error('no context')
    for (const format of ['md', 'html'] as const) {
      const text = await textIn(format, conversation)
      expect(text).toContain('Found it: see notes/moon.txt')
      expect(text).not.toMatch(/\{(?:"|&quot;)message(?:"|&quot;):/)
    }
  })

  it('of 0.10: hands over without words, and whoever speaks is told by the role', async () => {
    const entries = (await rowsOf('home-v010', 'spark')).flatMap((row) =>
      row.type === 'entry' ? [row.entry] : [],
    )
    expect(
      entries.filter(({ flow_control }) => flow_control).map(({ from, to }) => [from, to]),
    ).toEqual([
      ['spark', 'ada'],
      ['spark', 'ada'],
    ])
    expect(entries.map(speakerOf).filter((role) => role !== undefined)).toEqual([
      'user',
      'agent',
      'user',
      'agent',
      'system',
    ])
  })
})

describe('a home of 0.10', () => {
  it('has its contexts alone as conversations: nothing of site.json or vfs/, which stay', async () => {
    const home = copyOf('home-v010')
    const { conversations } = await readRoot(chibiReader, home, nodeDisk, signal)
    expect(conversations.map(({ key }) => key).sort()).toEqual(['ember', 'spark'])
    const words = JSON.stringify(conversations)
    expect(words).not.toContain('not a context')
    expect(words).not.toContain('cached tool output')
    expect(fs.readdirSync(path.join(home, 'vfs')).sort()).toEqual(['home', 'shared', 'sys'])
  })

  it('keeps every key of its manifest when a rotation writes it, and counts the new prompts', async () => {
    const home = copyOf('home-v010')
    const file = path.join(home, 'contexts/spark/transcript/manifest.json')
    const before = JSON.parse(fs.readFileSync(file, 'utf8'))
    // The configuration's thresholds count, and this one's are those of the manifest.
    const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries: 7 })
    const store = openStore({ home, disk: nodeDisk, now: () => 1_780_000_040_000, storagePolicy })
    const writer = await store.openWriter('spark', { create: false })
    await writer.append(message('One more', { to: 'spark' }))
    await writer.close()
    const { partitions, ...others } = JSON.parse(fs.readFileSync(file, 'utf8'))
    const { partitions: old, ...same } = before
    expect(others).toEqual(same)
    expect(partitions[0]).toEqual(old[0])
    expect(partitions[1]).toMatchObject({ entry_count: 7, prompt_count: 2 })
    expect(Object.keys(partitions[1]).slice(3, 6)).toEqual([
      'entry_count',
      'prompt_count',
      'token_count',
    ])
  })
})
