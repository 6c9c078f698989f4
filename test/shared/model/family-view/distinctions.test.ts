import { expect, it } from 'vitest'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { distinctionsOf } from '../../../../src/shared/model/family-view/distinctions'
import { conversation, lines, message } from '../../../support/outlined'

const told = (...all: Parameters<typeof outlineOf>[0][]) =>
  distinctionsOf(all.map(outlineOf)).map(({ key, words, entries }) => [key, words, entries])

const begin = [message('user', 'find large files'), message('agent', 'Which folder?')]

it('tells each conversation by its first own words of a person, and by how much is its own', () => {
  const one = [...begin, message('user', 'In /home'), message('agent', 'Done.')]
  const two = [...begin, message('agent', 'Or /var?'), message('user', 'In /var')]
  const three = [...two, message('user', 'Now delete them')]
  expect(
    told(
      conversation('1', lines(one)),
      conversation('2', lines(two)),
      conversation('3', lines(three)),
    ),
  ).toEqual([
    ['cycod:1', 'In /home', 2],
    // All of it is in the third one too: the words by which it left the first one.
    ['cycod:2', 'In /var', 0],
    ['cycod:3', 'Now delete them', 1],
  ])
})

it('has the words of a model where no person spoke, and none where nothing is left', () => {
  const answered = [...begin, message('agent', 'I looked everywhere.')]
  expect(
    told(
      conversation('1', lines(begin)),
      conversation('2', lines(answered)),
      conversation('3', lines(begin)),
    ),
  ).toEqual([
    ['cycod:1', 'find large files', 0],
    ['cycod:2', 'I looked everywhere.', 1],
    ['cycod:3', '', 0],
  ])
})

it('has the time at which its own messages begin, else its own', () => {
  const at = (entry: ReturnType<typeof message>, timestamp: number) => ({ ...entry, timestamp })
  const both = begin.map((entry) => at(entry, 1_735_689_600))
  const times = distinctionsOf(
    [
      conversation('1', lines([...both, at(message('user', 'In /home'), 1_735_689_700.179)]), {
        created: '2025-01-01T00:00:00.000Z',
      }),
      conversation('2', lines([...both, message('user', 'In /var')]), {
        created: '2025-01-02T00:00:00.000Z',
      }),
    ].map(outlineOf),
  ).map(({ created }) => created)
  expect(times).toEqual(['2025-01-01T00:01:40.179Z', '2025-01-02T00:00:00.000Z'])
})
