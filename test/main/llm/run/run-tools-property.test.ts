import { randomUUID } from 'node:crypto'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { ProviderError, type RequestedCall } from '../../../../src/main/llm/chat/provider'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import type { TranscriptWriter } from '../../../../src/main/store/core/writer-types'
import { openStore } from '../../../../src/main/store/open-store'
import { flowTools } from '../../../../src/main/tools/flow'
import type { Hooks } from '../../../../src/main/tools/hooks/hooks'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { type MemoryWriter, memoryWriter } from '../../../support/memory-writer'
import type { ScriptStep } from '../../../support/scripted-provider'
import { tempFolders } from '../../../support/temp-folder'
import {
  asks,
  call,
  callUser,
  chatFaults,
  chibiFaults,
  content,
  finish,
  type PlayOptions,
  play,
  tool,
} from '../support/tool-support'

const folder = tempFolders()
const tools = [
  tool('read', 'reads', async () => 'text'),
  tool('note', 'notes', async () => ({ type: 'error', text: 'too long' })),
  tool('write', 'writes', async () => 'wrote'),
  tool('throws', 'reads', async () => {
    throw new Error('boom')
  }),
  tool('run', 'runs', async () => 'ran', { alone: true }),
  tool('recurse', 'flow', async () => 'once more', { ends: 'round' }),
  callUser,
  ...flowTools.filter(({ name }) => name === 'call_agent'),
]
const answer: readonly ScriptStep[] = [content('Done.'), finish()]

const anyCall: fc.Arbitrary<RequestedCall> = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'functions.read:0'),
    name: fc.constantFrom(
      ...['read', 'note', 'write', 'throws', 'run', 'recurse', 'call_user', 'call_agent'],
      ...['un known', '', 'é'],
    ),
    arguments: fc.constantFrom(
      '',
      '{}',
      '{"path":"a"}',
      '{"message":"Yours."}',
      '{"prompt":"On."}',
      '{"pa',
      '[]',
      '7',
    ),
  },
  { requiredKeys: ['name', 'arguments'] },
)
const anyText = fc.constantFrom('', '\n', ' ', 'Some words.', 'more')
const anyEnd: fc.Arbitrary<readonly ScriptStep[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(anyCall, { minLength: 1, maxLength: 4 }).map((all) => asks(...all)),
  },
  { weight: 1, arbitrary: fc.constant([finish()]) },
  { weight: 1, arbitrary: fc.constant([finish('length')]) },
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.constant([new ProviderError('cut', { message: 'It broke.', advice: 'Again.' })]),
  },
)
const anyAnswer = fc
  .tuple(fc.array(anyText, { maxLength: 2 }), fc.boolean(), anyEnd)
  .map(([texts, thinks, end]): readonly ScriptStep[] => [
    ...(thinks ? [{ type: 'reasoning', text: 'hm' } as const] : []),
    ...texts.filter((text) => text !== '').map(content),
    ...end,
  ])

const consents: readonly PlayOptions['consent'][] = [
  undefined,
  async () => ({ allowed: true }),
  async () => ({ allowed: false, reason: 'no' }),
]

/** What plugins say, at whatever point they are asked. */
const anyAnswers: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  {
    block: fc.boolean(),
    denied: fc.boolean(),
    message: fc.constantFrom('No.', ''),
    output: fc.constantFrom('other', '\0', ''),
    arguments: fc.constantFrom({}, { path: 'b' }, { message: 'Mine.' }),
    prompt: fc.constantFrom('changed', ''),
    exclude: fc.constantFrom(['read'], ['call_user']),
    request_body: fc.constantFrom({ seed: 1 }, { messages: [] }, { messages: 7, tools: null }),
    fallback: fc.constantFrom('call_user', 'call_agent'),
    fuel: fc.nat({ max: 3 }),
    fuel_delta: fc.integer({ min: -3, max: 3 }),
  },
  { requiredKeys: [] },
)

interface Story {
  readonly scripts: readonly (readonly ScriptStep[])[]
  readonly consent: PlayOptions['consent']
  readonly fuel: number
  readonly fallback: 'call_user' | 'call_agent'
  readonly hooks: Hooks | undefined
  readonly end: { readonly way: 'stop' | 'leave' | 'none'; readonly at: number }
  /** The append that fails, once. */
  readonly failAt: number
}
const anyStory: fc.Arbitrary<Story> = fc.record({
  scripts: fc.array(anyAnswer, { minLength: 1, maxLength: 4 }),
  consent: fc.constantFrom(...consents),
  fuel: fc.constantFrom(0, 1, 30),
  fallback: fc.constantFrom('call_user', 'call_agent'),
  hooks: fc.option(
    anyAnswers.map((value) => ({
      hears: () => true,
      call: async () => [{ plugin: 'p', value }],
    })),
    { nil: undefined },
  ),
  end: fc.record({
    way: fc.constantFrom('stop', 'leave', 'none'),
    at: fc.nat({ max: 25 }),
  }),
  failAt: fc.oneof(fc.constant(-1), fc.nat({ max: 12 })),
})

function writerThatFails(failAt: number): MemoryWriter & { heal(): void } {
  let appends = 0
  const writer = memoryWriter('garden', {
    fails: (operation) =>
      operation.startsWith('append') && appends++ === failAt ? 'disk-full' : undefined,
  })
  return Object.assign(writer, {
    heal() {
      appends = Number.NaN
    },
  })
}

async function first(story: Story, writer: MemoryWriter): Promise<void> {
  const stop = new AbortController()
  const { way, at } = story.end
  await play([...story.scripts, ...Array<typeof answer>(40).fill(answer)], tools, {
    writer,
    consent: story.consent,
    input: { fuel: story.fuel, fallback: story.fallback },
    deps: { hooks: story.hooks },
    stop,
    each(_event, index) {
      if (index !== at || way === 'none') return undefined
      if (way === 'leave') return 'leave'
      stop.abort()
      return undefined
    },
  }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error // The message could not be written.
  })
}

/** What the store does when it is opened after a crash. */
async function recover(writer: MemoryWriter): Promise<void> {
  const { partial, partialDraft } = writer
  if (partial === undefined || partial === '' || partialDraft === undefined) return
  if (writer.entries.some(({ id }) => id === partialDraft.id)) return
  await writer.append({ ...partialDraft, content: partial })
}

function faults(writer: MemoryWriter): readonly string[] {
  return [...chibiFaults(writer.entries), ...chatFaults(toChatMessages(writer.entries, {}))]
}

it('leaves a transcript that chibi and strict providers take, whatever comes, and when it is stopped anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      const writer = writerThatFails(story.failAt)
      await first(story, writer)
      if (story.end.way !== 'leave') expect(faults(writer)).toEqual([])
      else expect(chatFaults(toChatMessages(writer.entries, {}))).toEqual([])

      writer.heal()
      await recover(writer)
      const before = [...writer.entries]
      const { events, requests } = await play([answer], tools, { writer, idsFrom: 1000 })
      expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
      expect(faults(writer)).toEqual([])
      expect(chatFaults(requests[0]?.messages ?? [])).toEqual([])
      // Nothing durable is lost or moved.
      expect(writer.entries.slice(0, before.length)).toEqual(before)
    }),
    { numRuns: 1500 },
  )
})

const everything: Story = {
  scripts: [
    [content('I look.'), ...asks(call('a', 'read'), call('b', 'write'), call('c', 'throws'))],
    [...asks(call('a', 'read', '{"path":"b"}'), call('u', 'call_user', '{"message":"Yours."}'))],
  ],
  consent: async () => ({ allowed: true }),
  fuel: 30,
  fallback: 'call_user',
  hooks: undefined,
  end: { way: 'none', at: 0 },
  failAt: -1,
}

it.each(['leave', 'stop'] as const)(
  'goes on after a run that ended at any of its events (%s)',
  async (way) => {
    let at = 0
    for (let whole = false; !whole; at++) {
      const writer = memoryWriter('garden')
      await first({ ...everything, end: { way, at } }, writer)
      whole =
        writer.entries.at(-1)?.entry_type === 'flow_control_result' &&
        writer.entries.length === 12 &&
        at > 30
      await recover(writer)
      const { requests } = await play([answer], tools, { writer, idsFrom: 1000 })
      expect(faults(writer)).toEqual([])
      // What was said before and not answered stands before it.
      const last = requests[0]?.messages.at(-1)
      expect([last?.role, last?.content]).toEqual(['user', expect.stringMatching(/(^|\n\n)hello$/)])
    }
    expect(at).toBeGreaterThan(20)
  },
)

it('gives calls that a killed run left their results before the next message', async () => {
  const writer = memoryWriter('garden')
  await first({ ...everything, end: { way: 'leave', at: 5 } }, writer)
  expect(writer.entries.at(-1)?.entry_type).toBe('tool_call')
  const calls = writer.entries.filter(({ entry_type }) => entry_type === 'tool_call').length
  const { events } = await play([answer], tools, { writer, idsFrom: 1000 })
  expect(
    events
      .slice(0, calls + 1)
      .map(
        (event) =>
          event.type === 'appended' && event.row.type === 'entry' && event.row.entry.entry_type,
      ),
  ).toEqual([...Array<string>(calls).fill('tool_result'), 'message'])
})

it('goes on from what the store has after a run was left at any of its events', async () => {
  const home = path.join(folder(), 'home')
  const store = openStore({ home, disk: nodeDisk })
  const within = async (name: string, work: (writer: TranscriptWriter) => Promise<unknown>) => {
    const create = (await store.findContext(name)) === undefined
    const writer = await store.openWriter(name, { create })
    await work(writer).finally(() => writer.close())
  }
  const uuids = { newId: () => EntryId.parse(randomUUID()) }
  for (let at = 0; at < 24; at++) {
    const name = `garden${at}`
    await within(name, (writer) =>
      play(everything.scripts, tools, {
        consent: everything.consent,
        deps: { ...uuids, writer },
        each: (_event, index) => (index === at ? 'leave' : undefined),
      }),
    )
    await within(name, (writer) => play([answer], tools, { deps: { ...uuids, writer } }))
    const { rows } = await store.readPage(name, 'start', 100)
    const entries = rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
    expect(chibiFaults(entries)).toEqual([])
    expect(chatFaults(toChatMessages(entries, {}))).toEqual([])
    expect(entries.at(-1)?.content).toBe('Done.')
  }
})
