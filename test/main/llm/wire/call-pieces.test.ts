import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestedCall } from '../../../../src/main/llm/chat/provider'
import { callAssembler } from '../../../../src/main/llm/wire/call-pieces'
import { readChunk } from '../../../../src/main/llm/wire/chunks'
import { chunk } from '../../../support/raw-server'

/** The calls of an answer whose chunks have these `tool_calls`. */
function assembled(...chunks: readonly unknown[]): readonly RequestedCall[] {
  const calls = callAssembler()
  for (const pieces of chunks) {
    const read = readChunk(chunk({ tool_calls: pieces }))
    if (read.type !== 'chunk') throw new Error(`not understood: ${JSON.stringify(pieces)}`)
    calls.add(read.choices.flatMap((choice) => choice.calls))
  }
  return calls.whole()
}

const two = [
  { id: 'c1', name: 'read', arguments: '{"a":1}' },
  { id: 'c2', name: 'read', arguments: '{"b":2}' },
]
const fn = (name?: string, args?: unknown) => ({ function: { name, arguments: args } })

describe('the calls of an answer are put together', () => {
  it.each<readonly [string, readonly unknown[], readonly RequestedCall[]]>([
    [
      'of numbered pieces, as OpenAI sends them, also mixed',
      [
        [{ index: 0, id: 'c1', ...fn('read', '') }],
        [{ index: 1, id: 'c2', ...fn('read', '') }],
        [
          { index: 1, ...fn(undefined, '{"b"') },
          { index: 0, ...fn(undefined, '{"a"') },
        ],
        [{ index: 0, ...fn(undefined, ':1}') }],
        [{ index: 1, ...fn(undefined, ':2}') }],
      ],
      two,
    ],
    [
      'of whole calls without numbers',
      [
        [
          { id: 'c1', ...fn('read', '{"a":1}') },
          { id: 'c2', ...fn('read', '{"b":2}') },
        ],
      ],
      two,
    ],
    [
      'of pieces without numbers, the id in the first',
      [
        [{ id: 'c1', ...fn('read', '') }],
        [fn(undefined, '{"a"')],
        [fn(undefined, ':1}')],
        [{ id: 'c2', ...fn('read', '{"b":2}') }],
      ],
      two,
    ],
    [
      'of calls that are all numbered 0',
      [
        [{ index: 0, id: 'c1', ...fn('read', '{"a":1}') }],
        [{ index: 0, id: 'c2', ...fn('read', '{"b":') }],
        [{ index: 0, ...fn(undefined, '2}') }],
      ],
      two,
    ],
    [
      'of pieces that repeat id and name',
      [
        [{ index: 0, id: 'c1', ...fn('read', '{"a"') }],
        [{ index: 0, id: 'c1', ...fn('read', ':1}') }],
      ],
      two.slice(0, 1),
    ],
    [
      'of a name in pieces, and an id that comes late',
      [
        [{ index: 0, ...fn('re', '') }],
        [{ index: 0, ...fn('ad') }],
        [{ index: 0, id: 'c1', ...fn(undefined, '{"a":1}') }],
      ],
      two.slice(0, 1),
    ],
    [
      'of arguments that are an object, null or nothing',
      [
        [{ index: 0, id: 'c1', ...fn('read', { a: 1 }) }],
        [{ index: 1, id: 'c2', ...fn('list', null) }],
        [{ index: 2, id: 'c3', ...fn('list') }],
      ],
      [
        ...two.slice(0, 1),
        { id: 'c2', name: 'list', arguments: '' },
        { id: 'c3', name: 'list', arguments: '' },
      ],
    ],
    [
      'without ids, told apart by their names or whole arguments',
      [
        [{ index: 0, ...fn('read', '{"a":1}') }],
        [{ index: 0, ...fn('read', '{"b":2}') }],
        [fn('list'), fn('list')],
      ],
      [
        { name: 'read', arguments: '{"a":1}' },
        { name: 'read', arguments: '{"b":2}' },
        { name: 'list', arguments: '' },
        { name: 'list', arguments: '' },
      ],
    ],
    [
      'with an id that is there twice left to the first',
      [
        [
          { id: 'c1', ...fn('read', '{"a":1}') },
          { id: 'c1', ...fn('list', '{}') },
        ],
      ],
      [...two.slice(0, 1), { name: 'list', arguments: '{}' }],
    ],
    [
      'around what is no call',
      [null, 'calls', [null, 5], [{ index: 'x', id: 7, ...fn('read', '{}') }], [{ index: 4 }]],
      [{ id: '7', name: 'read', arguments: '{}' }],
    ],
    [
      'of arguments alone, so that the model hears of it',
      [[{ index: 0, ...fn(undefined, '{}') }]],
      [{ name: '', arguments: '{}' }],
    ],
  ])('%s', (_name, chunks, expected) => {
    expect(assembled(...chunks)).toEqual(expected)
  })

  it('up to a hundred', () => {
    const many = Array.from({ length: 150 }, (_, index) => [
      { index, id: `c${index}`, ...fn('f', '{}') },
    ])
    const calls = assembled(...many, [{ index: 149, ...fn(undefined, 'more') }])
    expect([calls.length, calls.at(-1)]).toEqual([100, { id: 'c99', name: 'f', arguments: '{}' }])
  })

  it('however the arguments are cut', () => {
    const text = fc.json().filter((json) => json !== '')
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (all, size, numbered) => {
          const pieces = all.flatMap((json, index) => {
            const number = numbered ? { index } : {}
            const cuts = json.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
            return [
              [{ ...number, id: `c${index}`, ...fn('f', '') }],
              ...cuts.map((cut) => [{ ...number, ...fn(undefined, cut) }]),
            ]
          })
          expect(assembled(...pieces)).toEqual(
            all.map((json, index) => ({ id: `c${index}`, name: 'f', arguments: json })),
          )
        },
      ),
    )
  })

  it('of the form that OpenAI had before', () => {
    const calls = callAssembler()
    for (const delta of [{ name: 'read', arguments: '{"a"' }, { arguments: ':1}' }]) {
      const read = readChunk(chunk({ function_call: delta }))
      if (read.type === 'chunk') calls.add(read.choices.flatMap((choice) => choice.calls))
    }
    expect(calls.whole()).toEqual([{ name: 'read', arguments: '{"a":1}' }])
  })
})
