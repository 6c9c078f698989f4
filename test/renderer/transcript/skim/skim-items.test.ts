import { expect, it } from 'vitest'
import type { ListItem } from '../../../../src/renderer/transcript/items/use-items'
import { skimItems } from '../../../../src/renderer/transcript/skim/skim-items'

/** Items of a type and a key each, such as `user one`; without what skimming does not read. */
function itemsOf(...names: readonly string[]): readonly ListItem[] {
  return names.map((name) => {
    const [type, key] = name.split(' ')
    const injected = key?.startsWith('injected') === true
    const entry = { entry_type: 'message', role: 'user', metadata: { injected } }
    return { type, key, isHead: false, entry } as unknown as ListItem
  })
}

const keys = (items: readonly ListItem[]) => items.map(({ key }) => key)

it('leaves prompts and the last answer to each, and counts what it hides', () => {
  const items = itemsOf(
    'day d1',
    'user one',
    'agent first',
    'tool t1',
    'tool t2',
    'agent last',
    'user two',
    'reasoning r',
    'agent only',
    'damaged b',
    'other o',
  )
  const { items: shown, hidden } = skimItems(items, () => false)
  expect(keys(shown)).toEqual(['d1', 'one', 'last', 'two', 'only'])
  expect([...hidden].sort()).toEqual([
    ['answer', 1],
    ['damaged', 1],
    ['other', 1],
    ['reasoning', 1],
    ['tool', 2],
  ])
  expect(shown.length + [...hidden.values()].reduce((sum, count) => sum + count, 0)).toBe(
    items.length,
  )
})

it('takes what a tool put into a person’s mouth for no prompt', () => {
  const items = itemsOf('user one', 'agent a', 'tool t', 'user injected', 'agent last')
  const { items: shown, hidden } = skimItems(items, () => false)
  expect(keys(shown)).toEqual(['one', 'last'])
  expect(hidden.get('other')).toBe(1)
})

it('takes a failure, and an answer that is being written, for the last answer', () => {
  const failed = itemsOf(
    'user one',
    'agent a',
    'tool t',
    'error e',
    'user two',
    'agent b',
    'live l',
  )
  expect(keys(skimItems(failed, () => false).items)).toEqual(['one', 'e', 'two', 'l'])
})

it('keeps borders, documents and what a reader went to, and a day with something in it alone', () => {
  const items = itemsOf('day d1', 'tool t1', 'tool t2', 'day d2', 'seam s', 'document x', 'tool t3')
  const { items: shown } = skimItems(items, ({ key }) => key === 't3')
  expect(keys(shown)).toEqual(['d2', 's', 'x', 't3'])
})

it('names the speaker of an answer whose first part is hidden, by the same item each time', () => {
  const items = itemsOf('user one', 'tool t', 'agent a')
  const [first, second] = [skimItems(items, () => false), skimItems(items, () => false)]
  expect(first.items[1]).toMatchObject({ key: 'a', isHead: true })
  expect(first.items[1]).toBe(second.items[1])
})
