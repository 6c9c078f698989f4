import { describe, expect, it } from 'vitest'
import {
  formatAge,
  formatDollars,
  formatShortCount,
  modelLabels,
} from '../../../src/renderer/models/model-labels'
import { findModels, indexModels, type ModelSource } from '../../../src/renderer/models/model-rows'

const router: ModelSource = {
  name: 'OpenRouter',
  baseUrl: 'https://r/v1',
  models: [
    { id: 'anthropic/claude-sonnet-4.5', name: 'Claude Sonnet 4.5' },
    { id: 'openai/gpt-5.1', name: 'GPT-5.1' },
    { id: 'mistral/É-große', name: 'Café' },
  ],
}
const local: ModelSource = {
  name: 'Ollama',
  baseUrl: 'http://l/v1',
  models: [{ id: 'qwen3:14b' }, { id: 'openai/gpt-5.1' }],
}
const sources = [router, local]
const names = (query: string, recent: { baseUrl: string; model: string }[] = [], typed = local) =>
  findModels(indexModels(sources, recent), query, typed).rows.map(
    ({ provider, model, isTyped }) => `${provider} ${model.id}${isTyped ? ' typed' : ''}`,
  )

describe('models that are looked for', () => {
  it('hold every part in name, id or provider, whatever the case', () => {
    expect(names('SONNET anth')[0]).toBe('OpenRouter anthropic/claude-sonnet-4.5')
    expect(names('gpt ollama')).toEqual(['Ollama openai/gpt-5.1'])
    expect(names('é-GROß')).toEqual(['OpenRouter mistral/É-große', 'Ollama é-GROß typed'])
    expect(names('gpt sonnet')).toEqual([])
  })

  it('begin with those used before, the newest first, also where no list has them', () => {
    const recent = [
      { baseUrl: local.baseUrl, model: 'gone' },
      { baseUrl: router.baseUrl, model: 'openai/gpt-5.1' },
      { baseUrl: 'https://other/v1', model: 'elsewhere' },
    ]
    expect(names('', recent)).toEqual([
      'Ollama gone',
      'OpenRouter openai/gpt-5.1',
      'OpenRouter anthropic/claude-sonnet-4.5',
      'OpenRouter mistral/É-große',
      'Ollama qwen3:14b',
      'Ollama openai/gpt-5.1',
    ])
  })

  it('end with what was typed, unless the provider lists it', () => {
    expect(names('openai/gpt-5.1')).toEqual(['OpenRouter openai/gpt-5.1', 'Ollama openai/gpt-5.1'])
    expect(names('qwen3:14b', [], router)).toEqual([
      'Ollama qwen3:14b',
      'OpenRouter qwen3:14b typed',
    ])
    expect(findModels([], 'x', undefined).rows).toEqual([])
  })

  it('are drawn as far as 150, and the rest is counted', () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ id: `m${at}` }))
    const { rows, more } = findModels(indexModels([{ ...local, models: many }], []), '', local)
    expect([rows.length, more]).toEqual([150, 4850])
  })
})

describe('words about models', () => {
  it.each([
    [0, '$0'],
    [0.00001, 'less than $0.0001'],
    [0.0021, '$0.0021'],
    [0.0214, '$0.021'],
    [0.1, '$0.10'],
    [1.375, '$1.38'],
  ])('%d dollars are %s', (amount, words) => {
    expect(formatDollars(amount)).toBe(words)
  })

  it.each([
    [0, '0'],
    [999, '999'],
    [8192, '8.2k'],
    [284_100, '284k'],
    [999_960, '1M'],
    [2_100_000, '2.1M'],
  ])('%d in short is %s', (number, words) => {
    expect(formatShortCount(number)).toBe(words)
  })

  it('tell context and price, and nothing that is not known', () => {
    expect(modelLabels({ id: 'm' })).toEqual([])
    expect(modelLabels({ id: 'm', price: { input: 0, output: 0 } })).toEqual(['free'])
    expect(
      modelLabels({
        id: 'm',
        contextLength: 200_000,
        price: { input: 0.00000015, output: 0.0000006 },
      }),
    ).toEqual(['200k context', '$0.15 in, $0.60 out per 1M'])
  })

  it.each([
    [20_000, 'just now'],
    [60_000, '1 minute ago'],
    [3 * 3_600_000, '3 hours ago'],
    [47 * 3_600_000, '47 hours ago'],
    [48 * 3_600_000, '2 days ago'],
    [-5000, 'just now'],
  ])('%d ms of age are %s', (ms, words) => {
    expect(formatAge(0, ms)).toBe(words)
  })
})
