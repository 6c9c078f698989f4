import path from 'node:path'
import { expect, it } from 'vitest'
import { startOptions } from '../../../src/main/app/start-options'

const at = path.resolve('/somewhere')
const nothing = {
  home: undefined,
  isHomeGiven: false,
  roots: [],
  cache: undefined,
  sample: false,
}

it.each([
  [['--no-sandbox', '/app', '--home', 'mine'], {}, { home: path.join(at, 'mine') }],
  [['/app', '--home=/mine', '--sample'], {}, { home: path.resolve('/mine'), sample: true }],
  [['/app', '--home', '/mine'], { CHIBI_HOME: '/kept' }, { home: path.resolve('/mine') }],
])('reads %j with %j', (argv, environment, expected) => {
  const named = { ...nothing, isHomeGiven: true, ...expected }
  expect(startOptions(argv, environment, at)).toEqual(named)
})

it.each([
  [['/app'], { CHIBI_HOME: '/kept' }, { home: path.resolve('/kept') }],
  [['/app'], { CHIBI_HOME: '' }, {}],
  [['/app', '--home'], {}, {}],
  [['/app', '--home='], {}, {}],
  [
    ['/app', '--root', 'cycod=/a b', '--no-sandbox', '--root=cycod=c'],
    {},
    { roots: ['cycod=/a b', 'cycod=c'] },
  ],
  // Behind two dashes are files, whatever they are called; two dashes can be a value.
  [['/app', '--', '--home=h', '--home', 'h', '--cache=c', '--root=cycod=c', '--sample'], {}, {}],
  [['/app', '--cache', '--', '--sample'], {}, { cache: path.join(at, '--'), sample: true }],
  [['/app', '--cache', 'kept'], {}, { cache: path.join(at, 'kept') }],
])('takes no home for named in %j with %j', (argv, environment, expected) => {
  expect(startOptions(argv, environment, at)).toEqual({ ...nothing, ...expected })
})
