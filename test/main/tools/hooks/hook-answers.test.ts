import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerFault,
  batchAnswers,
  callAnswers,
  deliveryAnswers,
  denialAnswers,
  injectAnswers,
  loopAnswers,
  outputAnswers,
  promptAnswers,
  requestAnswers,
  summaryAnswers,
  toolAnswers,
} from '../../../../src/main/tools/hooks/hook-answers'
import { hookPoints } from '../../../../src/main/tools/hooks/hooks'

/** Answers of plugins a, b, c …, in this order. */
const said = (...values: readonly unknown[]) =>
  values.map((value, at) => ({ plugin: String.fromCharCode(97 + at), value }))

describe('what plugins answer', () => {
  it('pre_message: the last prompt holds, an empty one too', () => {
    expect(promptAnswers([])).toBeUndefined()
    expect(promptAnswers(said({}, null, 'words', { prompt: 7 }))).toBeUndefined()
    expect(promptAnswers(said({ prompt: 'one' }, { prompt: 'two' }, {}))).toBe('two')
    expect(promptAnswers(said({ prompt: 'one' }, { prompt: '' }))).toBe('')
    expect(promptAnswers(said({ prompt: 'half \ud83d' }))).toBe('half \ufffd')
  })

  it('pre_tool: the last arguments hold, and one that blocks is enough', () => {
    expect(callAnswers([])).toEqual({ type: 'goes-on' })
    expect(callAnswers(said({ arguments: { a: 1 } }, { arguments: { b: 2 } }))).toEqual({
      type: 'goes-on',
      changed: { b: 2 },
    })
    expect(callAnswers(said({ arguments: [1] }, { block: 'true' }))).toEqual({ type: 'goes-on' })
    expect(
      callAnswers(
        said({ arguments: {} }, { block: true, message: 'not now' }, { block: true, message: 'x' }),
      ),
    ).toEqual({ type: 'blocked', plugin: 'b', message: 'not now' })
    expect(callAnswers(said({ block: true }, { block: false }))).toEqual({
      type: 'blocked',
      plugin: 'a',
    })
  })

  it('pre_tool_output, pre_cache_output: the last text holds', () => {
    expect(outputAnswers(said({ output: 'one' }, { output: '' }))).toEqual({
      type: 'goes-on',
      changed: '',
    })
    expect(outputAnswers(said({ block: true, message: 'hidden' }))).toEqual({
      type: 'blocked',
      plugin: 'a',
      message: 'hidden',
    })
    expect(summaryAnswers(said({ summary: 'a' }, { summary: null }))).toBe('a')
  })

  it('the system prompt: every text, in order, but empty ones', () => {
    expect(
      injectAnswers('pre_system_prompt', said({ inject: 'x' }, { inject: ' \n' }, { inject: 'y' })),
    ).toEqual(['x', 'y'])
    expect(injectAnswers('post_system_prompt', said({ inject: ['x'] }, 'words'))).toEqual([])
  })

  it('pre_send_message: the first that has delivered it, by its own name where it gives none', () => {
    expect(deliveryAnswers(said({ delivered: false, via: 'mail' }, {}))).toBeUndefined()
    expect(deliveryAnswers(said({}, { delivered: true }, { delivered: true, via: 'x' }))).toEqual({
      via: 'b',
    })
    expect(deliveryAnswers(said({ delivered: true, via: 'mail' }))).toEqual({ via: 'mail' })
  })

  it('pre_api_tools: what every include has and no exclude', () => {
    const names = ['a', 'b', 'c', 'd']
    const kept = (...values: readonly unknown[]) => names.filter(toolAnswers(said(...values)))
    expect(kept()).toEqual(names)
    expect(kept({ include: ['a', 'b'] }, { include: ['b', 'c'] })).toEqual(['b'])
    expect(kept({ exclude: ['a'] }, { exclude: ['b'] })).toEqual(['c', 'd'])
    expect(kept({ include: ['a', 'b'], exclude: ['b'] })).toEqual(['a'])
    expect(kept({ include: [] })).toEqual([])
    expect(kept({ include: 'a' }, { exclude: [1] })).toEqual(names)
  })

  it('pre_api_request: bodies laid over one another at their top', () => {
    expect(requestAnswers(said({}, 'x', { request_body: [] }))).toBeUndefined()
    expect(
      requestAnswers(
        said(
          { request_body: { a: 1, deep: { x: 1 } } },
          { request_body: { deep: { y: 2 }, b: 3 } },
        ),
      ),
    ).toEqual({ a: 1, deep: { y: 2 }, b: 3 })
  })

  it('a body cannot reach what objects have in common', () => {
    const value: unknown = JSON.parse('{"request_body":{"__proto__":{"polluted":true}}}')
    const body = requestAnswers(said(value))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(body?.polluted).toBeUndefined()
  })

  it('the loop: the last fallback and fuel, and the sum of what is added', () => {
    expect(loopAnswers(said({ fallback: 'call_agent', fuel: 0 }, { fuel: -1 }))).toEqual({
      fallback: 'call_agent',
      fuel: 0,
    })
    expect(loopAnswers(said({ fallback: 'rm', fuel: 1.5 }))).toEqual({})
    expect(
      batchAnswers(said({ fuel_delta: -3 }, { fuel_delta: 5, fallback: 'call_user' }, {})),
    ).toEqual({ fallback: 'call_user', fuelDelta: 2 })
    expect(batchAnswers(said({ fuel_delta: 1e300 }))).toEqual({ fuelDelta: 0 })
  })

  it('files: the first that denies, and nobody allows', () => {
    expect(denialAnswers('pre_file_read', said({ denied: false }, { denied: 1 }))).toBeUndefined()
    expect(
      denialAnswers('pre_file_write', said({}, { denied: true, reason: 'no' }, { denied: true })),
    ).toEqual({ plugin: 'b', reason: 'no' })
  })

  it('is told where it is wrong, and only there', () => {
    const fault = (point: (typeof hookPoints)[number], value: unknown) =>
      answerFault(point, { plugin: 'a', value })
    expect(fault('pre_message', { prompt: 'x', other: 1 })).toBeUndefined()
    expect(fault('pre_message', null)).toBeUndefined()
    expect(fault('post_message', 'thank you')).toBeUndefined()
    expect(fault('pre_message', 'words')).toBe(
      'answered pre_message with something other than a JSON object',
    )
    expect(fault('pre_tool', { block: 1, message: 2, arguments: {} })).toMatch(
      /^answered pre_tool with block: .+; message: .+$/,
    )
    const deep: unknown = JSON.parse(`{"arguments":${'{"x":'.repeat(5000)}1${'}'.repeat(5000)}}`)
    expect(fault('pre_tool', deep)).toContain('nested too deeply')
    expect(callAnswers(said(deep))).toEqual({ type: 'goes-on' })
  })

  it('never makes anything throw, whatever it is', () => {
    const keys = ['prompt', 'arguments', 'block', 'message', 'output', 'inject', 'include', 'fuel']
    const answer = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(...keys, 'request_body', 'denied', '__proto__'),
        fc.jsonValue(),
      ),
    )
    fc.assert(
      fc.property(fc.array(answer), (values) => {
        const answers = said(...values)
        for (const point of hookPoints) for (const one of answers) answerFault(point, one)
        promptAnswers(answers)
        callAnswers(answers)
        outputAnswers(answers)
        summaryAnswers(answers)
        injectAnswers('pre_system_prompt', answers)
        deliveryAnswers(answers)
        toolAnswers(answers)('x')
        requestAnswers(answers)
        loopAnswers(answers)
        batchAnswers(answers)
        denialAnswers('pre_file_write', answers)
      }),
    )
  })
})
