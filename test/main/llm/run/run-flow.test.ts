import { describe, expect, it } from 'vitest'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import { flowTools } from '../../../../src/main/tools/flow'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { scriptedHooks } from '../../../support/scripted-hooks'
import type { ScriptStep } from '../../../support/scripted-provider'
import {
  asks,
  call,
  chatFaults,
  chibiFaults,
  content,
  finish,
  play,
  told,
  tool,
} from '../support/tool-support'

const read = tool('read', 'reads', async ({ path }) => `text of ${path}`)
const answer: readonly ScriptStep[] = [content('Done.'), finish()]
const end = asks(call('u', 'call_user', '{"message":"Yours."}'))
const outcomeOf = (events: readonly RunEvent[]) => {
  const last = events.at(-1)
  return last?.type === 'ended' ? [last.outcome, last.failure?.kind] : undefined
}
const faultsOf = ({ entries }: { entries: Parameters<typeof chibiFaults>[0] }) => [
  ...chibiFaults(entries),
  ...chatFaults(toChatMessages(entries, {})),
]

describe('call_agent', () => {
  it('goes on with a turn that begins with its prompt, and says what fuel is left', async () => {
    const { writer, events, requests } = await play(
      [
        [
          content('First.'),
          ...asks(call('a', 'call_agent', '{"prompt":"Now the beans."}'), call('r', 'read')),
        ],
        [...end],
      ],
      [read, ...flowTools],
      { input: { fuel: 10 } },
    )
    const prompt =
      '[reengaged (fuel: 9/10) via call_agent. call_user(<message>) to end turn.]\nNow the beans.'
    expect(told(writer.entries).slice(1)).toEqual([
      'message: First.',
      'tool_call read r: {}',
      'tool_result read r: text of undefined',
      'flow_control_call call_agent a: {"prompt":"Now the beans."}',
      'flow_control_result call_agent a: Now the beans.',
      `message: ${prompt}`,
      'flow_control_call call_user u: {"message":"Yours."}',
      'flow_control_result call_user u: Returning to user',
    ])
    const said = writer.entries.find(({ content: text }) => text === prompt)
    expect([said?.role, said?.from, said?.to, said?.metadata]).toEqual([
      'user',
      'garden',
      'garden',
      { continued_by: 'call_agent' },
    ])
    expect(requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: prompt })
    expect(outcomeOf(events)).toEqual(['complete', undefined])
    expect(faultsOf(writer)).toEqual([])
  })

  it('without a prompt says in the next turn what it wants', async () => {
    const { requests } = await play(
      [[...asks(call('a', 'call_agent', '{}'))], answer],
      [...flowTools],
    )
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toMatch(/invalid arguments: prompt/)
  })

  it('the last of several calls decides who has the word', async () => {
    const agent = call('a', 'call_agent', '{"prompt":"On."}')
    const user = call('u', 'call_user', '{"message":"Yours."}')
    const first = await play([[...asks(agent, user)]], [...flowTools])
    expect([outcomeOf(first.events), first.requests.length]).toEqual([['complete', undefined], 1])
    const second = await play([[...asks(user, agent)], answer], [...flowTools])
    expect(second.requests).toHaveLength(2)
    expect(faultsOf(second.writer)).toEqual([])
  })

  it('ends where its fuel does, with the pair in the transcript', async () => {
    const { writer, events } = await play(
      [[...asks(call('a', 'call_agent', '{"prompt":"On."}'))]],
      [...flowTools],
      { input: { fuel: 1 } },
    )
    expect(outcomeOf(events)).toEqual(['failed', 'out-of-fuel'])
    expect(writer.entries.map(({ entry_type: type }) => type)).toEqual([
      'message',
      'flow_control_call',
      'flow_control_result',
      'run_error',
    ])
  })
})

it('a plugin that hands the turn on begins the next one with what it says', async () => {
  const recurse = tool('recurse', 'runs', async ({ note }) => `[Continuing] ${note}`, {
    ends: 'round',
  })
  const { requests, writer } = await play(
    [[...asks(call('x', 'recurse', '{"note":"more"}'))], answer],
    [recurse],
    { input: { fuel: 0 } },
  )
  expect(requests[1]?.messages.at(-1)).toEqual({
    role: 'user',
    content:
      'hello\n\n[reengaged via recurse. call_user(<message>) to end turn.]\n[Continuing] more',
  })
  expect(writer.entries[1]?.entry_type).toBe('flow_control_call')
})

describe('the fallback tool', () => {
  it('call_agent lets a model go on after words, until it calls call_user', async () => {
    const { writer, events, requests } = await play(
      [[content('One.'), finish()], [content('Two.'), finish()], [...end]],
      [...flowTools],
      { input: { fallback: 'call_agent', fuel: 30 } },
    )
    expect(requests).toHaveLength(3)
    expect(told(writer.entries).slice(1, 5)).toEqual([
      'message: One.',
      'message: [reengaged (fuel: 29/30) via call_agent. call_user(<message>) to end turn.]\n',
      'message: Two.',
      'message: [reengaged (fuel: 28/30) via call_agent. call_user(<message>) to end turn.]\n',
    ])
    expect(outcomeOf(events)).toEqual(['complete', undefined])
    const described = requests[0]?.tools?.map(({ name, description }) => [
      name,
      description.endsWith('Called automatically if no other tool is used.'),
    ])
    expect(described).toEqual([
      ['call_user', false],
      ['call_agent', true],
    ])
  })

  it('burns fuel, and the words stay when it is gone', async () => {
    const { writer, events } = await play(
      [
        [content('One.'), finish()],
        [content('Two.'), finish()],
      ],
      [...flowTools],
      { input: { fallback: 'call_agent', fuel: 2 } },
    )
    expect(outcomeOf(events)).toEqual(['failed', 'out-of-fuel'])
    expect(writer.entries.at(-1)?.content).toMatch(/continued by itself until its fuel was used up/)
    expect(told(writer.entries)).toContain('message: Two.')
  })

  it('ends a model that says the same again and again, also with fuel for ever', async () => {
    const again: readonly ScriptStep[] = [content('Same.'), finish()]
    const { requests, events } = await play([again, again, again], [...flowTools], {
      input: { fallback: 'call_agent', fuel: 0 },
    })
    expect([requests.length, outcomeOf(events)]).toEqual([3, ['complete', undefined]])
  })

  it('is not used where call_user, which ends it, is not offered', async () => {
    const { requests } = await play([answer], [read], { input: { fallback: 'call_agent' } })
    expect(requests).toHaveLength(1)
  })

  it('and the fuel are changed by plugins at the beginning and after each round', async () => {
    const hooks = scriptedHooks({
      pre_agentic_loop: { a: { fuel: 3 }, b: { fallback: 'call_agent' } },
      post_tool_batch: { a: { fuel_delta: 1 }, b: { fallback: 'call_user', fuel_delta: -2 } },
    })
    const { requests } = await play([[...asks(call('r', 'read'))], answer], [read, ...flowTools], {
      input: { fuel: 30 },
      deps: { hooks },
    })
    expect(requests).toHaveLength(2)
    const fuels = hooks.heard.map(([point, data]) => [point, data.fuel_remaining, data.fuel_total])
    expect(fuels.filter(([, left]) => left !== undefined)).toEqual([
      ['pre_api_tools', 30, 30],
      ['pre_agentic_loop', 30, 30],
      ['pre_api_request', 3, 30],
      ['post_tool_batch', 3, 30],
      ['pre_api_request', 1, 30],
    ])
  })
})

it('an answer without a word costs what the settings say', async () => {
  const empty: readonly ScriptStep[] = [finish()]
  const { requests, events } = await play([empty, empty], [read], {
    input: { fuel: 4, idleCost: 2 },
  })
  expect([requests.length, outcomeOf(events)?.[0]]).toEqual([2, 'failed'])
})

describe('a tool that should have ended the turn and failed', () => {
  const broken = tool('farewell', 'runs', async () => Promise.reject(new Error('exit code 3')), {
    ends: 'turn',
  })

  it('has not: the model hears why, and goes on', async () => {
    const { requests, events, writer } = await play(
      [[...asks(call('x', 'farewell'))], answer],
      [broken],
      { input: { fuel: 0 } },
    )
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('exit code 3'),
    })
    expect(outcomeOf(events)).toEqual(['complete', undefined])
    expect(faultsOf(writer)).toEqual([])
  })

  it('ends the run, and says so, where it always fails, also without a limit of fuel', async () => {
    const again = (id: string) => [...asks(call(id, 'farewell', `{"n":"${id}"}`))]
    const { requests, events, writer } = await play(['a', 'b', 'c', 'd'].map(again), [broken], {
      input: { fuel: 0 },
    })
    expect(requests).toHaveLength(3)
    expect(outcomeOf(events)).toEqual(['failed', 'server'])
    expect(writer.entries.at(-1)?.content).toMatch(/"farewell" should end the turn/)
    expect(faultsOf(writer)).toEqual([])
  })
})

it('plugins cannot keep a run going for ever by filling its fuel up each turn', async () => {
  const hooks = scriptedHooks({ pre_agentic_loop: { a: { fuel: 4 } } })
  const words = Array.from({ length: 9 }, (_, n) => [content(`Thought ${n}.`), finish()])
  const { requests, events } = await play(words, [...flowTools], {
    input: { fuel: 30, fallback: 'call_agent' },
    deps: { hooks },
  })
  expect(outcomeOf(events)).toEqual(['failed', 'out-of-fuel'])
  expect(requests).toHaveLength(4)
})
