import path from 'node:path'
import { expect, it } from 'vitest'
import { countFlag, parseArguments, UsageError } from '../../../src/cli/command/arguments'
import { SourceId } from '../../../src/shared/model/conversation/sources'

const known = { list: [], show: ['last', 'first'], ask: ['context', 'model', 'practice'] }
const defaults = [{ source: 'chibi' as const, path: '/somebody/.chibi', writable: true }]
const parse = (...argv: string[]) => parseArguments(argv, defaults, known)

it('reads the usual home where none is named', () => {
  expect(parse('list')).toEqual({
    command: 'list',
    operands: [],
    roots: defaults,
    rootsGiven: false,
    cache: undefined,
    json: false,
    flags: {},
  })
})

it('reads only what is named, homes to write to and roots to read', () => {
  expect(parse('list', '--root', 'chibi=/a=b', '--home', '/mine', '--json')).toMatchObject({
    roots: [
      { source: 'chibi', path: path.resolve('/mine'), writable: true },
      { source: 'chibi', path: path.resolve('/a=b'), writable: false },
    ],
    rootsGiven: true,
    json: true,
  })
})

it.each([
  [['nonsense'], 'There is no command "nonsense".'],
  [['list', '--last', '3'], '"skein list" does not take --last.'],
  [['list', '--root', 'chibi'], '--root needs SOURCE=PATH, not "chibi".'],
  [['list', '--root', 'chibi='], '--root needs SOURCE=PATH, not "chibi=".'],
  [
    ['list', '--root', 'nobody=/a'],
    `"nobody" is not a source; known: ${SourceId.options.join(', ')}.`,
  ],
  [['list', '--home', ''], '--home needs a folder.'],
  [['list', '--cache='], '--cache needs a folder.'],
])('refuses %j in words', (argv, words) => {
  expect(() => parse(...argv)).toThrow(new UsageError(words))
})

it('refuses an option that it does not know', () => {
  expect(() => parse('list', '--colour')).toThrow(UsageError)
})

it.each(['-1', '1.5', 'ten', ''])('refuses %j as a count', (count) => {
  expect(() => countFlag(parse('show', 'key', `--last=${count}`), 'last')).toThrow(UsageError)
})

it('asks for help before anything else', () => {
  expect(parse('nonsense', '--help').command).toBe('help')
  expect(parse().command).toBe('help')
  expect(parse('--version').command).toBe('version')
})

it('gives an option that may stand alone an empty value, and leaves the word after it what it is', () => {
  const takes = { list: ['messages', 'branches', 'tools', 'last'], show: ['tools'] }
  const read = (...argv: string[]) => parseArguments(argv, [], takes)
  expect(read('list', '--messages', '--json')).toMatchObject({
    flags: { messages: '' },
    json: true,
  })
  expect(read('list', '--messages', '5').flags).toMatchObject({ messages: '5' })
  expect(read('list', '--messages', 'all', '--branches').flags).toMatchObject({
    messages: 'all',
    branches: '',
  })
  expect(read('show', '--tools', 'chat-7')).toMatchObject({
    operands: ['chat-7'],
    flags: { tools: '' },
  })
  expect(read('show', '--', '--tools').operands).toEqual(['--tools'])
  expect(read('list', '-n', '7d').flags).toMatchObject({ last: '7d' })
})
