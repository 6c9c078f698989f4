import { expect, it } from 'vitest'
import { openBackgroundNotices } from '../../../src/main/compose/background-notices'

function opened() {
  let now = 0
  let changes = 0
  const notices = openBackgroundNotices(
    () => ++now,
    () => changes++,
  )
  return { notices, changes: () => changes }
}

it('lists what failed, the newest first, and counts what is told again', () => {
  const { notices, changes } = opened()
  notices.add('garden: no title: the model did not answer')
  notices.add('search index: the disk is full\n    at build')
  notices.add('garden: no title: the model did not answer')
  notices.add('  \n')
  expect(notices.list()).toEqual([
    { id: 3, atMs: 3, words: 'garden: no title: the model did not answer', times: 2 },
    { id: 2, atMs: 2, words: 'search index: the disk is full', times: 1 },
  ])
  expect(changes()).toBe(3)
})

it('drops what was read, and keeps what came meanwhile', () => {
  const { notices } = opened()
  notices.add('one')
  const [read] = notices.list()
  notices.add('two')
  notices.dismiss(read?.id ?? 0)
  expect(notices.list().map(({ words }) => words)).toEqual(['two'])
})

it('keeps the last two hundred, each of a length that can be read', () => {
  const { notices } = opened()
  for (let n = 0; n < 300; n++) notices.add(`${n} ${'x'.repeat(5000)}`)
  expect([notices.list().length, notices.list()[0]?.words.length]).toEqual([200, 2000])
  expect(notices.list()[199]?.words.startsWith('100 ')).toBe(true)
})
