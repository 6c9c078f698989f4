import path from 'node:path'
import { expect, it } from 'vitest'
import { startOptions } from '../../../src/main/app/start-options'

const at = path.resolve('/somewhere')

it.each([
  [['--no-sandbox', '/app', '--home', 'mine'], {}, { home: path.join(at, 'mine'), sample: false }],
  [['/app', '--home=/mine', '--sample'], {}, { home: path.resolve('/mine'), sample: true }],
  [['/app'], { CHIBI_HOME: '/kept' }, { home: path.resolve('/kept'), sample: false }],
  [
    ['/app', '--home', '/mine'],
    { CHIBI_HOME: '/kept' },
    { home: path.resolve('/mine'), sample: false },
  ],
  [['/app'], { CHIBI_HOME: '' }, { home: undefined, sample: false }],
  [['/app', '--home'], {}, { home: undefined, sample: false }],
])('reads %j with %j', (argv, environment, expected) => {
  expect(startOptions(argv, environment, at)).toEqual(expected)
})
