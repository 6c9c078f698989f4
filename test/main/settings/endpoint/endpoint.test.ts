import { describe, expect, it } from 'vitest'
import { webOrigin } from '../../../../src/main/settings/base/base-url'
import { parseHomeConfig } from '../../../../src/main/settings/config/home-config'
import type { RunOptions } from '../../../../src/main/settings/endpoint/candidates'
import { type Endpoint, resolveEndpoint } from '../../../../src/main/settings/endpoint/endpoint'
import { parseToml } from '../../../../src/main/settings/toml/toml'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { defaultPreferences } from '../../../../src/shared/model/settings/settings'

interface Given {
  readonly run?: RunOptions
  readonly env?: Record<string, string>
  readonly local?: string
  readonly config?: string
  readonly settings?: { readonly model?: string; readonly baseUrl?: string }
  /** By base URL. */
  readonly keychain?: Record<string, string>
  readonly practice?: 'chosen' | 'running'
}

function choose(given: Given): Promise<Endpoint> {
  const keychain = Object.entries(given.keychain ?? {})
  return resolveEndpoint({
    run: given.run,
    environment: given.env ?? {},
    local:
      given.local === undefined
        ? undefined
        : parseHomeConfig(parseToml(given.local, 'contexts/x/local.toml'), 'local.toml'),
    config: parseHomeConfig(parseToml(given.config ?? '', 'config.toml'), 'config.toml'),
    stored: {
      preferences: defaultPreferences,
      provider: given.practice === undefined ? 'endpoint' : 'practice',
      ...given.settings,
    },
    vault: {
      get: async (baseUrl) => keychain.find(([url]) => webOrigin(url) === webOrigin(baseUrl))?.[1],
    },
    practiceBaseUrl: given.practice === 'running' ? 'http://127.0.0.1:5/v1' : undefined,
  })
}

const openRouter = 'https://openrouter.ai/api/v1'
const openAi = 'https://api.openai.com/v1'

describe('where model, base URL and key come from', () => {
  const everything: Required<Omit<Given, 'practice'>> = {
    run: { model: 'of-run', baseUrl: 'https://run.example/v1', apiKey: 'key-of-run' },
    env: {
      CHIBI_MODEL: 'of-chibi',
      CHIBI_BASE_URL: 'https://chibi.example/v1',
      CHIBI_API_KEY: 'key-of-chibi',
      OPENROUTER_MODEL: 'of-openrouter',
      OPENROUTER_BASE_URL: 'https://proxy.example/v1',
      OPENROUTER_API_KEY: 'key-of-openrouter',
      OPENAI_MODEL: 'of-openai',
      OPENAI_API_KEY: 'key-of-openai',
    },
    local: '\nmodel = "of-local"\nbase_url = "https://local.example/v1"\napi_key = "key-of-local"',
    config:
      'model = "of-config"\nbase_url = "https://config.example/v1"\napi_key = "key-of-config"',
    settings: { model: 'of-settings', baseUrl: 'https://settings.example/v1' },
    keychain: { 'https://settings.example/v1': 'key-of-settings' },
  }
  const without = (...names: readonly string[]): Given => {
    const env = Object.entries(everything.env).filter(
      ([name]) => !names.some((prefix) => name.startsWith(prefix)),
    )
    const rest = Object.entries(everything).filter(([name]) => !names.includes(name))
    return { ...Object.fromEntries(rest), env: Object.fromEntries(env) }
  }

  it.each([
    [[], 'of-run', 'run option', 'https://run.example/v1', 'key-of-run', 'run-option'],
    [
      ['run'],
      'of-chibi',
      'CHIBI_MODEL',
      'https://chibi.example/v1',
      'key-of-chibi',
      'chibi-environment',
    ],
    [
      ['run', 'CHIBI'],
      'of-local',
      'local.toml:2',
      'https://local.example/v1',
      'key-of-local',
      'local.toml',
    ],
    [
      ['run', 'CHIBI', 'local'],
      'of-config',
      'config.toml:1',
      'https://config.example/v1',
      'key-of-config',
      'config.toml',
    ],
    [
      ['run', 'CHIBI', 'local', 'config'],
      'of-settings',
      'Settings',
      'https://settings.example/v1',
      'key-of-settings',
      'settings',
    ],
    [
      ['run', 'CHIBI', 'local', 'config', 'settings', 'keychain'],
      'of-openrouter',
      'OPENROUTER_MODEL',
      'https://proxy.example/v1',
      'key-of-openrouter',
      'environment',
    ],
    [
      ['run', 'CHIBI', 'local', 'config', 'settings', 'keychain', 'OPENROUTER'],
      'of-openai',
      'OPENAI_MODEL',
      openAi,
      'key-of-openai',
      'environment',
    ],
    [
      ['run', 'CHIBI', 'local', 'config', 'settings', 'keychain', 'OPENROUTER', 'OPENAI'],
      'openrouter/auto',
      'default',
      openRouter,
      undefined,
      undefined,
    ],
  ])('without %j: %s from %s', async (left, model, where, baseUrl, key, origin) => {
    const chosen = await choose(without(...left))
    expect(chosen.model).toMatchObject({ value: model, where })
    expect(chosen.baseUrl.value).toBe(baseUrl)
    expect([chosen.apiKey?.value.reveal(), chosen.apiKey?.origin]).toEqual([key, origin])
    expect(chosen.notReady === undefined).toBe(key !== undefined)
  })
})

describe('which address gets which key', () => {
  const remote = 'https://other.example/v1'
  const base = (url: string) => `base_url = "${url}"`
  it.each<[string, Given, string, string | undefined]>([
    // A group of variables belongs to its provider.
    ['OPENAI_API_KEY alone', { env: { OPENAI_API_KEY: 'a' } }, openAi, 'a'],
    ['OPENROUTER_API_KEY alone', { env: { OPENROUTER_API_KEY: 'r' } }, openRouter, 'r'],
    ['both', { env: { OPENAI_API_KEY: 'a', OPENROUTER_API_KEY: 'r' } }, openRouter, 'r'],
    [
      'OPENAI_API_KEY with its base URL',
      { env: { OPENAI_API_KEY: 'a', OPENAI_BASE_URL: remote } },
      remote,
      'a',
    ],
    [
      'OPENAI_BASE_URL and the other key',
      { env: { OPENAI_BASE_URL: remote, OPENROUTER_API_KEY: 'r' } },
      openRouter,
      'r',
    ],
    ['OPENAI_BASE_URL alone', { env: { OPENAI_BASE_URL: remote } }, remote, undefined],
    // A base URL from elsewhere gets the key that belongs to it, and no other.
    [
      'config.toml names OpenAI',
      { config: base(openAi), env: { OPENAI_API_KEY: 'a', OPENROUTER_API_KEY: 'r' } },
      openAi,
      'a',
    ],
    [
      'config.toml names another',
      { config: base(remote), env: { OPENAI_API_KEY: 'a', OPENROUTER_API_KEY: 'r' } },
      remote,
      undefined,
    ],
    [
      'Settings name another',
      { settings: { baseUrl: remote }, env: { OPENAI_API_KEY: 'a' } },
      remote,
      undefined,
    ],
    [
      'Settings name OpenAI',
      { settings: { baseUrl: openAi }, env: { OPENAI_API_KEY: 'a' } },
      openAi,
      'a',
    ],
    [
      'a variable names another than the file',
      { env: { CHIBI_BASE_URL: remote }, config: 'api_key = "c"' },
      remote,
      undefined,
    ],
    [
      "local.toml names another, the key is config.toml's",
      { local: base(remote), config: 'api_key = "c"' },
      remote,
      undefined,
    ],
    [
      "config.toml's key, Settings name another",
      { config: 'api_key = "c"', settings: { baseUrl: remote } },
      remote,
      undefined,
    ],
    [
      'another port is another address',
      {
        config: base('http://localhost:1/v1'),
        env: { CHIBI_BASE_URL: 'http://localhost:2/v1' },
        settings: {},
        keychain: { 'http://localhost:1/v1': 'k' },
      },
      'http://localhost:2/v1',
      undefined,
    ],
    // A key without an address beside it belongs to the next of chibi's places below.
    [
      'CHIBI_API_KEY and config.toml',
      { env: { CHIBI_API_KEY: 'h' }, config: base(remote) },
      remote,
      'h',
    ],
    [
      "local.toml's key and config.toml's address",
      { local: 'api_key = "l"', config: base(remote) },
      remote,
      'l',
    ],
    [
      "chibi's key without any address",
      { config: 'api_key = "c"', env: { OPENAI_API_KEY: 'a' } },
      openRouter,
      'c',
    ],
    [
      'the same provider, another path',
      {
        config: `api_key = "c"\n${base(openRouter)}`,
        env: { CHIBI_BASE_URL: 'https://openrouter.ai/other' },
      },
      'https://openrouter.ai/other',
      'c',
    ],
    // A key that does not fit is passed over, and the next is tried.
    [
      'the first key belongs elsewhere',
      {
        config: `api_key = "c"\n${base(openRouter)}`,
        env: { CHIBI_BASE_URL: openAi, OPENAI_API_KEY: 'a' },
      },
      openAi,
      'a',
    ],
    // The keychain knows the address of each key.
    [
      'the keychain before variables',
      { keychain: { [openRouter]: 'k' }, env: { OPENAI_API_KEY: 'a' } },
      openRouter,
      'k',
    ],
    [
      'a kept key of another address',
      { keychain: { [openAi]: 'k' }, settings: { baseUrl: remote } },
      remote,
      undefined,
    ],
    [
      'a kept key where a file names its address',
      { keychain: { [remote]: 'k' }, config: base(remote) },
      remote,
      'k',
    ],
    // What is no address gets nothing.
    [
      'a base URL that is none',
      { config: 'base_url = "other.example"\napi_key = "c"' },
      'other.example',
      undefined,
    ],
    [
      'blank variables',
      { env: { CHIBI_API_KEY: ' ', OPENROUTER_API_KEY: '', OPENAI_API_KEY: 'a' } },
      openAi,
      'a',
    ],
  ])('%s', async (_name, given, baseUrl, key) => {
    const chosen = await choose(given)
    expect([chosen.baseUrl.value, chosen.apiKey?.value.reveal()]).toEqual([baseUrl, key])
  })

  it('says whose key it has when it has none for the address', async () => {
    const { notReady } = await choose({
      config: base(remote),
      env: { OPENAI_API_KEY: 'a' },
    })
    expect(notReady).toEqual({
      code: 'no-key',
      message:
        'There is no key for https://other.example. The key from OPENAI_API_KEY belongs to https://api.openai.com and is not sent there.',
    })
  })

  it('says when a key would be readable on its way', async () => {
    const { faults, apiKey } = await choose({
      config: 'api_key = "c"\nbase_url = "http://other.example/v1"',
    })
    expect(apiKey).toBeDefined()
    expect(faults).toEqual([
      {
        file: 'config.toml:2',
        key: 'base_url',
        message:
          'The key goes to http://other.example/v1 unencrypted; https:// would keep it private.',
      },
    ])
  })

  it('keeps a key out of everything that prints or stores the choice', async () => {
    const chosen = await choose({ env: { OPENAI_API_KEY: 'sk-secret' } })
    expect(JSON.stringify(chosen)).not.toContain('sk-secret')
  })
})

describe('whether a message can be answered', () => {
  const why = async (given: Given) => (await choose(given)).notReady?.message

  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234/v1',
    'http://[::1]:8080/v1',
    'http://192.168.1.5:11434/v1',
    'http://box.local/v1',
    'http://box:8000/v1',
  ])('needs no key for %s', async (baseUrl) => {
    expect(await why({ settings: { baseUrl, model: 'm' } })).toBeUndefined()
  })

  it('needs a key elsewhere, and a model everywhere but at OpenRouter', async () => {
    expect(await why({})).toBe('There is no key for https://openrouter.ai.')
    expect(await why({ env: { OPENAI_API_KEY: 'a' } })).toBe(
      'No model is chosen for https://api.openai.com.',
    )
    expect(await why({ env: { OPENAI_API_KEY: 'a', OPENAI_MODEL: 'm' } })).toBeUndefined()
    expect(await why({ env: { OPENROUTER_API_KEY: 'r', OPENAI_MODEL: 'm' } })).toBeUndefined()
  })

  it('takes a model from variables for their own address alone', async () => {
    const { model } = await choose({
      env: { OPENROUTER_API_KEY: 'r', OPENAI_MODEL: 'gpt' },
    })
    expect(model.value).toBe('openrouter/auto')
  })

  it('cuts what chibi 0.5 wrote behind the base URL', async () => {
    const { baseUrl } = await choose({
      config: 'base_url = "https://openrouter.ai/api/v1/chat/completions"',
    })
    expect(baseUrl).toEqual({ value: openRouter, origin: 'config.toml', where: 'config.toml:1' })
  })

  it.each([
    ['ftp://x/v1', 'must begin with https:// or http://'],
    ['https://me:secret@x/v1', 'must not contain a user name or password; set the key instead'],
    ['https://x/v1?a=b', 'must not contain "?" or "#"'],
    ['x', 'is not a web address; it must look like https://openrouter.ai/api/v1'],
  ])('refuses %s', async (baseUrl, words) => {
    expect(await why({ env: { CHIBI_BASE_URL: baseUrl, CHIBI_API_KEY: 'k' } })).toBe(
      `The base URL (CHIBI_BASE_URL) ${words}.`,
    )
  })

  it('sends nothing elsewhere while a file that may name the address is broken', async () => {
    const env = { OPENROUTER_API_KEY: 'r' }
    const broken = 'Line 1 is not TOML'
    expect(await why({ env, config: 'x' })).toContain(broken)
    expect(await why({ env, local: 'x' })).toContain(broken)
    expect(await why({ env, config: 'base_url = 5' })).toContain('base_url must be text')
    const local = 'base_url = "http://localhost:1/v1"\nmodel = "m"'
    expect(await why({ env, config: 'x', local })).toBeUndefined()
    expect(
      await why({
        env: { ...env, CHIBI_BASE_URL: 'http://localhost:1/v1', CHIBI_MODEL: 'm' },
        config: 'x',
      }),
    ).toBeUndefined()
  })

  it('lets the practice model answer for everything, without a key', async () => {
    const chosen = await choose({
      practice: 'running',
      config: 'model = "m"\napi_key = "c"\nusername = "someone"',
    })
    expect(chosen).toEqual({
      provider: 'practice',
      model: { value: 'practice', origin: 'practice', where: 'practice model' },
      baseUrl: { value: 'http://127.0.0.1:5/v1', origin: 'practice', where: 'practice model' },
      username: { value: 'someone', origin: 'config.toml', where: 'config.toml:3' },
      faults: [],
    })
  })

  it('asks no real provider where the practice model was chosen and does not run', async () => {
    expect(await why({ practice: 'chosen', env: { OPENROUTER_API_KEY: 'r' } })).toMatch(/practice/)
  })

  it('lets a run name its own address while the practice model is chosen', async () => {
    const { provider, baseUrl } = await choose({
      practice: 'running',
      run: { baseUrl: 'http://localhost:1/v1', model: 'm' },
    })
    expect([provider, baseUrl.value]).toEqual(['endpoint', 'http://localhost:1/v1'])
  })

  it('says so when the keychain does not open, and goes on', async () => {
    const chosen = await resolveEndpoint({
      environment: { OPENROUTER_API_KEY: 'r' },
      config: parseHomeConfig(parseToml('', 'config.toml'), 'config.toml'),
      stored: { preferences: defaultPreferences, provider: 'endpoint' },
      vault: {
        get: async () => {
          throw new AppError('unreadable', 'It does not open.')
        },
      },
    })
    expect([chosen.apiKey?.where, chosen.faults]).toEqual([
      'OPENROUTER_API_KEY',
      [{ file: 'keychain', message: 'It does not open.' }],
    ])
  })
})
