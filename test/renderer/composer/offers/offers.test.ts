import { FileText } from 'lucide-react'
import { expect, it } from 'vitest'
import {
  findOffers,
  isWholeName,
  namedOffer,
  type Offer,
} from '../../../../src/renderer/composer/offers/offers'

const offer = (typed: string, about: string): Offer => ({
  id: typed,
  typed,
  about,
  icon: FileText,
  take: () => undefined,
})
const groups = [
  { name: 'Saved prompts', offers: [offer('/review', 'Read the diff'), offer('/plan', 'A plan')] },
  {
    name: 'Commands',
    offers: [offer('/export', 'Export…'), offer('/code-review', 'Look at code')],
  },
]
const found = (query: string) =>
  findOffers(groups, query).map(({ name, offers }) => [name, ...offers.map(({ typed }) => typed)])

it('without a query everything is offered', () => {
  expect(found('')).toEqual([
    ['Saved prompts', '/review', '/plan'],
    ['Commands', '/export', '/code-review'],
  ])
})

it('names that begin with the query come, then those with a word that does; words about it from three letters on', () => {
  expect(found('REV')).toEqual([
    ['Saved prompts', '/review'],
    ['Commands', '/code-review'],
  ])
  expect(found('di')).toEqual([])
  expect(found('dif')).toEqual([['Saved prompts', '/review']])
})

it('a path, an unknown word or a part from within a word offers nothing', () => {
  for (const query of ['etc/hosts', 'usr', 'view', 'xport']) expect(found(query)).toEqual([])
})

it('a query names the offer of just this name, else the first that begins with it, and none by other words', () => {
  const offers = [offer('/export-notes', 'Home'), offer('/export', 'Export…'), offer('/plan', 'x')]
  expect(
    ['EXPORT', 'exp', 'pl', 'home', 'notes'].map((query) => namedOffer(offers, query)),
  ).toEqual([1, 0, 2, -1, -1])
})

it('what takes the conversation away comes behind all others that begin so, and is named by its whole name', () => {
  const away = { ...offer('/archive', 'Archive'), complete: () => undefined }
  const offers = [away, offer('/arrange', 'x'), { ...away, typed: '/hide' }]
  expect(['ar', 'arc', 'archive', 'h'].map((query) => namedOffer(offers, query))).toEqual([
    1, 0, 0, 2,
  ])
  expect(['ar', 'ARCHIVE', 'archives'].map((query) => isWholeName(away, query))).toEqual([
    false,
    true,
    false,
  ])
})
