import { describe, expect, it } from 'vitest'
import {
  configFaultOf,
  matchingValues,
  originNames,
  overridingOffer,
} from '../../../../src/renderer/settings/config/config-labels'
import {
  type ConfigFile,
  type ConfigOffer,
  type ConfigValue,
  SettingOrigin,
} from '../../../../src/shared/model/settings/settings'

const at = (where: string, origin: SettingOrigin): ConfigOffer => ({ origin, where, value: '1' })
const fuel = (more: Partial<ConfigValue>): ConfigValue => ({
  key: 'fuel',
  name: 'Fuel',
  words: 'Rounds of tools.',
  group: 'run',
  kind: 'number',
  offers: [],
  isOfContexts: true,
  ...more,
})

describe('a value that another place sets', () => {
  const inConfig = at('config.toml:1', 'config.toml')
  const inLocal = at('local.toml:1', 'local.toml')
  it.each<[string, ConfigFile, Partial<ConfigValue>, string | undefined]>([
    ['nothing', 'config.toml', {}, undefined],
    ['the default', 'config.toml', { used: at('default', 'default') }, undefined],
    ['the file itself', 'config.toml', { used: inConfig, inConfig }, undefined],
    [
      'a variable',
      'config.toml',
      { used: at('CHIBI_MODEL', 'chibi-environment'), inConfig },
      'CHIBI_MODEL',
    ],
    [
      'the model’s table',
      'config.toml',
      { used: at('models.toml:3', 'models.toml') },
      'models.toml:3',
    ],
    [
      'the model’s table in the file',
      'config.toml',
      { used: at('config.toml:9', 'config.toml'), inConfig },
      'config.toml:9',
    ],
    ['the home, for a context', 'local.toml', { used: inConfig, inConfig }, undefined],
    [
      'the model’s table, for a context',
      'local.toml',
      { used: at('models.toml:3', 'models.toml') },
      undefined,
    ],
    ['the context itself', 'local.toml', { used: inLocal, inLocal }, undefined],
    [
      'a variable, for a context',
      'local.toml',
      { used: at('CHIBI_MODEL', 'chibi-environment'), inLocal },
      'CHIBI_MODEL',
    ],
  ])('%s', (_name, file, value, where) => {
    expect(overridingOffer(fuel(value), file)?.where).toBe(where)
  })
})

it('every place has a name', () => {
  expect(Object.keys(originNames).sort()).toEqual([...SettingOrigin.options].sort())
})

it('a fault is the one of the file that is changed, else another of that key', () => {
  const home = { file: 'config.toml', line: 1, key: 'fuel', message: 'a' }
  const own = { file: 'contexts/garden/local.toml', line: 2, key: 'fuel', message: 'b' }
  const other = { file: 'config.toml', line: 3, key: 'model', message: 'c' }
  expect(configFaultOf([other, home, own], 'fuel', 'local.toml')).toBe(own)
  expect(configFaultOf([other, home, own], 'fuel', 'config.toml')).toBe(home)
  expect(configFaultOf([other, home], 'fuel', 'local.toml')).toBe(home)
  expect(configFaultOf([other], 'fuel', 'local.toml')).toBeUndefined()
})

it('a search takes all words, from name, key, words and group', () => {
  const values = [fuel({}), fuel({ key: 'api.seed', name: 'Seed', group: 'parameters' })]
  const keys = (query: string) =>
    matchingValues(values, ['run', 'parameters'], query).map(({ key }) => key)
  expect(keys('')).toEqual(['fuel', 'api.seed'])
  expect(keys('FUEL rounds')).toEqual(['fuel'])
  expect(keys('parameters api.s')).toEqual(['api.seed'])
  expect(keys('zebra')).toEqual([])
  expect(matchingValues(values, ['run'], '').map(({ key }) => key)).toEqual(['fuel'])
})
