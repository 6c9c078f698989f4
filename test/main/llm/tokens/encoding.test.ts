import { describe, expect, it } from 'vitest'
import { encodingOf } from '../../../../src/main/llm/tokens/encoding'

describe('the tokenizer of a model', () => {
  it.each([
    'gpt-5',
    'gpt-5-mini',
    'gpt-5.1-codex',
    'openai/gpt-5-mini',
    'openrouter/openai/gpt-5-nano',
    'gpt-4o',
    'gpt-4o-2024-08-06',
    'openai/gpt-4o-mini:extended',
    'GPT-4.1-nano',
    'gpt-4.5-preview',
    'chatgpt-4o-latest',
    'o1',
    'o1-pro',
    'openai/o3-mini-high',
    'o4-mini',
    'ft:gpt-4o-mini-2024-07-18:shop::9aBc',
  ])('of %s is o200k_base', (model) => expect(encodingOf(model)).toBe('o200k_base'))

  it.each([
    'gpt-4',
    'gpt-4-0613',
    'gpt-4-32k',
    'gpt-4-turbo',
    'gpt-4-turbo-2024-04-09',
    'openai/gpt-4-1106-preview',
    'gpt-3.5-turbo',
    'gpt-3.5-turbo-16k-0613',
    'azure/gpt-35-turbo',
    'ft:gpt-3.5-turbo-0125:shop::9aBc',
  ])('of %s is cl100k_base', (model) => expect(encodingOf(model)).toBe('cl100k_base'))

  it.each(['gpt-oss:20b', 'openai/gpt-oss-120b:free', 'packers/gpt-oss-20b-GGUF'])(
    'of %s is o200k_harmony',
    (model) => expect(encodingOf(model)).toBe('o200k_harmony'),
  )

  it.each([
    '',
    '/',
    'practice',
    'anthropic/claude-sonnet-4.5',
    'google/gemini-2.5-pro',
    'gpt-j-6b',
    'gpt-neox-20b',
    'gpt-4-x-alpaca-13b',
    'gpt4all',
    'gpt-50',
    'o1x',
    'someone/gpt-4o-like',
    'openrouter/auto',
    'llama-gpt-4o',
    '__proto__',
  ])('of %s is not known', (model) => expect(encodingOf(model)).toBeUndefined())
})
