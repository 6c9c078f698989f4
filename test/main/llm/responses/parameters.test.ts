import { expect, it } from 'vitest'
import { responsesParameters } from '../../../../src/main/llm/responses/parameters'

it.each([
  [
    'asks for a summary where nothing is said of one',
    { reasoning: { effort: 'low' } },
    { reasoning: { effort: 'low', summary: 'auto' } },
  ],
  [
    'keeps the summary that is asked for',
    { reasoning: { effort: 'low', summary: 'detailed' } },
    { reasoning: { effort: 'low', summary: 'detailed' } },
  ],
  [
    'asks for no summary of a model that is not to think',
    { reasoning_effort: 'none' },
    { reasoning: { effort: 'none' } },
  ],
  [
    'joins what stands in one object there',
    {
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'beds', schema: {} } },
    },
    { text: { verbosity: 'low', format: { type: 'json_schema', name: 'beds', schema: {} } } },
  ],
  [
    'names the tool that must be called in the flat form',
    { tool_choice: { type: 'function', function: { name: 'look' } } },
    { tool_choice: { type: 'function', name: 'look' } },
  ],
])('%s', (_, parameters, expected) => {
  expect(responsesParameters(parameters)).toEqual(expected)
})
