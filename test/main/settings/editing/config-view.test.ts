import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { settingsHandlers } from '../../../../src/main/ipc/handlers/settings'
import { openSettings, type Settings } from '../../../../src/main/settings/settings'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { ConfigView, VisibleSettings } from '../../../../src/shared/model/settings/settings'
import { allowed } from '../../../support/permissions'
import { tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'

const folder = tempFolders()
let home: string
beforeEach(() => {
  home = path.join(folder(), 'home')
  mkdirSync(path.join(home, 'contexts', 'garden'), { recursive: true })
})
const write = (file: string, text: string) => writeFileSync(path.join(home, file), text)

function settings(
  environment: Readonly<Record<string, string>> = {},
  disk: Disk = nodeDisk,
): Settings {
  return openSettings({
    disk,
    home,
    folder: path.join(home, '..', 'user'),
    vault: { strength: () => 'none', get: async () => undefined, set: async () => undefined },
    environment,
  })
}

async function row(key: string, from: Settings, context?: string) {
  const view = await from.config(context)
  const { used, offers } = view.values.find((value) => value.key === key) ?? {}
  return { used: used?.where, offers: offers?.map(({ value, where }) => `${value} ${where}`) }
}

describe('the keys of a home', () => {
  it('and those of a run are read from each file once, as all of them were at one moment', async () => {
    const files = ['config.toml', 'models.toml', 'contexts/garden/local.toml']
    for (const file of files) write(file, '')
    let opened: string[] = []
    const disk = watchedDisk({
      before({ name, path: file }) {
        if (name === 'open' && file.startsWith(home)) opened.push(path.relative(home, file))
      },
    })
    const read = settings({}, disk)
    for (const look of [() => read.config('garden'), () => read.runSettings('garden')]) {
      opened = []
      await look()
      expect(opened.sort()).toEqual([...files].sort())
    }
  })

  it('are what the window may know, and no key of a provider in any form', async () => {
    write('config.toml', 'api_key = "sk-secret-0123456789"\n[models.m.api]\nseed = 1\n')
    write('contexts/garden/local.toml', 'api_key = "sk-secret-9876543210"\n')
    const view = await settings({ CHIBI_API_KEY: 'sk-secret-5' }).config('garden')
    expect(ConfigView.parse(view)).toEqual(view)
    expect(JSON.stringify(view)).not.toMatch(/sk-secret|api_key/)
    expect(new Set(view.values.map(({ key }) => key)).size).toBe(view.values.length)
  })

  it('tell of an address that holds a password or a key what is none, and change it all the same', async () => {
    write('config.toml', 'base_url = "https://me:sk-secret-1@config.example/v1"\n')
    write('contexts/garden/local.toml', 'base_url = "https://local.example/v1?key=sk-secret-2"\n')
    const from = settings({ CHIBI_BASE_URL: 'https://sk-secret-3@chibi.example/v1#sk-secret-4' })
    const told = [await from.config('garden'), await from.config(), await from.view('garden')]
    expect(JSON.stringify(told)).not.toContain('sk-secret')
    expect((await row('base_url', from, 'garden')).offers).toEqual([
      'https://•••@chibi.example/v1#••• CHIBI_BASE_URL',
      'https://local.example/v1?••• local.toml:1',
      'https://•••@config.example/v1 config.toml:1',
    ])
    expect((await from.endpoint('garden')).notReady?.message).toBe(
      'The base URL (CHIBI_BASE_URL) must not contain a user name or password; set the key instead.',
    )
    const was = 'https://•••@config.example/v1'
    const change = { key: 'base_url', file: 'config.toml', was } as const
    await expect(from.setValue({ ...change, value: was }, undefined, allowed)).rejects.toThrow(
      'must not contain a user name',
    )
    await from.setValue({ ...change, value: 'https://config.example/v1' }, undefined, allowed)
    expect((await from.config()).values.find(({ key }) => key === 'base_url')?.inConfig).toEqual({
      origin: 'config.toml',
      where: 'config.toml:1',
      value: 'https://config.example/v1',
    })
  })

  it('tell every place of a model, in the order in which they count', async () => {
    write('config.toml', 'model = "of-config"\n')
    write('contexts/garden/local.toml', '\nmodel = "of-local"\n')
    const from = settings({ CHIBI_MODEL: 'of-chibi', OPENROUTER_MODEL: 'of-openrouter' })
    await from.setModel({ model: 'of-settings' }, allowed)
    expect(await row('model', from, 'garden')).toEqual({
      used: 'local.toml:2',
      offers: [
        'of-local local.toml:2',
        'of-chibi CHIBI_MODEL',
        'of-config config.toml:1',
        'of-settings Settings',
        'of-openrouter OPENROUTER_MODEL',
        'openrouter/auto default',
      ],
    })
    expect((await row('model', from)).used).toBe('CHIBI_MODEL')
    // An address of the environment's takes its model with it.
    const both = settings({ CHIBI_MODEL: 'of-chibi', CHIBI_BASE_URL: 'http://localhost:1/v1' })
    expect((await row('model', both, 'garden')).used).toBe('CHIBI_MODEL')
  })

  it('tell every place of an address and of a name', async () => {
    write('config.toml', 'base_url = "https://config.example/v1/"\nusername = "mira"\n')
    write('contexts/garden/local.toml', 'username = "ada"\n')
    const from = settings({ CHIBI_BASE_URL: 'https://chibi.example/v1' })
    expect(await row('base_url', from, 'garden')).toEqual({
      used: 'CHIBI_BASE_URL',
      offers: [
        'https://chibi.example/v1 CHIBI_BASE_URL',
        'https://config.example/v1/ config.toml:1',
      ],
    })
    expect(await row('username', from, 'garden')).toEqual({
      used: 'local.toml:1',
      offers: ['ada local.toml:1', 'mira config.toml:2', 'user default'],
    })
  })

  it('have no value where an effort was cleared by a budget above it', async () => {
    write('config.toml', '[api.reasoning]\neffort = "low"\n')
    write('contexts/garden/local.toml', '[api.reasoning]\nmax_tokens = 100\n')
    expect(await row('api.reasoning.effort', settings(), 'garden')).toEqual({
      used: undefined,
      offers: ['low config.toml:2', 'medium default'],
    })
  })
})

describe('a change from the window', () => {
  it('answers with the keys as they are now, and tells every window', async () => {
    const told: unknown[] = []
    const from = settings()
    const handlers = settingsHandlers(() => from, allowed, { changed: (view) => told.push(view) })
    const change = { key: 'username', value: 'ada', file: 'local.toml', was: null } as const
    const context = LibraryKey.parse('garden')
    const view = ConfigView.parse(await handlers.setValue({ ...change, context }))
    expect(view.values.find(({ key }) => key === 'username')?.used?.where).toBe('local.toml:1')
    expect(view).toEqual(await handlers.config({ key: context }))
    expect(told.map((each) => VisibleSettings.parse(each).username.value)).toEqual(['user'])
    await expect(
      handlers.setValue({ ...change, context: LibraryKey.parse('codex:garden') }),
    ).rejects.toMatchObject({ code: 'not-found' })
    expect(told.length).toBe(1)
  })
})

describe('a change of settings.json by hand', () => {
  it('that a read finds is told to every window, with the values of the home, whatever was read', async () => {
    const told: VisibleSettings[] = []
    const from = settings()
    const user = path.join(home, '..', 'user')
    let shown = '{}'
    const handlers = settingsHandlers(
      () => from,
      allowed,
      {
        changed(view) {
          told.push(view)
          shown = JSON.stringify(view.preferences.keys)
        },
      },
      ({ preferences }) => JSON.stringify(preferences.keys) !== shown,
    )
    const key = LibraryKey.parse('garden')
    write('contexts/garden/local.toml', 'model = "of/garden"\n')
    await handlers.get({ key })
    expect(told).toEqual([])
    mkdirSync(user, { recursive: true })
    writeFileSync(path.join(user, 'settings.json'), '{"preferences": {"keys": {"map": "F9"}}}')
    const view = await handlers.get({ key })
    expect(view.model.value).toBe('of/garden')
    expect(told.map(({ preferences, model }) => [preferences.keys, model.value])).toEqual([
      [{ map: ['F9'] }, (await from.view()).model.value],
    ])
    expect(told[0]?.model.value).not.toBe('of/garden')
    await handlers.get({})
    expect(told.length).toBe(1)
  })
})
