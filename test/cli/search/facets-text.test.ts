import { expect, it } from 'vitest'
import { printFacets } from '../../../src/cli/search/facets-text'
import type { FacetsResult } from '../../../src/shared/model/facet-counts'

async function saidOf(result: Partial<FacetsResult>) {
  const said: string[] = []
  const output = {
    write: async () => undefined,
    say: (words: string) => void said.push(words),
    isTerminal: false,
  }
  await printFacets(
    {
      args: { command: 'search', operands: [], flags: {}, json: false, roots: [] } as never,
      output,
    },
    { facets: [], total: 2, isCut: false, notices: [], elapsedMs: 1, ...result },
  )
  return said
}

it('says of counted facets what is true of them: the hits of the query, too many of them, and what could not be read', async () => {
  const limit =
    'Where there are more than 100,000 hits, only the first 100,000 or so are counted; narrow the query.'
  expect(await saidOf({})).toEqual(['2 hits. Every hit is counted.'])
  expect(await saidOf({ total: 1, isCut: true })).toEqual([`1 hit. ${limit}`])
  expect(await saidOf({ notices: ['a is gone'] })).toEqual([
    'a is gone',
    '2 hits. What could not be read is not counted.',
  ])
  expect(await saidOf({ notices: ['a is gone'], isCut: true })).toEqual([
    'a is gone',
    `2 hits. ${limit} What could not be read is not counted.`,
  ])
})
