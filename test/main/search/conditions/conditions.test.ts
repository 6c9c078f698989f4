import { expect, it } from 'vitest'
import { conditionsOf } from '../../../../src/main/search/conditions/conditions'
import { parseQuery } from '../../../../src/shared/model/query/parse-query'

it('takes a query of any number of alternatives beside a word', () => {
  const words = Array.from({ length: 200_000 }, (_, at) => `a${at}`)
  const { root } = conditionsOf(parseQuery(`(${words.join(' OR ')}) b`), [])
  expect(root).toMatchObject({ type: 'all' })
})

it('has what costs least decided first', () => {
  const { root } = conditionsOf(parseQuery('(/pl[u]m/ OR pear) fig role:user'), [])
  expect(root).toMatchObject({
    type: 'all',
    of: [{ type: 'field' }, { type: 'word', folded: 'fig' }, { type: 'any' }],
  })
})
