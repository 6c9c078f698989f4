import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { ProviderError, type ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { automaticCompaction } from '../../../../src/main/llm/compaction/automatic'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { openStore } from '../../../../src/main/store/open-store'
import { type HookData, type HookPoint, noHooks } from '../../../../src/main/tools/hooks/hooks'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { checkHome } from '../../../support/chibi-checker/home'
import { message } from '../../../support/entries'
import { memoryWriter } from '../../../support/memory-writer'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { asks, call, content, finish, play } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
const says = (text: string): readonly ProviderEvent[] => [content(text), finish()]
const settings = { autoCompact: true, contextWindowLimit: 1000, noToolCalls: true }
const long = (words: string) => `${words} ${'x'.repeat(300)}`

/** A conversation of so many questions with answers, near a limit of 1,000 tokens. */
async function talked(questions = 4) {
  const home = preparedHome(temp())
  for (let n = 1; n <= questions; n++)
    await home.play([says(long(`Answer ${n}.`))], { text: long(`Question ${n}?`) })
  return home
}

const compactions = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'compaction' ? [event] : []))
const windowOf = async (home: string) =>
  (await readContextWindow(nodeDisk, home, 'garden', 'refuse')).map(
    (entry) => entry.content.split(' x')[0],
  )

describe('at the threshold', () => {
  it('lets the model choose, takes what goes into the summary, and goes on with the question', async () => {
    const home = await talked()
    const { events, requests, isWhole } = await home.play(
      [says('I choose [1, "2", 3] for that.'), says('They asked.'), says('Fine.')],
      { text: 'And now?', settings },
    )
    expect(isWhole).toBe(true)
    expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
    expect(compactions(events).map(({ phase }) => phase)).toEqual([
      'choosing',
      'summarizing',
      'done',
    ])
    expect(requests).toHaveLength(3)
    // What was asked stands in the request, and the summary before it.
    const last = requests[2]?.messages ?? []
    expect(last[0]).toMatchObject({ role: 'system' })
    expect(last[0]?.content).toContain('They asked.')
    expect(last.at(-1)).toEqual({ role: 'user', content: 'And now?' })
    expect(last.some((one) => one.content?.startsWith('Question 1?'))).toBe(false)
    expect(fs.readFileSync(path.join(home.folder, 'summary.md'), 'utf8')).toBe('They asked.')
    const entries = await home.entriesOf()
    expect(entries.map(({ id }) => id).length).toBe(new Set(entries.map(({ id }) => id)).size)
    const [anchor] = await readContextWindow(nodeDisk, home.home, 'garden', 'refuse')
    expect(anchor?.metadata).toMatchObject({
      summary: 'They asked.',
      model: 'some/model',
      compaction: { mode: 'rolling', automatic: true, chosen_by: 'model' },
    })
    expect(checkHome(home.home)).toEqual([])
  })

  it('lets the oldest go where the model names none, and still makes enough room', async () => {
    const home = await talked()
    const { events, requests } = await home.play(
      [says('I cannot.'), says('They asked.'), says('Fine.')],
      { text: 'And now?', settings },
    )
    const done = compactions(events).at(-1)
    expect(done).toMatchObject({
      phase: 'done',
      words: 'The oldest messages go instead. The model chose no messages.',
    })
    expect(done?.tokens).toBeLessThan(800)
    expect(await windowOf(home.home)).toEqual([
      'Context compacted',
      'Question 4?',
      'Answer 4.',
      'And now?',
      'Fine.',
    ])
    expect(requests[2]?.messages[1]?.role).toBe('user')
    expect(checkHome(home.home)).toEqual([])
  })

  const calls = asks(call('c1', 'call_user'))
  it.each<[string, readonly ProviderEvent[] | ProviderError, string]>([
    ['without a word', [content('  \n'), finish()], 'an empty answer'],
    ['that calls a tool', calls, 'called a tool'],
    ['with words beside a call', [content('Here.'), ...calls], 'called a tool'],
    ['that is held back', [content('A'), { type: 'finish', reason: 'filtered' }], 'withheld'],
    [
      'that never came',
      new ProviderError('bad-request', { message: 'No.', advice: 'Ask.' }),
      'No. Ask.',
    ],
  ])(
    'keeps the window after a summary %s, says so, and asks all the same',
    async (_, script, words) => {
      const home = await talked()
      const before = await windowOf(home.home)
      const steps = script instanceof Error ? [script] : script
      const { events, requests } = await home.play([says('[1]'), steps, says('Fine.')], {
        text: 'And now?',
        settings,
      })
      expect(compactions(events).at(-1)).toMatchObject({ phase: 'kept' })
      expect(compactions(events).at(-1)?.words).toContain(words)
      expect(requests).toHaveLength(3)
      expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
      expect(await windowOf(home.home)).toEqual([...before, 'And now?', 'Fine.'])
      expect(fs.existsSync(path.join(home.folder, 'summary.md'))).toBe(false)
      expect(checkHome(home.home)).toEqual([])
    },
  )

  it('cuts a huge summary, and says so', async () => {
    const home = await talked()
    const { events } = await home.play([says('[1,2]'), says('é'.repeat(100_000)), says('Fine.')], {
      text: 'And now?',
      settings,
    })
    expect(compactions(events).at(-1)?.words).toContain('too long')
    const summary = fs.readFileSync(path.join(home.folder, 'summary.md'), 'utf8')
    expect(summary).toMatch(/^é+…$/)
    expect(Buffer.byteLength(summary)).toBeLessThan(510)
    expect(checkHome(home.home)).toEqual([])
  })

  it('drops a call with its result, and keeps them together', async () => {
    const home = preparedHome(temp())
    const rounds = [1, 2, 3, 4, 5].map((n) => [
      content(`Round ${n}.`),
      ...asks(
        call(`a${n}`, 'update_todos', JSON.stringify({ content: `${n} ${'x'.repeat(4000)}` })),
        call(`b${n}`, 'update_goals', JSON.stringify({ content: `${n}` })),
      ),
    ])
    const { events, requests } = await home.play(
      [
        ...rounds.slice(0, 4),
        says('[2, 3]'),
        says('Two rounds.'),
        ...rounds.slice(4),
        says('Done.'),
      ],
      {
        text: 'Plan.',
        settings: {
          ...settings,
          noToolCalls: false,
          contextWindowLimit: 9600,
          autoCompactThreshold: 50,
        },
      },
    )
    expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
    expect(compactions(events).map(({ phase }) => phase)).toContain('done')
    const asked = requests.at(-1)?.messages ?? []
    const made = asked.flatMap((one) =>
      'tool_calls' in one ? one.tool_calls.map(({ id }) => id) : [],
    )
    const given = asked.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []))
    expect([...given].sort()).toEqual([...made].sort())
    expect(asked.some((one) => one.role === 'user' && one.content === 'Plan.')).toBe(true)
    expect(checkHome(home.home)).toEqual([])
  })

  it('tells that the limit is near where nothing may be done about it, once', async () => {
    const home = await talked()
    const { events } = await home.play(
      [asks(call('a', 'update_todos', '{"content":"x"}')), says('Fine.')],
      {
        text: 'And now?',
        settings: { ...settings, noToolCalls: false, autoCompact: false },
      },
    )
    expect(compactions(events)).toHaveLength(1)
    expect(compactions(events)[0]).toMatchObject({ phase: 'near', limit: 1000 })
  })

  it('takes the length that the provider tells where no setting says one', async () => {
    const home = await talked()
    const { events } = await home.play([says('[1]'), says('They asked.'), says('Fine.')], {
      text: 'And now?',
      settings: { ...settings, contextWindowLimit: 0 },
      deps: { contextLength: async () => 1000 },
    })
    expect(compactions(events).map(({ phase }) => phase)).toContain('done')
  })

  it("takes the home's own prompt", async () => {
    const home = await talked()
    home.put('prompts/compaction.md', 'Write a haiku.\n')
    const { requests } = await home.play([says('[1]'), says('They asked.'), says('Fine.')], {
      text: 'And now?',
      settings,
    })
    expect(requests[1]?.messages[0]?.content).toBe('Write a haiku.')
    expect(requests[1]?.messages[1]?.content).toMatch(/^Please summarize this conversation:/)
  })

  it("tells plugins with chibi's payloads, and minds none of their answers", async () => {
    const heard: (readonly [HookPoint, HookData])[] = []
    const home = await talked()
    const hooks = {
      hears: () => true,
      call: async (point: HookPoint, data: HookData) => {
        if (point.includes('compact')) heard.push([point, data])
        return [{ plugin: 'no', value: { block: true, message: 'no' } }]
      },
    }
    const { events } = await home.play([says('[1,2]'), says('They asked.'), says('Fine.')], {
      text: 'And now?',
      settings,
      deps: { hooks },
    })
    expect(compactions(events).at(-1)?.phase).toBe('done')
    const told = { context_name: 'garden', message_count: 9, summary: '', non_system_count: 9 }
    expect(heard[0]).toEqual(['pre_rolling_compact', told])
    expect(heard[1]?.[0]).toBe('post_rolling_compact')
    expect(heard[1]?.[1]).toMatchObject({ ...told, messages_archived: expect.any(Number) })
    expect(heard).toHaveLength(2)
  })

  it('writes nothing when it is left on the way', async () => {
    const home = await talked()
    const before = await home.entriesOf()
    for (const phase of ['choosing', 'summarizing'] as const) {
      const text = `And ${phase}?`
      const whole = await home.play([says('[1]'), says('They asked.'), says('Fine.')].slice(0, 3), {
        text,
        settings,
        leaveAt: phase === 'choosing' ? 1 : 2,
      })
      expect(whole.isWhole).toBe(false)
    }
    const after = await home.entriesOf()
    expect(
      after.map(({ entry_type: type }) => type).filter((type) => type === 'compaction'),
    ).toEqual([])
    expect(after.slice(0, before.length)).toEqual(before)
    expect(checkHome(home.home)).toEqual([])
    await (
      await openStore({ home: home.home, disk: nodeDisk }).openWriter('garden', { create: false })
    ).close()
  })

  it('is stopped with its run, and nothing of it is written', async () => {
    const writer = memoryWriter('garden', {
      begins: [1, 2, 3, 4, 5, 6].map((n) => ({
        ...message(long(`word ${n}`)),
        file: 'memory.jsonl',
        offset: n,
        length: 1,
      })),
    })
    const begun: unknown[] = []
    const stop = new AbortController()
    const { events, requests } = await play(
      [says('[1]'), [content('Th'), () => stop.abort(), 'hang']],
      [],
      {
        writer,
        stop,
        deps: {
          compaction: automaticCompaction({
            settings: {
              autoCompact: true,
              autoCompactThreshold: 50,
              contextWindowLimit: 900,
              rollingCompactDropPercentage: 50,
              warnThresholdPercent: 80,
            },
            hooks: noHooks,
            texts: async () => ({}),
            async begin(_, window) {
              begun.push(window)
              throw new Error('nothing is to be written')
            },
          }),
        },
      },
    )
    expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'stopped' })
    expect(compactions(events).map(({ phase }) => phase)).toEqual(['choosing', 'summarizing'])
    expect(requests).toHaveLength(2)
    expect(begun).toEqual([])
    expect(writer.entries.at(-1)?.content).toBe('hello')
  })
})
