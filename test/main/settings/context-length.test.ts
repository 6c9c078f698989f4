import { expect, it } from 'vitest'
import { knownContextLength } from '../../../src/main/settings/context-length'
import { AppError } from '../../../src/shared/model/basics/errors'
import type { ListedModels } from '../../../src/shared/model/settings/model-info'

const at = (model: string, baseUrl = 'http://127.0.0.1:9/v1') => {
  const value = (text: string) => ({ value: text, origin: 'default', where: 'test' }) as const
  return { model: value(model), baseUrl: value(baseUrl) }
}
const desk = {
  async list(baseUrl: string, freshness: string): Promise<ListedModels> {
    // A run must not wait for a list.
    expect(freshness).toBe('kept')
    if (baseUrl !== 'http://127.0.0.1:9/v1') throw new AppError('bad-argument', 'Not known.')
    const models = [
      { id: 'a', contextLength: 8192 },
      { id: 'b' },
      { id: 'c', alias: 'c-1', contextLength: 99 },
    ]
    return { baseUrl, models, fetchedAt: null }
  },
}

it.each<[string, number | undefined]>([
  ['a', 8192],
  ['b', undefined],
  ['c-1', 99],
  ['d', undefined],
])('tells the length of %s as the list has it', async (model, length) => {
  expect(await knownContextLength(desk, at(model))).toBe(length)
})

it('knows nothing of an address that no list is kept of', async () => {
  expect(await knownContextLength(desk, at('a', 'http://127.0.0.1:8/v1'))).toBeUndefined()
})
