import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { Environment } from '../../../../src/main/settings/endpoint/candidates'
import { type ModelCatalog, openModelCatalog } from '../../../../src/main/settings/model-catalog'
import { parseModels } from '../../../../src/main/settings/models/parse-models'
import { openSettings } from '../../../../src/main/settings/settings'
import { createFileVault } from '../../../../src/main/settings/stored/key-vault'
import { openAdjustmentMemory } from '../../../../src/main/settings/stored/request-adjustments'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { ListedModels, ProvidersView } from '../../../../src/shared/model/settings/model-info'
import { allowed } from '../../../support/permissions'
import { type RawServer, rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const servers: RawServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const key = 'sk-or-v1-0123456789abcdef7f3c'
const dayMs = 86_400_000

interface Bench {
  readonly desk: ModelCatalog
  readonly root: string
  now: number
}

/** A desk over a home in a folder of its own. */
function benchOf(environment: Environment = {}, root = folder()): Bench {
  const user = path.join(root, 'user')
  const home = path.join(root, 'home')
  const vault = createFileVault({
    disk: nodeDisk,
    file: path.join(user, 'keys'),
    cipher: {
      strength: () => 'strong',
      encrypt: (text) => Buffer.from(text).reverse(),
      decrypt: (bytes) => Buffer.from(bytes).reverse().toString(),
    },
  })
  const settings = openSettings({ disk: nodeDisk, home, folder: user, vault, environment })
  let ids = 0
  const bench: Bench = {
    root,
    now: 1_700_000_000_000,
    desk: openModelCatalog({
      disk: nodeDisk,
      home,
      cacheFolder: path.join(root, 'cache'),
      file: openSettingsFile(nodeDisk, user),
      vault,
      environment,
      settings,
      plain: settings,
      newId: () => `id-${++ids}`,
      now: () => bench.now,
    }),
  }
  return bench
}

async function serving(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(answer)
  servers.push(server)
  return server
}
const json = (body: unknown, status = 200) =>
  serving((response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })

/** A desk with one named provider, and its address. */
async function named(server: RawServer, bench = benchOf()): Promise<Bench> {
  await bench.desk.providers.add('Mine', server.url, allowed)
  return bench
}
async function local(bench: Bench, file: string, text: string): Promise<void> {
  const target = path.join(bench.root, 'home', file)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, text)
}

const openRouterList = {
  data: [
    {
      id: 'anthropic/claude-sonnet-4.5',
      canonical_slug: 'anthropic/claude-4.5-sonnet-20250929',
      name: 'Anthropic: Claude Sonnet 4.5',
      created: 1759161676,
      context_length: 1000000,
      architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'] },
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
      top_provider: { max_completion_tokens: 64000 },
      supported_parameters: ['tools', 'temperature'],
    },
    { id: 'openrouter/auto', name: 'Auto Router', pricing: { prompt: '-1', completion: '-1' } },
  ],
}

describe('a list of models', () => {
  it('is read as OpenRouter tells it', () => {
    expect(parseModels(openRouterList)).toEqual([
      {
        id: 'anthropic/claude-sonnet-4.5',
        alias: 'anthropic/claude-4.5-sonnet-20250929',
        name: 'Anthropic: Claude Sonnet 4.5',
        contextLength: 1_000_000,
        price: { input: 0.000003, output: 0.000015, cached: 0.0000003 },
        inputs: ['text', 'image'],
        parameters: ['tools', 'temperature'],
      },
      { id: 'openrouter/auto', name: 'Auto Router' },
    ])
  })

  it.each([
    ['OpenAI', { object: 'list', data: [{ id: 'gpt-5.1', object: 'model' }] }, { id: 'gpt-5.1' }],
    [
      'LM Studio',
      { data: [{ id: 'qwen', type: 'llm', max_context_length: 32768 }] },
      { id: 'qwen', contextLength: 32768 },
    ],
    [
      'Ollama',
      { models: [{ name: 'llama3.2:3b', model: 'llama3.2:3b', size: 2 }] },
      { id: 'llama3.2:3b' },
    ],
    [
      'llama.cpp',
      { models: [{ name: 'x' }], data: [{ id: 'a.gguf', meta: { n_ctx_train: 8192 } }] },
      { id: 'a.gguf', contextLength: 8192 },
    ],
    ['vLLM', { data: [{ id: 'm', max_model_len: 4096 }] }, { id: 'm', contextLength: 4096 }],
    ['Groq', { data: [{ id: 'm', context_window: 4096 }] }, { id: 'm', contextLength: 4096 }],
    ['Anthropic', { data: [{ id: 'c', display_name: 'Claude' }] }, { id: 'c', name: 'Claude' }],
    ['Together', [{ id: 'm', pricing: { input: 0.2, output: 0.6 } }], { id: 'm' }],
  ])('is read as %s tells it', (_name, body, model) => {
    expect(parseModels(body)).toEqual([model])
  })

  it('loses an entry that is none, or one value, and nothing else', () => {
    const body = {
      data: [
        null,
        7,
        {},
        { id: '' },
        { id: 'x'.repeat(513) },
        { id: 'a\nb' },
        { id: '\u001b[31mred' },
        { id: 'first', name: 7, context_length: -5, pricing: 'free', architecture: [] },
        { id: 'first', name: 'again' },
        { id: 'nan', pricing: { prompt: 'NaN', completion: '1' }, context_length: '4096' },
        { id: 'half', pricing: { prompt: '1' }, supported_parameters: ['ok', 7] },
        { id: 'free', pricing: { prompt: 0, completion: '0' } },
        { id: 'gift', pricing: { prompt: '', completion: null } },
        { id: '__proto__' },
      ],
    }
    expect(parseModels(body)).toEqual([
      { id: 'first' },
      { id: 'nan', contextLength: 4096 },
      { id: 'half' },
      { id: 'free', price: { input: 0, output: 0 } },
      { id: 'gift' },
      { id: '__proto__' },
    ])
  })

  it.each([undefined, null, 7, 'x', {}, [], { data: {} }, { data: [1, 2] }, { models: [] }])(
    'is none: %j',
    (body) => {
      expect(parseModels(body)).toBeUndefined()
    },
  )

  it('may be empty, and ends at 20,000', () => {
    expect(parseModels({ data: [] })).toEqual([])
    const many = Array.from({ length: 30_000 }, (_, index) => ({ id: `m${index}` }))
    expect(parseModels({ data: many })).toHaveLength(20_000)
  })
})

describe('the models of an address', () => {
  it('are fetched, cached without a key, and shown from the cache with their age', async () => {
    const server = await json(openRouterList)
    const bench = await named(server)
    await bench.desk.providers.setKey('id-1', key, false, allowed)
    expect(await bench.desk.list(server.url, 'kept')).toEqual({
      baseUrl: server.url,
      models: [],
      fetchedAt: null,
    })
    const fresh = await bench.desk.list(server.url, 'due')
    expect(ListedModels.parse(fresh)).toEqual(fresh)
    expect([fresh.models.length, fresh.fetchedAt, fresh.failure]).toEqual([2, bench.now, undefined])
    expect(
      server.seen.map(({ method, path: at, headers }) => [method, at, headers.authorization]),
    ).toEqual([['GET', '/v1/models', `Bearer ${key}`]])

    const files = await readdir(path.join(bench.root, 'cache', 'models'))
    expect(files).toHaveLength(1)
    const kept = await readFile(path.join(bench.root, 'cache', 'models', files[0] ?? ''), 'utf8')
    expect(kept).not.toContain('sk-or')
    expect(JSON.parse(kept)).toMatchObject({ baseUrl: server.url, fetchedAt: bench.now })

    await server.close()
    const later = benchOf({}, bench.root)
    later.now = bench.now + dayMs - 1
    expect((await later.desk.list(server.url, 'due')).models).toEqual(fresh.models)
    later.now = bench.now + dayMs
    const offline = await later.desk.list(server.url, 'due')
    expect([offline.models, offline.fetchedAt]).toEqual([fresh.models, bench.now])
    expect(offline.failure).toBe(`Nothing answers at http://${server.host}. Is the server running?`)
  })

  it('are kept without the key that the server repeats among them', async () => {
    const server = await serving((response, { headers }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const said = headers.authorization ?? ''
      response.end(JSON.stringify({ data: [{ id: `m ${said}`, name: said.slice(7) }] }))
    })
    const bench = await named(server)
    await bench.desk.providers.setKey('id-1', key, false, allowed)
    const { models } = await bench.desk.list(server.url, 'due')
    expect(models).toEqual([{ id: 'm Bearer [key]', name: '[key]' }])
    const folder = path.join(bench.root, 'cache', 'models')
    for (const file of await readdir(folder))
      expect(await readFile(path.join(folder, file), 'utf8')).not.toContain(key)
  })

  it('are asked for again on demand, when a day is over, and once for two at the same time', async () => {
    const server = await json({ data: [{ id: 'm' }] })
    const bench = await named(server)
    await bench.desk.list(server.url, 'due')
    await bench.desk.list(server.url, 'due')
    expect(server.seen).toHaveLength(1)
    await Promise.all([
      bench.desk.list(server.url, 'refresh'),
      bench.desk.list(server.url, 'refresh'),
    ])
    expect(server.seen).toHaveLength(2)
    bench.now += dayMs
    await bench.desk.list(server.url, 'due')
    // A clock that was a year ahead made a list that looks new for a year.
    bench.now -= 365 * dayMs
    await bench.desk.list(server.url, 'due')
    expect(server.seen).toHaveLength(4)
  })

  it('are asked for at no address that nobody entered', async () => {
    const server = await json({ data: [] })
    await expect(benchOf().desk.list(server.url, 'refresh')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(benchOf().desk.choose({ baseUrl: server.url, model: 'm' })).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect(server.seen).toEqual([])
  })

  it('carry a key to its own origin alone: not through a redirect, not to another provider', async () => {
    const other = await json({ data: [{ id: 'stolen' }] })
    const server = await serving((response) => {
      response.writeHead(302, { location: `${other.url}/models` })
      response.end()
    })
    const bench = await named(server)
    await bench.desk.providers.setKey('id-1', key, false, allowed)
    const { models, failure } = await bench.desk.list(server.url, 'refresh')
    expect([models, other.seen]).toEqual([[], []])
    expect(failure).toMatch(/redirects \(302\)/)
    await bench.desk.providers.add('Other', other.url, allowed)
    await bench.desk.list(other.url, 'refresh')
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('carry no key of a file or a variable that belongs to another address', async () => {
    const server = await json({ data: [{ id: 'm' }] })
    const bench = await named(
      server,
      benchOf({ CHIBI_API_KEY: key, OPENROUTER_API_KEY: key, OPENAI_API_KEY: key }),
    )
    await local(bench, 'config.toml', `api_key = "${key}"`)
    await bench.desk.list(server.url, 'refresh')
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('come from a list of 5 MB, and not from one without an end', async () => {
    const words = 'x'.repeat(900)
    const big = Array.from({ length: 5500 }, (_, at) => ({ id: `m${at}`, description: words }))
    const server = await json({ data: big })
    const bench = await named(server)
    expect((await bench.desk.list(server.url, 'refresh')).models).toHaveLength(5500)

    const endless = await serving((response) => {
      response.writeHead(200)
      const more = () => {
        if (!response.destroyed && response.write(' '.repeat(65_536))) setImmediate(more)
      }
      response.on('drain', more)
      more()
    })
    await bench.desk.providers.add('Endless', endless.url, allowed)
    const { models, failure } = await bench.desk.list(endless.url, 'refresh')
    expect([models, failure]).toEqual([[], expect.stringMatching(/not with a list of models/)])
  })

  it.each([
    [200, '{"data": [{"id": "m"', /not with a list of models/],
    [200, '<html>Login</html>', /not with a list of models/],
    [401, '{}', /rejected the key/],
    [404, '{}', /no list of models at this address/],
    [500, '', /failed \(500\)/],
  ])('say why there are none: status %i, %s', async (status, body, words) => {
    const server = await json(body, status)
    const bench = await named(server)
    await bench.desk.providers.setKey('id-1', key, false, allowed)
    const list = await bench.desk.list(server.url, 'due')
    expect([list.models, list.fetchedAt]).toEqual([[], null])
    expect(list.failure).toMatch(words)
    expect(list.failure).not.toContain(key)
  })

  it.each([
    ['broken', '{"version":1,"models'],
    ['of another version', '{"version":9,"baseUrl":"","fetchedAt":1,"models":[]}'],
    ['of another address', '{"version":1,"baseUrl":"http://x","fetchedAt":1,"models":[]}'],
    ['with a model that is none', '{"version":1,"baseUrl":"http://x","models":[{"id":7}]}'],
  ])('are asked for again where the cache is %s', async (_name, text) => {
    const server = await json({ data: [{ id: 'm' }] })
    const bench = await named(server)
    await bench.desk.list(server.url, 'refresh')
    const at = path.join(bench.root, 'cache', 'models')
    await writeFile(path.join(at, (await readdir(at))[0] ?? ''), text)
    const later = benchOf({}, bench.root)
    later.now = bench.now
    expect((await later.desk.list(server.url, 'due')).models).toEqual([{ id: 'm' }])
    expect(server.seen).toHaveLength(2)
  })

  it('are shown where the cache cannot be written', async () => {
    const server = await json({ data: [{ id: 'm' }] })
    const bench = await named(server)
    await writeFile(path.join(bench.root, 'cache'), 'a file, no folder')
    expect((await bench.desk.list(server.url, 'due')).models).toEqual([{ id: 'm' }])
  })
})

describe('providers', () => {
  it('are OpenRouter, OpenAI, those that were entered, and the address in use', async () => {
    const bench = benchOf({ OPENAI_API_KEY: 'sk-0123456789abcdefghij' })
    await local(bench, 'config.toml', 'base_url = "http://box.local:9/v1"')
    await bench.desk.providers.add(' Mine ', 'https://mine.example/v1/', allowed)
    const view = await bench.desk.providers.view()
    expect(ProvidersView.parse(view)).toEqual(view)
    expect(view.providers.map(({ key: _key, ...provider }) => provider)).toEqual([
      {
        id: 'openrouter',
        name: 'OpenRouter',
        baseUrl: 'https://openrouter.ai/api/v1',
        kind: 'built-in',
      },
      { id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', kind: 'built-in' },
      { id: 'id-1', name: 'Mine', baseUrl: 'https://mine.example/v1', kind: 'named' },
      { id: 'current', name: 'box.local:9', baseUrl: 'http://box.local:9/v1', kind: 'current' },
    ])
    expect(view.providers.map(({ key: held }) => held)).toEqual([
      { present: false, isOwn: false, isNeeded: true },
      {
        present: true,
        hint: 'sk-012…ghij',
        where: 'OPENAI_API_KEY',
        isOwn: false,
        isNeeded: true,
      },
      { present: false, isOwn: false, isNeeded: true },
      { present: false, isOwn: false, isNeeded: false },
    ])
  })

  it('call the address in use by the server that people run there', async () => {
    const bench = benchOf()
    await local(bench, 'config.toml', 'base_url = "http://127.0.0.1:11434/v1"')
    const view = await bench.desk.providers.view()
    expect(view.providers.at(-1)).toMatchObject({ id: 'current', name: 'Ollama' })
  })

  it('keep each its own key', async () => {
    const bench = benchOf()
    const { providers } = bench.desk
    await providers.add('One', 'https://one.example/v1', allowed)
    await providers.setKey('id-1', key, false, allowed)
    await providers.setKey('openai', `${key}-2`, false, allowed)
    const held = async () =>
      (await providers.view()).providers.map(({ key: one }) => [one.present, one.isOwn])
    expect(await held()).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ])
    await providers.setKey('openai', null, false, allowed)
    await providers.remove('id-1')
    await providers.add('One', 'https://one.example/v1', allowed)
    expect((await held()).flat()).toEqual([false, false, false, false, false, false])
  })

  it('leave a key to another provider at the same origin', async () => {
    const { providers } = benchOf().desk
    await providers.add('One', 'https://one.example/v1', allowed)
    await providers.add('Two', 'https://one.example/v2', allowed)
    await providers.setKey('id-1', key, false, allowed)
    await providers.remove('id-1')
    expect((await providers.view()).providers.at(-1)).toMatchObject({
      name: 'Two',
      key: { present: true },
    })
  })

  it('are one of a name and of an address, however fast they are asked for', async () => {
    const { providers } = benchOf().desk
    const asked = await Promise.allSettled([
      providers.add('One', 'https://one.example/v1', allowed),
      providers.add('One', 'https://one.example/v1', allowed),
      providers.setKey('id-1', key, false, allowed),
      providers.remove('id-1'),
      providers.rename('id-1', 'Other'),
    ])
    expect(asked.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect((await providers.view()).providers.map(({ id }) => id)).toEqual(['openrouter', 'openai'])
    await providers.add('One', 'https://one.example/v1', allowed)
    expect((await providers.view()).providers.at(-1)?.key.present).toBe(false)
  })

  it('are asked each in the API that is set, or that their address ends in', async () => {
    const root = folder()
    const { providers } = benchOf({}, root).desk
    await providers.add('One', 'https://one.example/v1/responses', allowed)
    await providers.add('Two', 'https://two.example/v1', allowed)
    await providers.setProtocol('openai', 'responses')
    const told = async () =>
      (await providers.view()).providers.map(({ id, baseUrl, protocol }) => [id, baseUrl, protocol])
    const one = 'https://one.example/v1'
    expect(await told()).toEqual([
      ['openrouter', 'https://openrouter.ai/api/v1', undefined],
      ['openai', 'https://api.openai.com/v1', 'responses'],
      ['id-1', one, 'responses'],
      ['id-2', 'https://two.example/v1', undefined],
    ])
    const settings = openSettings({
      disk: nodeDisk,
      home: path.join(root, 'home'),
      folder: path.join(root, 'user'),
      vault: { strength: () => 'strong', get: async () => undefined, set: async () => undefined },
      environment: {},
    })
    const asked = async (baseUrl: string, values: Readonly<Record<string, unknown>> = {}) =>
      (await settings.endpoint(undefined, { baseUrl, values })).protocol
    expect(await asked(one)).toBe('responses')
    expect(await asked(`${one}/responses/`)).toBe('responses')
    expect(await asked('https://two.example/v1')).toBe('chat-completions')
    // What a file or a run says comes before.
    expect(await asked(one, { 'api.protocol': 'chat-completions' })).toBe('chat-completions')
    await providers.remove('id-1')
    expect(await asked(one)).toBe('chat-completions')
    await providers.setProtocol('openai', 'chat-completions')
    expect((await told()).map(([, , protocol]) => protocol)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('have each their own timeouts, which requests to them go by and which go with them', async () => {
    const root = folder()
    const { providers } = benchOf({}, root).desk
    await providers.add('One', 'https://one.example/v1', allowed)
    const timeouts = { firstByteSeconds: 1800, silenceSeconds: 600 }
    await providers.setTimeouts('id-1', timeouts)
    await providers.setTimeouts('openai', { ...timeouts, silenceSeconds: 10 })
    const told = async () =>
      (await providers.view()).providers.map(({ id, timeouts: one }) => [id, one?.silenceSeconds])
    expect(await told()).toEqual([
      ['openrouter', undefined],
      ['openai', 10],
      ['id-1', 600],
    ])
    const settings = openSettings({
      disk: nodeDisk,
      home: path.join(root, 'home'),
      folder: path.join(root, 'user'),
      vault: { strength: () => 'strong', get: async () => undefined, set: async () => undefined },
      environment: {},
    })
    const waits = async (baseUrl: string) =>
      (await settings.endpoint(undefined, { baseUrl })).timeouts
    expect(await waits('https://one.example/v1/')).toMatchObject(timeouts)
    expect(await waits('https://two.example/v1')).toBe(undefined)

    for (const silenceSeconds of [9, 86_401, 1.5])
      await expect(
        providers.setTimeouts('id-1', { ...timeouts, silenceSeconds }),
      ).rejects.toMatchObject({ code: 'bad-argument' })
    await providers.setTimeouts('openai', undefined)
    await providers.remove('id-1')
    expect(await told()).toEqual([
      ['openrouter', undefined],
      ['openai', undefined],
    ])
    expect(await waits('https://one.example/v1')).toBe(undefined)
  })

  it('tell for which models requests are adapted, and forget it, also when they are removed', async () => {
    const root = folder()
    const bench = benchOf({}, root)
    const { providers } = bench.desk
    await providers.add('One', 'https://one.example/v1', allowed)
    const memory = openAdjustmentMemory(nodeDisk, path.join(root, 'cache'), () => bench.now)
    const adapt = () =>
      memory.write('https://one.example/v1', 'm', [{ type: 'adapt', way: 'user-first' }])
    const told = async () => (await providers.view()).providers.map(({ adapted }) => adapted)
    await adapt()
    expect(await told()).toEqual([undefined, undefined, ['m']])
    await providers.forgetConcessions('id-1')
    expect(await told()).toEqual([undefined, undefined, undefined])
    await adapt()
    await providers.remove('id-1')
    expect(await memory.models('https://one.example/v1')).toEqual([])
  })

  it('leave how they are asked to the address in use, which stays one of them', async () => {
    const root = folder()
    const bench = benchOf({}, root)
    const { providers } = bench.desk
    const baseUrl = 'https://one.example/v1'
    await local(bench, 'config.toml', `base_url = "${baseUrl}"`)
    await providers.add('One', `${baseUrl}/responses`, allowed)
    const timeouts = { firstByteSeconds: 1800, silenceSeconds: 600 }
    await providers.setTimeouts('id-1', timeouts)
    const memory = openAdjustmentMemory(nodeDisk, path.join(root, 'cache'), () => bench.now)
    await memory.write(baseUrl, 'm', [{ type: 'adapt', way: 'user-first' }])
    await providers.remove('id-1')
    expect((await providers.view()).providers.at(-1)).toMatchObject({
      id: 'current',
      baseUrl,
      protocol: 'responses',
      timeouts,
      adapted: ['m'],
    })
  })

  it('are renamed, and what is not allowed is refused in words', async () => {
    const { providers } = benchOf().desk
    await providers.add('One', 'https://one.example/v1', allowed)
    await providers.rename('id-1', 'Other')
    await providers.rename('id-1', 'other')
    expect((await providers.view()).providers.at(-1)?.name).toBe('other')
    const refusals: readonly [() => Promise<void>, string][] = [
      [() => providers.add('OTHER', 'https://two.example/v1', allowed), 'exists'],
      [() => providers.add('openrouter', 'https://two.example/v1', allowed), 'exists'],
      [() => providers.add('Two', 'https://openrouter.ai/api/v1/', allowed), 'exists'],
      [() => providers.add('', 'https://two.example/v1', allowed), 'bad-argument'],
      [() => providers.add('a\nb', 'https://two.example/v1', allowed), 'bad-argument'],
      [() => providers.add('\u202egnorw', 'https://two.example/v1', allowed), 'bad-argument'],
      [() => providers.add('x'.repeat(61), 'https://two.example/v1', allowed), 'bad-argument'],
      [() => providers.add('Two', 'https://me:secret@two.example/v1', allowed), 'bad-argument'],
      [() => providers.add('Two', 'ftp://two.example', allowed), 'bad-argument'],
      [() => providers.rename('openai', 'Mine'), 'bad-argument'],
      [() => providers.rename('nobody', 'Mine'), 'not-found'],
      [() => providers.remove('openrouter'), 'bad-argument'],
      [() => providers.remove('nobody'), 'not-found'],
      [() => providers.setKey('nobody', key, false, allowed), 'not-found'],
      [() => providers.setKey('openai', 'two words', false, allowed), 'bad-argument'],
    ]
    for (const [refused, code] of refusals) await expect(refused()).rejects.toMatchObject({ code })
  })

  it('that a file names badly cost themselves alone', async () => {
    const root = folder()
    await mkdir(path.join(root, 'user'))
    const stored = {
      providers: [
        { id: 'a', name: 'A', baseUrl: 'https://a.example/v1', more: 1 },
        { id: 'a', name: 'B', baseUrl: 'https://b.example/v1' },
        { id: 'c', name: 'C', baseUrl: 'nonsense' },
        7,
        { id: 'openai', name: 'D', baseUrl: 'https://d.example/v1' },
        { id: '__proto__', name: 'E', baseUrl: 'https://e.example/v1' },
      ],
      recentModels: [{ baseUrl: 'https://a.example/v1', model: 'm' }, { model: 7 }],
    }
    const file = path.join(root, 'user', 'settings.json')
    await writeFile(file, JSON.stringify(stored))
    const { desk } = benchOf({}, root)
    const view = await desk.providers.view()
    expect(view.providers.map(({ id }) => id)).toEqual(['openrouter', 'openai', 'a'])
    expect(view.recent).toEqual([{ baseUrl: 'https://a.example/v1', model: 'm' }])
    const { faults } = await openSettingsFile(nodeDisk, path.join(root, 'user')).read()
    expect(faults.map((fault) => fault.key)).toEqual([
      'providers[1]',
      'providers[2]',
      'providers[3]',
      'providers[4]',
      'providers[5]',
    ])
    await desk.providers.rename('a', 'New')
    expect(JSON.parse(await readFile(file, 'utf8')).providers).toEqual([
      { id: 'a', name: 'New', baseUrl: 'https://a.example/v1', more: 1 },
      { id: 'a', name: 'New', baseUrl: 'https://a.example/v1' },
      ...stored.providers.slice(2),
    ])
  })
})

describe('choosing a model', () => {
  const mine = 'https://mine.example/v1'
  async function withMine(environment: Environment = {}): Promise<Bench> {
    const bench = benchOf(environment)
    await bench.desk.providers.add('Mine', mine, allowed)
    return bench
  }

  it('holds for the home, and is remembered, the newest first', async () => {
    const { desk } = await withMine()
    await desk.choose({ baseUrl: 'https://openrouter.ai/api/v1', model: 'a/b' })
    const view = await desk.choose({ baseUrl: mine, model: 'm' })
    expect([view.model, view.baseUrl]).toEqual([
      { value: 'm', origin: 'settings', where: 'Settings' },
      { value: mine, origin: 'settings', where: 'Settings' },
    ])
    await desk.choose({ baseUrl: mine, model: 'n' })
    await desk.choose({ baseUrl: mine, model: 'm' })
    expect((await desk.providers.view()).recent).toEqual([
      { baseUrl: mine, model: 'm' },
      { baseUrl: mine, model: 'n' },
      { baseUrl: 'https://openrouter.ai/api/v1', model: 'a/b' },
    ])
  })

  it('remembers twelve', async () => {
    const { desk } = await withMine()
    for (let at = 0; at < 14; at++) await desk.choose({ baseUrl: mine, model: `m${at}` })
    const { recent } = await desk.providers.view()
    expect([recent.length, recent[0]?.model, recent[11]?.model]).toEqual([12, 'm13', 'm2'])
  })

  it.each([
    [
      'config.toml',
      'model = "fixed"',
      {},
      /The model is set in config.toml:1, which takes precedence over/,
    ],
    ['config.toml', `model = "m"\nbase_url = "https://x.example"`, {}, /address is set in config/],
    ['config.toml', '', { CHIBI_MODEL: 'fixed' }, /The model is set in CHIBI_MODEL/],
  ])(
    'is refused where %s or a variable comes before: %s %j',
    async (file, text, variables, words) => {
      const bench = await withMine(variables)
      await local(bench, file, text)
      await expect(bench.desk.choose({ baseUrl: mine, model: 'm' })).rejects.toMatchObject({
        code: 'read-only',
        message: expect.stringMatching(words),
      })
      expect((await bench.desk.providers.view()).recent).toEqual([])
    },
  )

  const gardenFile = (bench: Bench) => path.join(bench.root, 'home/contexts/garden/local.toml')

  it('for one conversation goes into its local.toml, the address only where it is another one', async () => {
    const bench = await withMine()
    await local(bench, 'config.toml', 'model = "fixed"')
    const text = '\ufeff# mine\r\nusername = "mira" # me\r\n[storage]\r\nbytes_per_token = 4\r\n'
    await local(bench, 'contexts/garden/local.toml', text)
    await chmod(gardenFile(bench), 0o600)
    const openRouter = 'https://openrouter.ai/api/v1'
    await bench.desk.choose({ baseUrl: openRouter, model: 'a/b' }, 'garden')
    const first = await readFile(gardenFile(bench), 'utf8')
    expect(first).toContain('model = "a/b"')
    expect(first).not.toContain('base_url')
    const view = await bench.desk.choose({ baseUrl: mine, model: 'say "hi" \\' }, 'garden')
    expect([view.model.value, view.model.origin, view.baseUrl.value]).toEqual([
      'say "hi" \\',
      'local.toml',
      mine,
    ])
    const second = await readFile(gardenFile(bench), 'utf8')
    const others = second.split('\r\n').filter((line) => !/^(model|base_url) = /.test(line))
    expect(others.join('\r\n')).toBe(text)
    expect((await stat(gardenFile(bench))).mode & 0o777).toBe(0o600)
  })

  it('for one conversation comes before CHIBI_MODEL, unless that has its address beside it', async () => {
    const openRouter = 'https://openrouter.ai/api/v1'
    const bench = await withMine({ CHIBI_MODEL: 'fixed' })
    await local(bench, 'contexts/garden/local.toml', '')
    const view = await bench.desk.choose({ baseUrl: openRouter, model: 'm' }, 'garden')
    expect([view.model.value, view.model.origin]).toEqual(['m', 'local.toml'])
    const both = await withMine({ CHIBI_MODEL: 'fixed', CHIBI_BASE_URL: openRouter })
    await local(both, 'contexts/garden/local.toml', '')
    await expect(
      both.desk.choose({ baseUrl: openRouter, model: 'm' }, 'garden'),
    ).rejects.toMatchObject({
      code: 'read-only',
      message: expect.stringMatching(
        /set in CHIBI_MODEL, which takes precedence over a conversation’s own/,
      ),
    })
    expect(await readFile(gardenFile(both), 'utf8')).toBe('')
  })

  it('for one conversation leaves a file alone that cannot be changed safely', async () => {
    const bench = await withMine()
    const files = [
      ['model = ', 'read-only'],
      ['[model]\nx = 1', 'read-only'],
      [Buffer.from([0x23, 0xff, 0x0a]), 'unreadable'],
    ] as const
    for (const [text, code] of files) {
      await local(bench, 'contexts/garden/local.toml', '')
      await writeFile(gardenFile(bench), text)
      await expect(
        bench.desk.choose({ baseUrl: 'https://openrouter.ai/api/v1', model: 'm' }, 'garden'),
      ).rejects.toMatchObject({ code })
      expect(await readFile(gardenFile(bench))).toEqual(Buffer.from(text))
    }
  })

  it.each(['cycod:soup', '../../outside', 'nobody', 'a/b'])(
    'is refused for what is no conversation of the home: %s',
    async (name) => {
      const bench = await withMine()
      await local(bench, 'config.toml', '')
      await expect(bench.desk.choose({ baseUrl: mine, model: 'm' }, name)).rejects.toBeInstanceOf(
        AppError,
      )
      expect(await readdir(bench.root)).toEqual(['home', 'user'])
    },
  )

  it('sends no key of chibi to an address that it was not entered for', async () => {
    const ofFile = await withMine()
    await local(ofFile, 'contexts/garden/local.toml', `api_key = "${key}"`)
    const ofVariable = await withMine({ CHIBI_API_KEY: key })
    await local(ofVariable, 'contexts/garden/local.toml', '')
    for (const bench of [ofFile, ofVariable]) {
      const before = await readFile(gardenFile(bench), 'utf8')
      const refusal = bench.desk.choose({ baseUrl: mine, model: 'm' }, 'garden')
      await expect(refusal).rejects.toMatchObject({
        code: 'read-only',
        message: expect.stringMatching(/would be sent to https:\/\/mine\.example\/v1 too/),
      })
      await expect(refusal).rejects.not.toThrow(key)
      expect(await readFile(gardenFile(bench), 'utf8')).toBe(before)
      const openRouter = 'https://openrouter.ai/api/v1'
      await bench.desk.choose({ baseUrl: openRouter, model: 'm' }, 'garden')
      expect(await readFile(gardenFile(bench), 'utf8')).not.toContain('base_url')
    }
  })
})

describe('prices', () => {
  it('are those of the address in use, under both names, else of all others that agree', async () => {
    const priced = (id: string, prompt: string, more: object = {}) => ({
      id,
      pricing: { prompt, completion: '1' },
      ...more,
    })
    const one = await json({ data: [priced('a', '0.1'), priced('b', '0.2'), priced('c', '0.5')] })
    const two = await json({
      data: [priced('a', '0.3', { canonical_slug: 'a-2025' }), priced('b', '0.2'), { id: 'd' }],
    })
    const three = await json({ data: [priced('c', '0.6')] })
    const { desk } = benchOf()
    for (const [name, server] of Object.entries({ one, two, three })) {
      await desk.providers.add(name, server.url, allowed)
      await desk.list(server.url, 'refresh')
    }
    await desk.choose({ baseUrl: two.url, model: 'a' })
    const found = await desk.prices(['a', 'a-2025', 'b', 'c', 'd', 'nobody'])
    expect([...found].map(([id, { price, baseUrl }]) => [id, price.input, baseUrl])).toEqual([
      ['a', 0.3, two.url],
      ['a-2025', 0.3, two.url],
      ['b', 0.2, two.url],
    ])
  })
})
