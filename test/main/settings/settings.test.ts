import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { checkEndpoint } from '../../../src/main/settings/models/check-endpoint'
import { findLocalServers } from '../../../src/main/settings/models/local-servers'
import { openSettings, type Settings, type SettingsDeps } from '../../../src/main/settings/settings'
import { createFileVault } from '../../../src/main/settings/stored/key-vault'
import { VisibleSettings } from '../../../src/shared/model/settings/settings'
import { allowed } from '../../support/permissions'
import { type RawServer, rawServer } from '../../support/raw-server'

let folder: string
let server: RawServer | undefined
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'skein-settings-'))
})
afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

const key = 'sk-or-v1-0123456789abcdef7f3c'

function open(
  more: Partial<SettingsDeps> = {},
  strength: 'strong' | 'weak' | 'none' = 'strong',
): Settings {
  return openSettings({
    disk: nodeDisk,
    home: path.join(folder, 'home'),
    folder: path.join(folder, 'user'),
    vault: createFileVault({
      disk: nodeDisk,
      file: path.join(folder, 'user', 'keys'),
      cipher: {
        strength: () => strength,
        encrypt: (text) => Buffer.from(text).reverse(),
        decrypt: (bytes) => Buffer.from(bytes).reverse().toString(),
      },
    }),
    environment: {},
    ...more,
  })
}

async function config(text: string): Promise<void> {
  await mkdir(path.join(folder, 'home', 'contexts', 'garden'), { recursive: true })
  await writeFile(path.join(folder, 'home', 'config.toml'), text)
}

describe('the settings of a home', () => {
  it('begin not ready, with words', async () => {
    const view = await open().view()
    expect(VisibleSettings.parse(view)).toEqual(view)
    expect(view).toEqual({
      preferences: {
        theme: 'system',
        contrast: 'system',
        density: 'comfortable',
        textZoom: 1,
        logRequests: false,
        keepPage: false,
        titles: false,
        titleModel: '',
        notifies: true,
        quickKey: '',
        redactPatterns: [],
        keys: {},
      },
      provider: 'endpoint',
      model: { value: 'openrouter/auto', origin: 'default', where: 'default' },
      baseUrl: { value: 'https://openrouter.ai/api/v1', origin: 'default', where: 'default' },
      username: { value: 'user', origin: 'default', where: 'default' },
      key: { present: false },
      keychain: 'strong',
      ready: false,
      notReady: 'There is no key for https://openrouter.ai.',
      faults: [],
    })
  })

  it('are ready once a key was entered, and show no more of it than a hint', async () => {
    const view = await open().setKey(` ${key}\n`, false, allowed)
    expect(view.key).toEqual({
      present: true,
      hint: 'sk-or-…7f3c',
      origin: 'settings',
      where: 'keychain',
    })
    expect(view.ready).toBe(true)
    const endpoint = await open().endpoint()
    expect(endpoint.apiKey?.value.reveal()).toBe(key)
    expect((await open().setKey(null, false, allowed)).key).toEqual({ present: false })
  })

  it('hide a short key behind bullets', async () => {
    expect((await open({ environment: { OPENROUTER_API_KEY: 'short-key' } }).view()).key.hint).toBe(
      '••••••••',
    )
  })

  it.each(['weak', 'none'] as const)(
    'ask before a key goes to a keychain that is %s',
    async (strength) => {
      const settings = open({}, strength)
      await expect(settings.setKey(key, false, allowed)).rejects.toMatchObject({
        code: 'weak-keychain',
      })
      expect((await settings.setKey(key, true, allowed)).key.present).toBe(true)
      expect((await settings.setKey(null, false, allowed)).key.present).toBe(false)
    },
  )

  it('refuse a key that no key can be', async () => {
    await expect(open().setKey('two words', false, allowed)).rejects.toMatchObject({
      code: 'bad-argument',
    })
  })

  it('keep a key for the address that holds, also while the practice model answers', async () => {
    const settings = open({ practice: async () => 'http://127.0.0.1:5/v1' })
    await settings.setModel({ baseUrl: 'https://other.example/v1/', model: ' m ' }, allowed)
    expect((await settings.setModel({ provider: 'practice' }, allowed)).provider).toBe('practice')
    await settings.setKey(key, false, allowed)
    expect((await settings.endpoint()).apiKey).toBeUndefined()
    const view = await settings.setModel({ provider: 'endpoint' }, allowed)
    expect([view.baseUrl.value, view.model.value, view.key.present]).toEqual([
      'https://other.example/v1',
      'm',
      true,
    ])
    expect((await settings.setModel({ baseUrl: '' }, allowed)).key.present).toBe(false)
  })

  it('refuse a base URL that is none', async () => {
    await expect(open().setModel({ baseUrl: 'nonsense' }, allowed)).rejects.toMatchObject({
      code: 'bad-argument',
    })
  })

  it('hold as soon as a file was edited, and for a context with its local.toml', async () => {
    const settings = open()
    await config('model = "one"')
    expect((await settings.view()).model).toEqual({
      value: 'one',
      origin: 'config.toml',
      where: 'config.toml:1',
    })
    await config('# two\nmodel = "two"\n[storage]\npartition_max_entries = 7')
    const local = path.join(folder, 'home', 'contexts', 'garden', 'local.toml')
    await writeFile(local, 'model = "three"\n[storage]\nbytes_per_token = 4')
    expect([
      (await settings.view()).model.where,
      (await settings.view('garden')).model.value,
      (await settings.endpoint('garden', { model: 'four' })).model.value,
    ]).toEqual(['config.toml:2', 'three', 'four'])
    expect(await settings.storagePolicy('garden')).toMatchObject({
      maxEntries: 7,
      bytesPerToken: 4,
    })
    expect(await settings.storagePolicy()).toMatchObject({ maxEntries: 7, bytesPerToken: 3 })
    expect(await settings.lockHeartbeatSeconds()).toBe(30)
  })

  it('tell what is wrong with every file', async () => {
    await config('model = 5')
    await mkdir(path.join(folder, 'user'))
    await writeFile(path.join(folder, 'user', 'settings.json'), '{')
    expect((await open().view()).faults.map(({ file }) => file)).toEqual([
      'settings.json',
      'config.toml',
    ])
  })

  it('say so when the practice model cannot start', async () => {
    const settings = open({
      practice: async () => {
        throw new Error('no worker')
      },
    })
    const view = await settings.setModel({ provider: 'practice' }, allowed)
    expect([view.ready, view.notReady]).toEqual([
      false,
      'The practice model is chosen in Settings, and does not run here.',
    ])
  })

  it('write preferences where the user has them, not into the home', async () => {
    const view = await open().setPreferences({ theme: 'dark' })
    expect(view.preferences.theme).toBe('dark')
    const stored = await readFile(path.join(folder, 'user', 'settings.json'), 'utf8')
    expect(JSON.parse(stored)).toEqual({ preferences: { theme: 'dark' } })
    expect(await nodeDisk.stat(path.join(folder, 'home'))).toBeUndefined()
  })
})

describe('asking an endpoint whether it answers', () => {
  const models = (...ids: readonly string[]) =>
    JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) })
  const answering = async (status: number, body: string, headers: Record<string, string> = {}) => {
    server = await rawServer((response) => {
      response.writeHead(status, headers)
      response.end(body)
    })
    return open({
      environment: { CHIBI_BASE_URL: server.url, CHIBI_API_KEY: key, CHIBI_MODEL: 'b' },
    })
  }

  it('tells its models, and sends the key', async () => {
    const settings = await answering(200, models('a', 'b'))
    expect(await settings.check()).toEqual({
      ok: true,
      message: `http://${server?.host} answers with 2 models.`,
      models: ['a', 'b'],
    })
    expect(server?.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', `Bearer ${key}`],
    ])
  })

  it.each([
    [200, models('a'), '; "b" is not on its list.'],
    [200, '{"models":[]}', 'but not with a list of models'],
    [200, '<html>', 'but not with a list of models'],
    [401, '{}', 'rejected the key (401)'],
    [404, '{}', 'has no list of models at this address'],
    [500, key, 'failed (500)'],
  ])('says what status %i with %s means', async (status, body, words) => {
    const { message } = await (await answering(status, body)).check()
    expect(message).toContain(words)
    expect(message).not.toContain(key)
  })

  it('does not follow a redirect with the key', async () => {
    const other = await rawServer((response) => response.end())
    const settings = await answering(302, '', { location: `${other.url}/models` })
    expect((await settings.check()).message).toContain('redirects')
    expect(other.seen).toEqual([])
    await other.close()
  })

  it('says so when nothing listens, and when no answer comes', async () => {
    const settings = await answering(200, '')
    await server?.close()
    expect((await settings.check()).message).toBe(
      `Nothing answers at http://${server?.host}. Is the server running?`,
    )
    server = await rawServer(() => undefined)
    const silent = open({ environment: { CHIBI_BASE_URL: server.url } })
    const check = await checkEndpoint(await silent.endpoint(), { timeoutMs: 50 })
    expect(check).toMatchObject({
      ok: false,
      message: `http://${server.host} did not answer in time.`,
    })
  })

  it('asks for the models also while none is chosen', async () => {
    server = await rawServer((response) => response.end(models('a')))
    const settings = open({ environment: { CHIBI_BASE_URL: server.url } })
    expect(await settings.check()).toMatchObject({ ok: true, models: ['a'] })
  })

  it('asks nothing, and sends no key, while the address is in doubt', async () => {
    server = await rawServer((response) => response.end(models('a')))
    const settings = open({ environment: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: key } })
    await config('base_url = 5')
    expect((await settings.check()).message).toContain('base_url must be text')
    expect([server.seen, (await settings.endpoint()).apiKey]).toEqual([[], undefined])
  })

  it('asks nothing while there is nothing to ask with', async () => {
    expect(await open().check()).toEqual({
      ok: false,
      message: 'There is no key for https://openrouter.ai.',
      models: [],
    })
  })

  it("asks OpenRouter for the key's own page, since its list is open to everybody", async () => {
    const asked: string[] = []
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url))
      return new Response('{}', { status: 401 })
    }
    const settings = open({ environment: { OPENROUTER_API_KEY: key } })
    const check = await checkEndpoint(await settings.endpoint(), { fetch })
    expect([asked, check.ok]).toEqual([['https://openrouter.ai/api/v1/key'], false])
  })
})

describe('local servers', () => {
  it('are those that answer with a list of models, and get no key', async () => {
    server = await rawServer((response) => response.end('{"data":[{"id":"llama"}]}'))
    const page = await rawServer((response) => response.end('<html>'))
    const silent = await rawServer(() => undefined)
    const gone = await rawServer(() => undefined)
    await gone.close()
    const port = (each: RawServer) => Number(new URL(each.url).port)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const finding = findLocalServers({
      ports: [
        { name: 'gone', port: port(gone) },
        { name: 'page', port: port(page) },
        { name: 'silent', port: port(silent) },
        { name: 'real', port: port(server) },
      ],
      timeoutMs: 1000,
    })
    // The silent one alone is still waited for.
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(await finding).toEqual([{ name: 'real', baseUrl: server.url, models: ['llama'] }])
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
    await Promise.all([page.close(), silent.close()])
  })
})
