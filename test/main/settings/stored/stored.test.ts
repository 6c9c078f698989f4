import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  type Cipher,
  createFileVault,
  environmentVault,
} from '../../../../src/main/settings/stored/key-vault'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { defaultPreferences } from '../../../../src/shared/model/settings/settings'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'skein-stored-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fullDisk: Disk = {
  ...nodeDisk,
  open: async (file, mode) => {
    if (mode === 'read') return nodeDisk.open(file, mode)
    throw new DiskError('no-space', file, `${file} cannot be written: the disk is full`)
  },
}

/** Reads fail for a moment, as with too many open files. */
const busyDisk: Disk = {
  ...nodeDisk,
  open: async (file, mode) => {
    if (mode !== 'read') return nodeDisk.open(file, mode)
    throw new DiskError('io', file, `${file} cannot be read: EMFILE`)
  },
}

describe("Skein's own settings", () => {
  const file = () => path.join(folder, 'settings.json')
  const json = async () => JSON.parse(await readFile(file(), 'utf8'))
  const defaults = { preferences: defaultPreferences, provider: 'endpoint' }

  it('are the defaults where no file is, and reading makes none', async () => {
    const settings = openSettingsFile(nodeDisk, path.join(folder, 'new'))
    expect(await settings.read()).toEqual({ stored: defaults, faults: [] })
    expect(await readdir(folder)).toEqual([])
  })

  it('keep what was changed, and everything that they do not know', async () => {
    await writeFile(file(), '{"future": [1], "preferences": {"font": "x", "theme": "dark"}}')
    const settings = openSettingsFile(nodeDisk, folder)
    await settings.change({ preferences: { textZoom: 1.5, theme: undefined }, model: 'm' })
    await settings.change({ provider: 'practice', baseUrl: 'http://localhost:1/v1' })
    expect(await json()).toEqual({
      future: [1],
      preferences: { font: 'x', theme: 'dark', textZoom: 1.5 },
      model: 'm',
      provider: 'practice',
      baseUrl: 'http://localhost:1/v1',
    })
    expect(await settings.read()).toEqual({
      stored: {
        preferences: { ...defaultPreferences, theme: 'dark', textZoom: 1.5 },
        model: 'm',
        baseUrl: 'http://localhost:1/v1',
        provider: 'practice',
      },
      faults: [],
    })
  })

  it('forget a value for an empty text', async () => {
    const settings = openSettingsFile(nodeDisk, folder)
    await settings.change({ model: 'm', baseUrl: 'http://localhost:1/v1' })
    await settings.change({ model: '' })
    expect(await json()).toEqual({ baseUrl: 'http://localhost:1/v1' })
  })

  it('lose no change of two at the same time', async () => {
    const settings = openSettingsFile(nodeDisk, folder)
    await Promise.all([
      settings.change({ model: 'm' }),
      settings.change({ preferences: { theme: 'dark' } }),
      settings.change({ preferences: { density: 'compact' } }),
    ])
    expect(await json()).toEqual({
      model: 'm',
      preferences: { theme: 'dark', density: 'compact' },
    })
  })

  it.each([
    ['cut', '{"model": "m"'],
    ['no object', '[1]'],
    ['empty', ''],
  ])(
    'use the defaults when the file is %s, say so, and keep it beside the next',
    async (_name, text) => {
      await writeFile(file(), text)
      await writeFile(`${file()}.damaged-1`, 'an older one')
      const settings = openSettingsFile(nodeDisk, folder)
      const { stored, faults } = await settings.read()
      expect(stored).toEqual(defaults)
      expect(faults).toMatchObject([
        {
          file: 'settings.json',
          message: expect.stringMatching(
            /^settings\.json is damaged.*; the defaults are used\. The damaged file is kept when settings are saved\.$/,
          ),
        },
      ])
      expect(await readFile(file(), 'utf8')).toBe(text)
      await settings.change({ model: 'm' })
      expect(await json()).toEqual({ model: 'm' })
      expect(await readFile(`${file()}.damaged-1`, 'utf8')).toBe('an older one')
      expect(await readFile(`${file()}.damaged-2`, 'utf8')).toBe(text)
    },
  )

  it('stay as they are where nobody can read them at this moment', async () => {
    await writeFile(file(), '{"model": "m"}')
    const change = openSettingsFile(busyDisk, folder).change({ provider: 'practice' })
    await expect(change).rejects.toMatchObject({ code: 'io' })
    expect(await readdir(folder)).toEqual(['settings.json'])
    expect(await json()).toEqual({ model: 'm' })
  })

  it('are written through a link, as of a folder of dotfiles, and no file takes its place', async () => {
    const elsewhere = path.join(folder, 'elsewhere.json')
    await writeFile(elsewhere, '{"model": "m"}', { mode: 0o600 })
    await symlink(elsewhere, file())
    await openSettingsFile(nodeDisk, folder).change({ provider: 'practice' })
    expect((await lstat(file())).isSymbolicLink()).toBe(true)
    expect(JSON.parse(await readFile(elsewhere, 'utf8'))).toEqual({
      model: 'm',
      provider: 'practice',
    })
    expect((await lstat(elsewhere)).mode & 0o777).toBe(0o600)
  })

  it('take the place of a folder that has their name, which is kept beside', async () => {
    await mkdir(file())
    await openSettingsFile(nodeDisk, folder).change({ model: 'm' })
    expect(await json()).toEqual({ model: 'm' })
    expect((await readdir(folder)).sort()).toEqual(['settings.json', 'settings.json.damaged-1'])
  })

  it('use the default for a value that is not known, and say which', async () => {
    await writeFile(file(), '{"model": 5, "preferences": {"theme": "blue", "textZoom": 9}}')
    const { stored, faults } = await openSettingsFile(nodeDisk, folder).read()
    expect(stored).toEqual(defaults)
    expect(faults.map(({ key }) => key)).toEqual(['model', 'theme', 'textZoom'])
  })

  const root = (name: string) => ({ source: 'cycod' as const, path: path.resolve('/', name) })

  it('keep the roots of other systems, and what they do not know among them', async () => {
    const unknown = [
      { source: 'tomorrow', path: '/x' },
      { ...root('old'), colour: 'red' },
    ]
    await writeFile(file(), JSON.stringify({ sources: { future: 1, added: unknown } }))
    const settings = openSettingsFile(nodeDisk, folder)
    const change = (list: 'off' | 'added', name: string, isIn: boolean) =>
      settings.change({ sources: { list, root: root(name), isIn } })
    await change('added', 'new', true)
    await change('added', 'new', true)
    await change('off', 'default', true)
    expect(await json()).toEqual({
      sources: { future: 1, added: [...unknown, root('new')], off: [root('default')] },
    })
    const { stored, faults } = await settings.read()
    expect(stored.sources).toEqual({
      off: [root('default')],
      added: [root('old'), root('new')],
      backedUp: [],
    })
    expect(faults.map(({ key }) => key)).toEqual(['sources.added[0]'])
    await change('added', 'old', false)
    await change('off', 'default', false)
    expect(await json()).toEqual({ sources: { future: 1, added: [unknown[0], root('new')] } })
  })

  it('lose no root of two that are added at the same time', async () => {
    const settings = openSettingsFile(nodeDisk, folder)
    await Promise.all(
      ['a', 'b'].map((name) =>
        settings.change({ sources: { list: 'added', root: root(name), isIn: true } }),
      ),
    )
    expect((await settings.read()).stored.sources?.added).toEqual([root('a'), root('b')])
  })

  it.each([
    ['5', ['sources']],
    ['{"off": {}, "added": "x"}', ['sources.off', 'sources.added']],
    [
      '{"added": [null, {"source": "cycod"}, {"source": "cycod", "path": "relative"}]}',
      ['sources.added[0]', 'sources.added[1]', 'sources.added[2]'],
    ],
  ])('say which roots they do not understand: %s', async (sources, keys) => {
    await writeFile(file(), `{"model": "m", "sources": ${sources}}`)
    const { stored, faults } = await openSettingsFile(nodeDisk, folder).read()
    expect(faults.map(({ key }) => key)).toEqual(keys)
    expect(stored.model).toBe('m')
    expect(stored.sources?.added ?? []).toEqual([])
  })

  it('take a change where the roots are no object', async () => {
    await writeFile(file(), '{"sources": 5}')
    const settings = openSettingsFile(nodeDisk, folder)
    await settings.change({ sources: { list: 'off', root: root('a'), isIn: true } })
    expect(await json()).toEqual({ sources: { off: [root('a')] } })
  })

  it('stand as they were when the disk is full', async () => {
    await openSettingsFile(nodeDisk, folder).change({ model: 'm' })
    await expect(
      openSettingsFile(fullDisk, folder).change({ model: 'other' }),
    ).rejects.toMatchObject({
      code: 'disk-full',
    })
    expect(await json()).toEqual({ model: 'm' })
    expect(await readdir(folder)).toEqual(['settings.json'])
  })
})

describe('the key vault', () => {
  const openRouter = 'https://openrouter.ai/api/v1'
  const other = 'https://other.example/v1'
  // Turns every byte around: enough to see that no key stands in the file as it is.
  const cipher = (strength: 'strong' | 'weak' | 'none' = 'strong'): Cipher => ({
    strength: () => strength,
    encrypt: (text) => Buffer.from(text).map((byte) => byte ^ 0xff),
    decrypt: (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString(),
  })
  const file = () => path.join(folder, 'sub', 'keys')
  const vault = (with_: Cipher = cipher(), disk = nodeDisk) =>
    createFileVault({ disk, file: file(), cipher: with_ })

  it('gives a key back for the address it was entered for, whatever the path, and for no other', async () => {
    await vault().set(openRouter, 'sk-one')
    await vault().set(other, 'sk-two')
    const keys = vault()
    expect(await keys.get('https://openrouter.ai/something/else')).toBe('sk-one')
    expect(await keys.get(other)).toBe('sk-two')
    expect(await keys.get('https://openrouter.ai:8443/api/v1')).toBeUndefined()
    expect(await keys.get('http://openrouter.ai/api/v1')).toBeUndefined()
    expect(await keys.get('no address')).toBeUndefined()
    expect((await readFile(file())).includes('sk-one')).toBe(false)
  })

  it('loses no key of two that are set at the same time', async () => {
    const keys = vault()
    await Promise.all([keys.set(openRouter, 'sk-one'), keys.set(other, 'sk-two')])
    expect([await keys.get(openRouter), await keys.get(other)]).toEqual(['sk-one', 'sk-two'])
  })

  it('forgets a key, and the file with the last one', async () => {
    const keys = vault()
    await keys.set(openRouter, 'sk-one')
    await keys.set(other, 'sk-two')
    await keys.set(openRouter, null)
    expect([await keys.get(openRouter), await keys.get(other)]).toEqual([undefined, 'sk-two'])
    await keys.set(other, null)
    await keys.set(other, null)
    expect(await readdir(path.dirname(file()))).toEqual([])
  })

  it('says that a kept key cannot be read, and does not write over it', async () => {
    await mkdir(path.dirname(file()))
    await writeFile(file(), 'of another keychain')
    await expect(vault().get(openRouter)).rejects.toMatchObject({ code: 'unreadable' })
    await vault().set(openRouter, 'sk-new')
    expect(await vault().get(openRouter)).toBe('sk-new')
    expect(await readFile(`${file()}.damaged-1`, 'utf8')).toBe('of another keychain')
  })

  it('keeps its keys where nobody can read them at this moment', async () => {
    await vault().set(openRouter, 'sk-one')
    const busy = vault(cipher(), busyDisk)
    await expect(busy.get(openRouter)).rejects.toMatchObject({ code: 'unreadable' })
    await expect(busy.set(other, 'sk-two')).rejects.toMatchObject({ code: 'io' })
    expect([await vault().get(openRouter), await vault().get(other)]).toEqual(['sk-one', undefined])
  })

  it('keeps keys in memory alone where the system encrypts nothing', async () => {
    const keys = vault(cipher('none'))
    await keys.set(openRouter, 'sk-one')
    expect([await keys.get(openRouter), await vault(cipher('none')).get(openRouter)]).toEqual([
      'sk-one',
      undefined,
    ])
    await keys.set(openRouter, null)
    expect(await keys.get(openRouter)).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })

  it('says so when the disk is full, and keeps the old key', async () => {
    await vault().set(openRouter, 'sk-old')
    await expect(vault(cipher(), fullDisk).set(openRouter, 'sk-new')).rejects.toMatchObject({
      code: 'disk-full',
    })
    expect(await vault().get(openRouter)).toBe('sk-old')
  })

  it('keeps nothing for the command line', async () => {
    expect(await environmentVault.get(openRouter)).toBeUndefined()
    await expect(environmentVault.set(openRouter, 'k')).rejects.toMatchObject({ code: 'read-only' })
  })
})
