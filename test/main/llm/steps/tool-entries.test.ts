import { expect, it } from 'vitest'
import { unfinishedCalls } from '../../../../src/main/llm/steps/tool-entries'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { memoryWriter } from '../../../support/memory-writer'

/** Entries from words such as `tool_call:c1`; without an id where nothing follows. */
async function window(...words: readonly string[]): Promise<readonly Entry[]> {
  const writer = memoryWriter('garden')
  for (const [index, word] of words.entries()) {
    const [type = '', id] = word.split(':')
    await writer.append({
      id: `e${index}` as Entry['id'],
      timestamp: 1,
      from: 'garden',
      to: 'read',
      content: '{}',
      entry_type: type,
      ...(id === undefined ? {} : { tool_call_id: id }),
    })
  }
  return writer.entries
}

it.each<readonly [string, readonly string[], readonly string[]]>([
  ['no calls', ['message'], []],
  ['nothing at all', [], []],
  [
    'calls that have their results',
    ['tool_call:a', 'tool_call:b', 'tool_result:a', 'tool_result:b'],
    [],
  ],
  ['calls that have none', ['message', 'tool_call:a', 'tool_call:b'], ['a', 'b']],
  ['calls of which some have none', ['tool_call:a', 'tool_call:b', 'tool_result:b'], ['a']],
  [
    'calls without ids, paired by their places',
    ['tool_call', 'tool_call', 'tool_result'],
    ['synth_e1'],
  ],
  ['a call after a round that is whole', ['tool_call:a', 'tool_result:a', 'tool_call:b'], ['b']],
  ['flow control', ['tool_call:a', 'tool_result:a', 'flow_control_call:u'], ['u']],
  ['calls that something else follows', ['tool_call:a', 'run_error'], []],
])(
  'finds the calls that want a result at the end of a window with %s',
  async (_name, words, ids) => {
    expect(unfinishedCalls(await window(...words)).map(({ id }) => id)).toEqual(ids)
  },
)
