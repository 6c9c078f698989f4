import { z } from 'zod'
import { protocols } from '../../../shared/model/settings/protocol'
import { choiceKey, countKey, flagKey, type KeySpec, keySpec, rangeKey } from './key-spec'

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string().min(1) }) }),
])
const ResponseFormat = z.union([
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.record(z.string(), z.json()).optional(),
  }),
])

/** The parameters of a request, by their key below an `api` table. */
export const apiTable = {
  temperature: rangeKey(0, 2, {
    group: 'parameters',
    name: 'Temperature',
    words: 'Higher is more varied.',
  }),
  max_tokens: countKey(1, {
    group: 'parameters',
    name: 'Longest answer',
    words: 'In tokens.',
  }),
  top_p: rangeKey(0, 1, {
    group: 'parameters',
    name: 'Top p',
    words: 'Only the likeliest words that make up this share are used.',
  }),
  stop: keySpec<readonly string[]>(z.array(z.string().min(1)), 'a list of texts', 'toml', {
    group: 'parameters',
    name: 'Stop at',
    words: 'The answer ends before one of these texts.',
  }),
  frequency_penalty: rangeKey(-2, 2, {
    group: 'parameters',
    name: 'Frequency penalty',
    words: 'Above 0, frequent words are repeated less.',
  }),
  presence_penalty: rangeKey(-2, 2, {
    group: 'parameters',
    name: 'Presence penalty',
    words: 'Above 0, words already used are repeated less.',
  }),
  seed: countKey(0, {
    group: 'parameters',
    name: 'Seed',
    words: 'The same seed gives the same answer, if the provider supports it.',
  }),
  response_format: keySpec<Readonly<Record<string, unknown>>>(
    ResponseFormat,
    'a table whose type is text, json_object or json_schema',
    'toml',
    {
      group: 'parameters',
      name: 'Answer format',
      words: 'Such as { type = "json_object" }.',
    },
  ),
  'reasoning.effort': choiceKey(
    ['xhigh', 'high', 'medium', 'low', 'minimal', 'none'],
    {
      group: 'parameters',
      name: 'Reasoning effort',
      words: 'How long the model thinks first. Cannot be combined with a budget.',
    },
    'medium',
  ),
  'reasoning.max_tokens': countKey(1, {
    group: 'parameters',
    name: 'Reasoning budget',
    words: 'In tokens; replaces the effort.',
  }),
  'reasoning.exclude': flagKey({
    group: 'parameters',
    name: 'Hide the reasoning',
    words: 'The model thinks, but the provider does not send its reasoning.',
  }),
  'reasoning.enabled': flagKey({
    group: 'parameters',
    name: 'Reasoning',
    words: 'On or off, if the model supports both.',
  }),
  tool_choice: {
    ...keySpec(
      ToolChoice,
      'auto, none, required, or { type = "function", function = { name = "…" } }',
      'choice',
      {
        group: 'parameters',
        name: 'Tool choice',
        words: 'Whether the model may, must not or must call a tool.',
      },
    ),
    choices: ['auto', 'none', 'required'],
  },
  parallel_tool_calls: flagKey(
    {
      group: 'parameters',
      name: 'Parallel tool calls',
      words: 'Several calls in one answer.',
    },
    true,
  ),
  prompt_caching: flagKey(
    {
      group: 'parameters',
      name: 'Prompt cache',
      words: 'Asks the provider to cache the beginning of the conversation.',
    },
    true,
  ),
  protocol: choiceKey(
    protocols,
    {
      group: 'parameters',
      name: 'API',
      words:
        'Chat completions, or OpenAI’s Responses API. Only Skein uses this key; chibi ignores it.',
    },
    'chat-completions',
  ),
} as const satisfies Readonly<Record<string, KeySpec<unknown>>>
