import { describe, expect, it } from 'vitest'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { calling } from './calling'

const temp = tempFolders(memoryFolder)

describe('the built-in tools', () => {
  it("have chibi's names and parameters", () => {
    const { tools } = calling(temp())
    const told = tools.map(({ name, parameters, effect, ends }) => {
      const { properties, required } = parameters as {
        properties: Readonly<Record<string, { type: string }>>
        required?: readonly string[]
      }
      const names = Object.entries(properties).map(
        ([key, { type }]) => `${key}${required?.includes(key) ? '*' : ''}: ${type}`,
      )
      return `${name}(${names.join(', ')}) ${effect}${ends === undefined ? '' : `, ends the ${ends}`}`
    })
    expect(told).toEqual([
      'update_todos(content*: string) notes',
      'update_goals(content*: string) notes',
      'update_reflection(content*: string) notes',
      'send_message(to*: string, content*: string, from: string) writes',
      'call_user(message: string) flow, ends the turn',
      'call_agent(prompt*: string) flow, ends the round',
      'dir_list(path*: string, depth: integer, show_hidden: boolean) reads',
      'file_head(path: string, cache_id: string, lines: integer) reads',
      'file_tail(path: string, cache_id: string, lines: integer) reads',
      'file_lines(path: string, cache_id: string, start*: integer, end*: integer) reads',
      'file_grep(path: string, cache_id: string, pattern*: string, context_before: integer, context_after: integer) reads',
      'glob_files(pattern*: string, path: string, max_results: integer) reads',
      'grep_files(pattern*: string, path: string, file_pattern: string, context_lines: integer, max_results: integer) reads',
      'write_file(path*: string, content*: string) writes',
    ])
  })

  it('are told in plain JSON Schema', () => {
    const tool = calling(temp()).tools.find(({ name }) => name === 'dir_list')
    expect(Object.keys(tool?.parameters ?? {})).toEqual([
      'type',
      'properties',
      'required',
      'additionalProperties',
    ])
    expect(JSON.parse(JSON.stringify(tool?.parameters))).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: expect.any(String) },
        depth: { type: 'integer', minimum: 1, maximum: 10, description: expect.any(String) },
        show_hidden: { type: 'boolean', description: expect.any(String) },
      },
      required: ['path'],
      additionalProperties: false,
    })
  })

  it('are told without the file tools where no folder is allowed, but for those that read outputs as well', () => {
    const { tools } = calling(temp(), { allowedPaths: [] })
    expect(tools.map(({ name }) => name)).toEqual([
      'update_todos',
      'update_goals',
      'update_reflection',
      'send_message',
      'call_user',
      'call_agent',
      'file_head',
      'file_tail',
      'file_lines',
      'file_grep',
    ])
  })

  it('say what they wanted where arguments are wrong', async () => {
    const { tools, call, error } = calling(temp())
    expect(await error('file_head', { path: 'x', lines: 0, more: 1 })).toBe(
      'Error: file_head got invalid arguments: lines: Too small: expected number to be >=1; ' +
        'Unrecognized key: "more". It takes path (string, optional), cache_id (string, optional), lines (integer, optional)',
    )
    const nasty: readonly Readonly<Record<string, unknown>>[] = [
      { path: 7 },
      { path: null, content: [] },
      { content: { toString: 'x' } },
      { ['k'.repeat(100_000)]: 1 },
      JSON.parse('{"__proto__": {"path": "x"}, "constructor": 1}'),
      { path: 'x', lines: Number.NaN, start: 1.5, end: 1e300, depth: -1, prompt: '' },
    ]
    for (const args of nasty)
      for (const { name } of tools) {
        const outcome = await call(name, args)
        expect(outcome).toEqual({
          type: 'error',
          text: expect.stringMatching(/^Error: \w+ got invalid arguments: .* It takes /s),
        })
        expect(outcome.text.length).toBeLessThan(1000)
      }
  })

  it('hand the turn on', async () => {
    const { text } = calling(temp())
    expect(await text('call_user', {})).toBe('Returning to user')
    expect(await text('call_user', { message: 'Done.' })).toBe('Returning to user')
    expect(await text('call_agent', { prompt: 'go on' })).toBe('go on')
  })
})
