import path from 'node:path'
import { expect, it } from 'vitest'
import { geminiAppsReader } from '../../../../src/main/readers/gemini-apps/gemini-apps'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const activity = (title: string, time: string, more: object = {}) => ({
  header: 'Gemini Apps',
  title,
  time,
  products: ['Gemini Apps'],
  ...more,
})

function read(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/takeout', name), Buffer.from(text))
  return readRoot(geminiAppsReader, '/takeout', historyDisk(disk), signal)
}

const day = '2026-09-10T'

it('takes what follows each other without a long pause for one conversation, the oldest first', async () => {
  const { conversations } = await read({
    'MyActivity.json': JSON.stringify([
      activity('Prompted d', `${day}12:00:00Z`),
      activity('Prompted c', `${day}09:50:00Z`),
      activity('Prompted b', `${day}09:25:00Z`),
      activity('Prompted a', `${day}09:00:00Z`),
    ]),
  })
  expect(
    conversations.map(({ key, entries }) => [key, entries.map(({ content }) => content)]),
  ).toEqual([
    [`${day}12:00:00Z`, ['d']],
    [`${day}09:00:00Z`, ['a', 'b', 'c']],
  ])
})

it('counts a conversation that went on between two exports once, with all of it', async () => {
  const [a, b] = [
    activity('Prompted a', `${day}09:00:00Z`),
    activity('Prompted b', `${day}09:10:00Z`),
  ]
  const { conversations } = await read({
    'MyActivity.json': JSON.stringify([b, a]),
    'MyActivity(1).json': JSON.stringify([a]),
  })
  expect(conversations.map(({ entries }) => entries.length)).toEqual([2])
})

it('passes what other products wrote between', async () => {
  const { conversations } = await read({
    'MyActivity.json': JSON.stringify([
      activity('Prompted b', `${day}09:10:00Z`),
      { ...activity('Searched for bees', `${day}09:05:00Z`), header: 'Search' },
      activity('Prompted a', `${day}09:00:00Z`),
    ]),
  })
  expect(conversations.map(({ entries }) => entries.map(({ content }) => content))).toEqual([
    ['a', 'b'],
  ])
})

it('lists nothing of other products, and nothing where nobody said a word', async () => {
  const { conversations } = await read({
    'MyActivity.json': JSON.stringify([
      activity('Used Gemini Apps', `${day}09:00:00Z`),
      { ...activity('Searched for bees', `${day}08:00:00Z`), header: 'Search' },
    ]),
  })
  expect(conversations).toEqual([])
})

it('shows the title of an activity that is no text, and one that is nested too deeply as damage', async () => {
  const { conversations, files } = await read({
    'MyActivity.json': JSON.stringify([
      { ...activity('', `${day}09:10:00Z`), title: ['Prompted b'] },
      activity('<deep>', `${day}09:05:00Z`),
      activity('Prompted a', `${day}09:00:00Z`),
    ]).replace('"<deep>"', '['.repeat(6000) + ']'.repeat(6000)),
  })
  expect(conversations.flatMap(({ entries }) => entries.map(({ content }) => content))).toEqual([
    'a',
    '["Prompted b"]',
  ])
  expect(files.flatMap(({ damaged }) => damaged.map(({ reason }) => reason))).toEqual([
    'nested more than 500 levels deep',
  ])
})
