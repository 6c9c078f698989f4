import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  type HomeConfig,
  readContextConfig,
  readHomeConfig,
} from '../../../../src/main/settings/config/home-config'
import {
  lockHeartbeatSeconds,
  storagePolicy,
} from '../../../../src/main/settings/config/storage-policy'
import { parseToml, tomlLineOf } from '../../../../src/main/settings/toml/toml'

let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'skein-settings-'))
  await mkdir(path.join(home, 'contexts', 'garden'), { recursive: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

const config = async (text: string | Uint8Array): Promise<HomeConfig> => {
  await writeFile(path.join(home, 'config.toml'), text)
  return readHomeConfig(nodeDisk, home)
}
const local = async (text: string): Promise<HomeConfig> => {
  await writeFile(path.join(home, 'contexts', 'garden', 'local.toml'), text)
  return readContextConfig(nodeDisk, home, 'garden')
}

const empty = { plain: {}, api: {}, models: new Map() }

describe('config.toml', () => {
  it('gives its values with the lines they stand on, and ignores what it does not know', async () => {
    const { apiKey, faults, ...found } = await config(
      [
        '# mine',
        'model = "some/model"',
        '"base_url" = "https://example.org/v1"',
        '',
        'api_key = " sk-1 "',
        'username = "someone"',
        'fuel = 30',
        'lock_heartbeat_seconds = 10',
        '[storage]',
        'partition_max_entries = 10',
        'enable_bloom_filters = false',
        '[models."a.b".api]',
        'model = "not this one"',
      ].join('\n'),
    )
    expect([apiKey?.value.reveal(), apiKey?.line, faults]).toEqual(['sk-1', 5, []])
    expect(found).toEqual({
      shown: 'config.toml',
      model: { value: 'some/model', line: 2 },
      baseUrl: { value: 'https://example.org/v1', line: 3 },
      username: { value: 'someone', line: 6 },
      plain: {
        fuel: { value: 30, line: 7 },
        lock_heartbeat_seconds: { value: 10, line: 8 },
        'storage.partition_max_entries': { value: 10, line: 10 },
        'storage.enable_bloom_filters': { value: false, line: 11 },
      },
      api: {},
      models: new Map([['a.b', { api: {} }]]),
    })
  })

  it('is empty where it is missing, and an empty text counts as absent', async () => {
    const nothing = { ...empty, shown: 'config.toml', faults: [] }
    expect(await readHomeConfig(nodeDisk, home)).toEqual(nothing)
    expect(await config('model = ""\napi_key = " "')).toEqual(nothing)
    expect(await config('\uFEFFmodel = "m"')).toMatchObject({ model: { value: 'm', line: 1 } })
  })

  it('says on which line it is broken, uses nothing of it, and quotes nothing', async () => {
    const broken = await config('model = "m"\napi_key = sk-secret-1234\n')
    const fault = {
      file: 'config.toml',
      line: 2,
      message: 'Line 2 is not TOML (invalid value); config.toml is ignored.',
    }
    expect(broken).toEqual({
      shown: 'config.toml',
      broken: fault,
      ...empty,
      faults: [fault],
    })
  })

  it.each([
    ['not UTF-8', Uint8Array.of(0x6d, 0x3d, 0xff)],
    ['binary', Uint8Array.of(0, 1, 2, 3)],
    ['huge', new Uint8Array(2 * 1024 * 1024).fill(0x20)],
  ])('says so when it is %s', async (_name, bytes) => {
    expect(await config(bytes)).toMatchObject({ broken: { file: 'config.toml' }, faults: [{}] })
  })

  it('says so when it is a folder', async () => {
    await mkdir(path.join(home, 'config.toml'))
    expect((await readHomeConfig(nodeDisk, home)).broken?.message).toMatch(/is a folder/)
  })

  it('uses the default for a bad value, and says where it stands without quoting it', async () => {
    const found = await config(
      [
        'model = 5',
        'api_key = ["sk-secret"]',
        'lock_heartbeat_seconds = 0',
        'storage.partition_max_entries = 0',
        'storage.partition_max_age_seconds = 59',
        'storage.partition_max_tokens = 9223372036854775807',
        'storage.bytes_per_token = 2.5',
        'storage.enable_bloom_filters = "yes"',
      ].join('\n'),
    )
    expect(found.faults.map(({ line, key, message }) => [line, key, message])).toEqual([
      [1, 'model', 'model must be text; it is not used.'],
      [2, 'api_key', 'api_key must be text; it is not used.'],
      [
        3,
        'lock_heartbeat_seconds',
        'lock_heartbeat_seconds must be a whole number of at least 1; it is not used.',
      ],
      [
        4,
        'storage.partition_max_entries',
        'storage.partition_max_entries must be a whole number of at least 1; it is not used.',
      ],
      [
        5,
        'storage.partition_max_age_seconds',
        'storage.partition_max_age_seconds must be a whole number of at least 60; it is not used.',
      ],
      [
        6,
        'storage.partition_max_tokens',
        'storage.partition_max_tokens must be a whole number of at least 1; it is not used.',
      ],
      [
        7,
        'storage.bytes_per_token',
        'storage.bytes_per_token must be a whole number of at least 1; it is not used.',
      ],
      [
        8,
        'storage.enable_bloom_filters',
        'storage.enable_bloom_filters must be true or false; it is not used.',
      ],
    ])
    expect([storagePolicy({ config: found }), lockHeartbeatSeconds(found)]).toEqual([
      {
        maxEntries: 1000,
        maxAgeSeconds: 2_592_000,
        maxTokens: 100_000,
        bytesPerToken: 3,
        bloomFilters: true,
      },
      30,
    ])
  })
})

describe('local.toml', () => {
  it('stands over config.toml, value by value', async () => {
    const global = await config(
      '[storage]\npartition_max_entries = 10\nbytes_per_token = 4\nenable_bloom_filters = false',
    )
    const own = await local('[storage]\npartition_max_entries = 20\nenable_bloom_filters = true')
    expect(storagePolicy({ config: global, local: own })).toEqual({
      maxEntries: 20,
      maxAgeSeconds: 2_592_000,
      maxTokens: 100_000,
      bytesPerToken: 4,
      bloomFilters: true,
    })
  })

  it('has no say in how often a lock is renewed, and is named with its context', async () => {
    expect((await local('lock_heartbeat_seconds = 5')).plain).toEqual({})
    expect((await local('model = 5')).faults[0]?.file).toBe('contexts/garden/local.toml')
  })
})

describe('the line of a key', () => {
  it.each([
    ['skips texts over several lines', 'a = """\nmodel = 1\n"""\nmodel = 2', ['model'], 4],
    ['skips tables', '[x]\nmodel = 1\n[[y]]\nmodel = 1', ['model'], undefined],
    ['finds a key in its table', 'b = 1\n[ storage ] # mine\nb = 2', ['storage', 'b'], 3],
    ['finds a dotted key', 'storage . b = 2', ['storage', 'b'], 1],
    ['finds a key in an inline table', '\napi = { a = 1, seed = 2 }', ['api', 'seed'], 2],
    ['finds a quoted key', '[models."x.y".api]\nseed = 2', ['models', 'x.y', 'api', 'seed'], 2],
    ['finds what follows a list', 'a = [ # x\n"]", # ]\n]\nb = 2', ['b'], 4],
    ['knows CRLF', 'a = 1\r\n[t]\r\nb = 2\r\n', ['t', 'b'], 3],
    ['takes a table of an array for no table', '[[storage]]\nb = 2', ['storage', 'b'], undefined],
  ])('%s', (_name, text, key, line) => {
    expect(tomlLineOf(parseToml(text, 'config.toml'), key)).toBe(line)
  })
})
