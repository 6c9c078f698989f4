import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { ProviderError } from '../../../../src/main/llm/chat/provider'
import type { CompactionResult } from '../../../../src/main/llm/compaction/compact'
import { compactContext, type ManualDeps } from '../../../../src/main/llm/compaction/manual'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import {
  cutOffError,
  malformedAnswerError,
  tooLongAnswerError,
} from '../../../../src/main/llm/provider/network-failures'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { openStore } from '../../../../src/main/store/open-store'
import { type HookData, type HookPoint, noHooks } from '../../../../src/main/tools/hooks/hooks'
import type { CompactionMode } from '../../../../src/shared/model/run/run'
import { checkHome } from '../../../support/chibi-checker/home'
import { message } from '../../../support/entries'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { asks, call, content, finish, manualClock } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
const says = (text: string) => [content(text), finish()]
const asked = {
  host: 'somewhere',
  model: 'some/model',
  withKey: false,
  scrub: (text: string) => text,
}

async function filled(questions: number, isAnswered = true): Promise<string> {
  const home = temp()
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  for (let n = 1; n <= questions; n++) {
    await writer.append(message(`question ${n}`, { from: 'user' }))
    if (n === questions && !isAnswered) break
    await writer.append(message(`answer ${n}`, { from: 'garden', to: 'user', role: 'agent' }))
  }
  await writer.close()
  return home
}

interface Play {
  readonly mode: CompactionMode
  readonly signal?: AbortSignal
  readonly deps?: Partial<ManualDeps>
  readonly each?: (phase: string) => void | Promise<void>
}

async function played(home: string, scripts: readonly (readonly ScriptStep[])[], play: Play) {
  const provider = scriptedProvider(...scripts)
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  const run = { baseUrl: 'http://127.0.0.1:9/v1', model: 'some/model' }
  const steps = compactContext(
    { context: 'garden', mode: play.mode, run },
    {
      disk: nodeDisk,
      store: openStore({ home, disk: nodeDisk }),
      endpoint: (context, options) => settings.endpoint(context, options),
      runSettings: (context, options) => settings.runSettings(context, options),
      provider: () => provider.stream,
      clock: manualClock(),
      hooks: noHooks,
      note: () => undefined,
      ...play.deps,
    },
    play.signal ?? new AbortController().signal,
  )
  const phases: string[] = []
  let step = await steps.next()
  for (; !step.done; step = await steps.next()) {
    phases.push(step.value.phase)
    await play.each?.(step.value.phase)
  }
  const end: CompactionResult = step.value
  return { end, phases, requests: provider.requests }
}

const windowOf = (home: string) => readContextWindow(nodeDisk, home, 'garden', 'refuse')

it('makes a summary of all, which the model is told with words before it', async () => {
  const home = await filled(2)
  fs.mkdirSync(path.join(home, 'prompts'))
  fs.writeFileSync(path.join(home, 'prompts/continuation.md'), 'Go on, gardener.\n')
  fs.writeFileSync(path.join(home, 'contexts/garden/summary.md'), 'Before all that.')
  const { end, phases, requests } = await played(home, [says('They asked twice.')], {
    mode: 'full',
  })
  expect(end).toMatchObject({ type: 'compacted', archived: 4, kept: 0 })
  expect(phases).toEqual(['summarizing'])
  expect(requests[0]?.tools).toBeUndefined()
  const asked = requests[0]?.messages[1]?.content
  expect(asked).toContain('--- SUMMARY SO FAR ---\nBefore all that.')
  expect(asked).toContain('[USER]: question 1\n\n[ASSISTANT]: answer 1')
  expect(toChatMessages(await windowOf(home), { summary: 'They asked twice.' })).toEqual([
    {
      role: 'system',
      content: '--- CONVERSATION SUMMARY ---\nGo on, gardener.\n\nThey asked twice.',
    },
  ])
  expect(checkHome(home)).toEqual([])
})

it('keeps a question that nobody has answered yet', async () => {
  const home = await filled(3, false)
  const { end } = await played(home, [says('They asked.')], { mode: 'full' })
  expect(end).toMatchObject({ type: 'compacted', archived: 4, kept: 1 })
  expect((await windowOf(home)).at(-1)?.content).toBe('question 3')
  expect(checkHome(home)).toEqual([])
})

it.each<[CompactionMode, number]>([
  ['full', 1],
  ['rolling', 2],
  ['drop', 1],
])('does nothing where there is too little for %s', async (mode, questions) => {
  const home = await filled(questions)
  const { end, requests } = await played(home, [], { mode })
  expect(end).toEqual({ type: 'nothing', messages: questions * 2 })
  expect(requests).toEqual([])
  expect(checkHome(home)).toEqual([])
})

it('holds the lock meanwhile, and writes nothing when it is stopped', async () => {
  const home = await filled(3)
  const file = path.join(home, 'contexts/garden/transcript/active.jsonl')
  const before = fs.readFileSync(file)
  const controller = new AbortController()
  const { end, phases } = await played(
    home,
    [says('[1]'), [content('Th'), () => controller.abort(), 'hang']],
    {
      mode: 'rolling',
      signal: controller.signal,
      async each() {
        const other = openStore({ home, disk: nodeDisk })
        await expect(
          other.openWriter('garden', { create: false, waitMs: 0 }),
        ).rejects.toMatchObject({ code: 'locked' })
      },
    },
  )
  expect(end).toEqual({ type: 'stopped' })
  expect(phases).toEqual(['choosing', 'summarizing'])
  expect(fs.readFileSync(file).equals(before)).toBe(true)
  expect(checkHome(home)).toEqual([])
})

it('keeps the window where the summary is a call', async () => {
  const home = await filled(3)
  const { end } = await played(home, [[...asks(call('a', 'x'))]], { mode: 'full' })
  expect(end).toMatchObject({ type: 'failed', words: expect.stringContaining('called a tool') })
  expect(await windowOf(home)).toHaveLength(7)
  expect(checkHome(home)).toEqual([])
})

it("sums what both requests cost on the anchor, and tells plugins chibi's payloads", async () => {
  const home = await filled(3)
  const heard: (readonly [HookPoint, HookData])[] = []
  const usage = { type: 'usage', usage: { input: 10, output: 2 } } as const
  const { end } = await played(
    home,
    [
      [content('[1,2]'), usage, finish()],
      [content('They asked.'), usage, finish()],
    ],
    { mode: 'rolling' },
  )
  expect(end.type === 'compacted' && end.anchor.metadata).toMatchObject({
    usage: { input: 20, output: 4 },
    compaction: { mode: 'rolling', automatic: false, chosen_by: 'model' },
  })
  await played(home, [], {
    mode: 'drop',
    deps: {
      hooks: {
        hears: () => true,
        call: async (point, data) => {
          heard.push([point, data])
          return []
        },
      },
    },
  })
  const told = { context_name: 'garden', message_count: 4, summary: 'They asked.' }
  expect(heard).toEqual([
    ['pre_compact', told],
    ['post_compact', told],
  ])
  expect(checkHome(home)).toEqual([])
})

it('gives a call that a killed run left without a result one first: behind the new window it is out of sight', async () => {
  const home = await filled(2)
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: false })
  const calling = { from: 'garden', to: 'read', entry_type: 'tool_call', tool_call_id: 'c1' }
  const { role: _, ...bare } = message('{}')
  await writer.append({ ...bare, ...calling })
  await writer.close()

  await played(home, [], { mode: 'drop' })
  const lines = fs.readFileSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), 'utf8')
  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.slice(-3).map((entry) => [entry.entry_type, entry.tool_call_id])).toEqual([
    ['tool_call', 'c1'],
    ['tool_result', 'c1'],
    ['compaction', undefined],
  ])
  expect(checkHome(home)).toEqual([])
})

/** Another program appends a line while the model is asked. */
function appendTo(home: string, line: object): void {
  const file = path.join(home, 'contexts/garden/transcript/active.jsonl')
  fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
}

it.each(['full', 'rolling'] as const)(
  'keeps words that another program appends meanwhile (%s)',
  async (mode) => {
    const home = await filled(4)
    const late = message('late words', { from: 'user' })
    const scripts = mode === 'full' ? [says('All of it.')] : [says('[1, 2]'), says('The first.')]
    const { end } = await played(home, scripts, {
      mode,
      each: (phase) => {
        if (phase === 'summarizing') appendTo(home, late)
      },
    })
    expect(end.type).toBe('compacted')
    const window = (await windowOf(home)).map(({ content }) => content)
    expect(window.at(-1)).toBe('late words')
    expect(window.filter((words) => words === 'late words')).toHaveLength(1)
    expect(window).not.toContain('question 1')
    expect(checkHome(home)).toEqual([])
  },
)

it('leaves a window alone that another program has begun meanwhile', async () => {
  const home = await filled(4)
  const { end } = await played(home, [says('All of it.')], {
    mode: 'full',
    each: () =>
      appendTo(home, {
        ...message('Context archived', { from: 'system', to: 'garden' }),
        entry_type: 'archival',
      }),
  })
  expect(end).toMatchObject({ type: 'failed', words: expect.stringContaining('at the same time') })
  expect((await windowOf(home)).map(({ content }) => content)).toEqual(['Context archived'])
  expect(fs.existsSync(path.join(home, 'contexts/garden/summary.md'))).toBe(false)
})

const notesOf = (end: CompactionResult) => (end.type === 'compacted' ? end.notes : end)

it('says where the model chose fewer messages than were wanted', async () => {
  const home = await filled(4)
  const { end } = await played(home, [says('[1]'), says('Hm.')], { mode: 'rolling' })
  expect(notesOf(end)).toEqual(['The model chose 1 message instead of 4.'])
  expect((await windowOf(home)).slice(1).map((entry) => entry.content)).toEqual([
    'question 2',
    'answer 2',
    'question 3',
    'answer 3',
    'question 4',
    'answer 4',
  ])
  expect(checkHome(home)).toEqual([])
  const fine = await played(await filled(4), [says('[3,4,5,6]'), says('Hm.')], { mode: 'rolling' })
  expect(notesOf(fine.end)).toEqual([])
})

it("lets the oldest go as well where the model's choice does not fit into its window", async () => {
  const home = await filled(4)
  fs.writeFileSync(path.join(home, 'config.toml'), 'context_window_limit = 100\n')
  const { end } = await played(home, [says('[3,4]'), says('Hm.')], { mode: 'rolling' })
  expect(end).toMatchObject({
    type: 'compacted',
    notes: ['The messages that the model chose free too little space; the oldest go as well.'],
  })
  expect(end.type === 'compacted' && end.tokensBefore).toBeGreaterThan(100)
  expect(end.type === 'compacted' && end.tokensAfter).toBeLessThan(100)
  expect(checkHome(home)).toEqual([])
})

it.each<[CompactionMode, readonly string[]]>([
  ['full', []],
  ['rolling', ['[1,2,3,4]']],
])('says where the summary of %s is longer than what it stands for', async (mode, choice) => {
  const scripts = [...choice, 'a word too many '.repeat(200)].map(says)
  const long = await played(await filled(4), scripts, { mode })
  expect(notesOf(long.end)).toEqual(['The summary is longer than the messages it replaces.'])
  // A summary that was there before is among what it stands for.
  const home = await filled(4)
  fs.writeFileSync(path.join(home, 'contexts/garden/summary.md'), 'a word too many '.repeat(200))
  const same = await played(home, scripts, { mode })
  expect(notesOf(same.end)).toEqual([])
  const { tokensBefore, tokensAfter } = same.end as Extract<CompactionResult, { type: 'compacted' }>
  expect(tokensAfter).toBeLessThan(tokensBefore)
})

it.each<[string, ProviderError]>([
  ['breaks off', cutOffError(asked)],
  ['does not end', tooLongAnswerError(asked)],
  ['is damaged', malformedAnswerError('{', asked)],
])('does not say that a summary is kept which %s', async (_, error) => {
  const { end } = await played(await filled(3), [[content('It was'), error]], { mode: 'full' })
  expect(end).toMatchObject({
    type: 'failed',
    words: expect.stringContaining('No summary was written.'),
  })
  expect(end).toMatchObject({ words: expect.stringContaining('Try again') })
  expect(end).not.toMatchObject({ words: expect.stringContaining('kept') })
})
