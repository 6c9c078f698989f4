import { expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { fileFold, foldsAround } from '../../../../src/renderer/transcript/items/folds'
import type { ListItem } from '../../../../src/renderer/transcript/items/use-items'
import { framedMessage } from '../../harness/framed-message'
import { rowsOf, said } from '../../harness/rows'

it('the fold of a text file opens for words that are in it, and for no others', () => {
  const files = [
    { name: 'a.txt', bytes: Buffer.from('rain on Monday') },
    { name: 'b.txt', bytes: Buffer.from('sun') },
  ]
  const { content, metadata } = framedMessage('Look.', files)
  const items = buildItems(rowsOf([said(content, { metadata })]), {
    hasBefore: false,
    shownAs: new Map(),
    pageStarts: [],
  })
  const item = items.find(({ type }) => type === 'user') as ListItem
  const folds = (words: string) =>
    foldsAround(item, { file: '', offset: 0 }, (text) => text.includes(words))
  expect([folds('Monday'), folds('Look'), folds('sun')]).toEqual([
    [fileFold(item.key, 1)],
    [],
    [fileFold(item.key, 2)],
  ])
})
