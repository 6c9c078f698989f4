import { expect, it } from 'vitest'
import { memberWords } from '../../../src/renderer/conversations/member-words'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { summaryOf } from '../harness/memory-home'

const told = (words: string) => ({ words, entries: 1, created: null })

it('tells conversations of one title by their own words, and by what only their key has', () => {
  const keys = ['cycod:chat-history-17001', 'cycod:chat-history-17002', 'cycod:chat-history-27']
  const members = keys.map((key) => summaryOf('Find files', { key: LibraryKey.parse(key) }))
  const distinctions = new Map(
    ['In /home', ''].map((words, at) => [
      keys[at] ?? '',
      { key: LibraryKey.parse(keys[at]), ...told(words) },
    ]),
  )
  expect([...memberWords(members, distinctions).values()]).toEqual([
    { words: 'In /home', name: '…-17001' },
    { words: 'Find files', name: '…-17002' },
    { words: 'Find files', name: '…-27' },
  ])
})

it('names those that have a title of their own by it', () => {
  const members = ['garden', 'garden-2'].map((key) =>
    summaryOf(key, { key: LibraryKey.parse(key) }),
  )
  const distinctions = new Map([
    ['garden', { key: LibraryKey.parse('garden'), ...told('Tulips') }],
    ['garden-2', { key: LibraryKey.parse('garden-2'), ...told('garden-2') }],
  ])
  expect([...memberWords(members, distinctions).values()]).toEqual([
    { words: 'Tulips', name: 'garden' },
    { words: 'garden-2', name: '…n-2' },
  ])
})
