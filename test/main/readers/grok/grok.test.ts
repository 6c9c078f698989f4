import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { grokReader } from '../../../../src/main/readers/grok/grok'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'

const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const root = path.join(__dirname, '../../../fixtures/readers/grok/input')

it('finds the conversations inside of the document, deep in a zip, and nothing of its other lists', async () => {
  const { conversations, files } = await readRoot(grokReader, root, disk, signal)
  expect(conversations.map(({ key, title }) => [key, title])).toEqual([
    ['g3', 'Wax'],
    ['g1', 'Honey'],
    ['g2', 'Say hello'],
  ])
  expect(files.every(({ damaged }) => damaged.length === 0)).toBe(true)
})

it('has answers to one question as branches, and thoughts of the model and its agents before its words', async () => {
  const { conversations } = await readRoot(grokReader, root, disk, signal)
  const honey = conversations.find(({ key }) => key === 'g1')?.entries ?? []
  expect(honey.filter(({ parent }) => parent === 'm1').map(({ id }) => id)).toEqual(['m2', 'm3'])
  const first = honey.filter(({ id }) => /^m2(?:#|$)/.test(id))
  expect(first.map(({ entry_type: type, content }) => [type, content])).toEqual([
    ['reasoning', 'They ask about food.'],
    ['reasoning', 'I look at hives.'],
    ['message', 'Food of bees 🍯.'],
  ])
  // Times of messages are as MongoDB writes them, those of a conversation are not.
  expect(honey[0]?.timestamp).toBe(1789030800)
})
