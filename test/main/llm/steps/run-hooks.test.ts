import { describe, expect, it } from 'vitest'
import type { ToolOutputStore } from '../../../../src/main/llm/steps/call-hooks'
import { flowTools } from '../../../../src/main/tools/flow'
import type { HookPoint } from '../../../../src/main/tools/hooks/hooks'
import { type ScriptedAnswer, scriptedHooks } from '../../../support/scripted-hooks'
import type { ScriptStep } from '../../../support/scripted-provider'
import { asks, call, chibiFaults, content, finish, play, told, tool } from '../support/tool-support'

const read = tool('read', 'reads', async ({ path }) => `text of ${path}`)
const write = tool('write_file', 'writes', async ({ path }) => `wrote ${path}`)
const answer: readonly ScriptStep[] = [content('Done.'), finish()]
const plugin = (point: HookPoint, value: ScriptedAnswer) => scriptedHooks({ [point]: { p: value } })
const results = (entries: Parameters<typeof told>[0]) =>
  entries.filter(({ entry_type: type }) => type === 'tool_result').map(({ content: text }) => text)

it('plugins hear of a whole run, in its order, with chibi’s keys', async () => {
  const hooks = scriptedHooks({})
  await play([[...asks(call('a', 'read', '{"path":"b"}'))], answer], [read], {
    deps: { hooks, summary: 'so far' },
    input: { fuel: 5, parameters: { temperature: 0.5 } },
  })
  const fuel = { fuel_remaining: 5, fuel_total: 5 }
  const tool_call = { tool_name: 'read', arguments: { path: 'b' } }
  expect(hooks.heard.filter(([point]) => point !== 'pre_api_request')).toEqual([
    ['pre_message', { context_name: 'garden', prompt: 'hello', summary: 'so far' }],
    [
      'pre_api_tools',
      { context_name: 'garden', tools: [{ name: 'read', type: 'builtin' }], ...fuel },
    ],
    [
      'pre_agentic_loop',
      { context_name: 'garden', current_fallback: 'call_user', message: 'hello', ...fuel },
    ],
    ['pre_tool', tool_call],
    ['pre_tool_output', { ...tool_call, output: 'text of b' }],
    [
      'post_tool_output',
      { ...tool_call, output: 'text of b', final_output: 'text of b', cached: false },
    ],
    ['post_tool', { ...tool_call, result: 'text of b', cached: false }],
    [
      'post_tool_batch',
      {
        context_name: 'garden',
        current_fallback: 'call_user',
        tool_calls: [{ name: 'read', arguments: { path: 'b' } }],
        ...fuel,
      },
    ],
    ['post_message', { context_name: 'garden', prompt: 'hello', response: 'Done.' }],
  ])
  const requests = hooks.heard.filter(([point]) => point === 'pre_api_request')
  expect(requests).toHaveLength(2)
  expect(requests[0]?.[1]).toEqual({
    context_name: 'garden',
    request_body: {
      model: 'some/model',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [expect.objectContaining({ type: 'function' })],
      temperature: 0.5,
      stream: true,
    },
    ...fuel,
  })
})

describe('a plugin at a message', () => {
  it('changes it, and what was typed is kept', async () => {
    const hooks = plugin('pre_message', ({ prompt }: { prompt: string }) => ({
      prompt: `${prompt}, please`,
    }))
    const { writer, requests } = await play([answer], [], { deps: { hooks } })
    expect(writer.entries[0]).toMatchObject({
      content: 'hello, please',
      metadata: { typed: 'hello' },
    })
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'hello, please' }])
    expect(hooks.heard.at(-1)).toEqual([
      'post_message',
      { context_name: 'garden', prompt: 'hello, please', response: 'Done.' },
    ])
  })

  it.each([{ prompt: '' }, { prompt: 7 }, 'words', null, { prompt: ' \n' }])(
    'that answers %j changes nothing',
    async (value) => {
      const { writer } = await play([answer], [], { deps: { hooks: plugin('pre_message', value) } })
      expect(writer.entries[0]).toMatchObject({ content: 'hello' })
      expect(writer.entries[0]?.metadata).toBeUndefined()
    },
  )

  it('hears the words of call_user as the answer', async () => {
    const hooks = scriptedHooks({})
    await play([[...asks(call('u', 'call_user', '{"message":"Yours."}'))]], [...flowTools], {
      deps: { hooks },
    })
    expect(hooks.heard.at(-1)?.[1]).toMatchObject({ response: 'Yours.' })
  })
})

describe('a plugin at a request', () => {
  it('chooses among the tools', async () => {
    const hooks = scriptedHooks({
      pre_api_tools: { a: { include: ['read', 'write_file'] }, b: { exclude: ['write_file'] } },
    })
    const { requests, writer } = await play(
      [[...asks(call('w', 'write_file'))], answer],
      [read, write, ...flowTools],
      { deps: { hooks }, consent: async () => ({ allowed: true }) },
    )
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['read'])
    expect(results(writer.entries)).toEqual([
      'Error: there is no tool "write_file". Available tools: read.',
    ])
  })

  it('takes no messages with a key that is ours', async () => {
    const picture = { role: 'user', content: 'hi', images: 'abc' }
    const hooks = plugin('pre_api_request', { request_body: { messages: [picture] } })
    const { requests, events } = await play([answer], [read], { deps: { hooks } })
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'hello' }])
    expect(events.at(-1)).toMatchObject({ type: 'ended', outcome: 'complete' })
  })

  it('lays keys over it, takes keys away, and cannot make it another kind of request', async () => {
    const hooks = plugin('pre_api_request', {
      request_body: {
        model: 'other/model',
        temperature: 1,
        seed: null,
        stream: false,
        messages: [{ role: 'nobody' }],
        tools: [{ function: { name: 'read', description: 'reads well' } }],
      },
    })
    const { requests, events } = await play([answer], [read], {
      deps: { hooks },
      input: { parameters: { temperature: 0, seed: 7, top_p: 1 } },
    })
    expect(requests[0]).toEqual({
      model: 'other/model',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [{ name: 'read', description: 'reads well', parameters: { type: 'object' } }],
      parameters: { temperature: 1, top_p: 1 },
    })
    expect(events.find(({ type }) => type === 'requested')).toMatchObject({ model: 'other/model' })
  })
})

describe('a plugin at a call', () => {
  it('blocks it, and the model gets its message', async () => {
    const hooks = plugin('pre_tool', { block: true, message: 'Not on Sundays.' })
    const { writer } = await play([[...asks(call('a', 'read'))], answer], [read], {
      deps: { hooks },
    })
    expect(results(writer.entries)).toEqual(['Not on Sundays.'])
    expect(writer.entries[2]?.metadata).toEqual({ blocked: true })
    expect(hooks.points).not.toContain('pre_tool_output')
  })

  it('are told after a call which arguments ran, where one of them changed those', async () => {
    const hooks = plugin('pre_tool', { arguments: { path: 'safe' } })
    await play([asks(call('a', 'read', '{"path":"b"}')), answer], [read], { deps: { hooks } })
    expect(hooks.heard.find(([point]) => point === 'post_tool')?.[1]).toEqual({
      tool_name: 'read',
      arguments: { path: 'safe' },
      result: 'text of safe',
      cached: false,
    })
  })

  it('changes its arguments before a person is asked', async () => {
    const hooks = plugin('pre_tool', { arguments: { path: 'safe' } })
    const seen: unknown[] = []
    const { writer } = await play(
      [[...asks(call('w', 'write_file', '{"path":"x"}'))], answer],
      [write],
      {
        deps: { hooks },
        consent: async ({ args }) => {
          seen.push(args)
          return { allowed: true }
        },
      },
    )
    expect([seen, results(writer.entries)]).toEqual([[{ path: 'safe' }], ['wrote safe']])
    // The call stands as the model made it.
    expect(writer.entries[1]?.content).toBe('{"path":"x"}')
  })

  it('denies a file by name, and nobody is asked', async () => {
    const hooks = plugin('pre_file_write', { denied: true, reason: 'read-only today' })
    const { writer } = await play(
      [[...asks(call('w', 'write_file', '{"path":"x","content":"y"}'))], answer],
      [write],
      { deps: { hooks }, consent: () => Promise.reject(new Error('asked')) },
    )
    expect(results(writer.entries)).toEqual(['Error: read-only today'])
    expect(hooks.heard.find(([point]) => point === 'pre_file_write')?.[1]).toEqual({
      tool_name: 'write_file',
      path: 'x',
      content: 'y',
    })
  })

  it('allows nothing that a person must', async () => {
    const hooks = plugin('pre_file_write', { denied: false })
    const { writer } = await play(
      [[...asks(call('w', 'write_file', '{"path":"x"}'))], answer],
      [write],
      { deps: { hooks }, consent: async () => ({ allowed: false }) },
    )
    expect(results(writer.entries)).toEqual(['Error: the person did not allow this'])
  })

  it('keeps the turn from its end: the call is like others then', async () => {
    const hooks = plugin('pre_tool', ({ tool_name }: { tool_name: string }) =>
      tool_name === 'call_user' ? { block: true, message: 'Go on.' } : undefined,
    )
    const { writer, requests } = await play(
      [[...asks(call('u', 'call_user', '{"message":"Yours."}'))], answer],
      [...flowTools],
      { deps: { hooks } },
    )
    expect(told(writer.entries).slice(1, 3)).toEqual([
      'tool_call call_user u: {"message":"Yours."}',
      'tool_result call_user u: Go on.',
    ])
    expect(requests).toHaveLength(2)
    expect(hooks.points.filter((point) => point === 'pre_tool')).toHaveLength(1)
  })

  it('changes or blocks its output', async () => {
    const change = plugin('pre_tool_output', { output: 'other' })
    const changed = await play([[...asks(call('a', 'read'))], answer], [read], {
      deps: { hooks: change },
    })
    expect(results(changed.writer.entries)).toEqual(['other'])
    const block = plugin('pre_tool_output', { block: true, message: 'private' })
    const blocked = await play([[...asks(call('a', 'read'))], answer], [read], {
      deps: { hooks: block },
    })
    expect(results(blocked.writer.entries)).toEqual(['private'])
    expect(block.heard.find(([point]) => point === 'post_tool')?.[1].result).toBe('private')
  })
})

describe('an output that floods', () => {
  const flood = tool('flood', 'runs', async () => 'x'.repeat(50))
  const keeper = (kept: string[], fails = false): ToolOutputStore => ({
    threshold: 20,
    async keep(name, _args, output) {
      if (fails) throw new Error('full')
      kept.push(`${name}: ${output.length}`)
      return { id: 'flood_1', notice: (summary) => `kept: ${summary ?? output.slice(0, 3)}` }
    },
    failed: (name, error) => void kept.push(`${name} failed: ${String(error)}`),
  })

  it('is kept in a file, and the model gets words in its place', async () => {
    const kept: string[] = []
    const hooks = scriptedHooks({})
    const { writer } = await play([[...asks(call('a', 'flood'))], answer], [flood], {
      deps: { hooks, outputs: keeper(kept) },
    })
    expect([kept, results(writer.entries)]).toEqual([['flood: 50'], ['kept: xxx']])
    expect(writer.entries[2]?.metadata).toEqual({ cached: 'flood_1' })
    const data = (point: HookPoint) => hooks.heard.find(([one]) => one === point)?.[1]
    expect(data('pre_cache_output')).toMatchObject({ char_count: 50, line_count: 1 })
    expect(data('post_cache_output')).toEqual({
      tool_name: 'flood',
      arguments: {},
      cache_id: 'flood_1',
      output_size: 50,
      preview_size: 9,
    })
    expect(data('post_tool')).toMatchObject({ cached: true, result: 'x'.repeat(50) })
  })

  it('is told by a plugin’s summary where there is one', async () => {
    const hooks = plugin('pre_cache_output', { summary: 'fifty times x' })
    const { writer } = await play([[...asks(call('a', 'flood'))], answer], [flood], {
      deps: { hooks, outputs: keeper([]) },
    })
    expect(results(writer.entries)).toEqual(['kept: fifty times x'])
  })

  it('is given as far as it fits where it cannot be kept', async () => {
    const kept: string[] = []
    const { writer } = await play([[...asks(call('a', 'flood'))], answer], [flood], {
      deps: { outputs: keeper(kept, true), toolLimits: { resultLength: 30 } },
    })
    expect(kept).toEqual(['flood failed: Error: full'])
    expect(results(writer.entries)[0]).toMatch(/^x{30}\n\n\[Cut here/)
  })

  it('of an error is not kept, nor what was read of a file', async () => {
    const kept: string[] = []
    const fails = tool('fails', 'runs', async () => ({
      type: 'error',
      text: `Error: ${'y'.repeat(50)}`,
    }))
    const head = tool('file_head', 'reads', async () => 'z'.repeat(50))
    await play([[...asks(call('a', 'fails'), call('b', 'file_head'))], answer], [fails, head], {
      deps: { outputs: keeper(kept) },
    })
    expect(kept).toEqual([])
  })
})

it('an output that is no text is said, not pasted', async () => {
  const nul = tool('nul', 'runs', async () => 'PNG\0\0\u0001')
  const bad = tool('bad', 'runs', async () => '\ufffd'.repeat(40))
  const fine = tool('fine', 'runs', async () => `${'words '.repeat(100)}\ufffd`)
  const { writer } = await play(
    [[...asks(call('a', 'nul'), call('b', 'bad'), call('c', 'fine'))], answer],
    [nul, bad, fine],
  )
  expect(results(writer.entries)).toEqual([
    'Error: "nul" gave 6 characters that are not text.',
    'Error: "bad" gave 40 characters that are not text.',
    `${'words '.repeat(100)}\ufffd`,
  ])
})

it('nobody is heard any more after a stop, and the transcript is as chibi wants it', async () => {
  const all = [[...asks(call('a', 'read', '{"path":"b"}'))], answer]
  const whole = scriptedHooks({})
  await play(all, [read], { deps: { hooks: whole } })
  for (let at = 0; at < whole.points.length; at++) {
    const stop = new AbortController()
    const hooks = scriptedHooks({})
    const stopping = {
      ...hooks,
      async call(point: HookPoint, data: Readonly<Record<string, unknown>>) {
        if (hooks.heard.length === at) stop.abort()
        return hooks.call(point, data)
      },
    }
    const { writer, events } = await play(all, [read], { deps: { hooks: stopping }, stop })
    expect(chibiFaults(writer.entries)).toEqual([])
    const last = events.at(-1)
    expect(last?.type).toBe('ended')
    // Only what belongs to an output that is there already is told still.
    const after = hooks.points.slice(at + 1)
    expect(after.filter((point) => !/output/.test(point))).toEqual([])
  }
})
