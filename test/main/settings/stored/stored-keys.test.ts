import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { makeKeyTable } from '../../../../src/shared/model/keys/key-table'
import { defaultPreferences, isKeyFault } from '../../../../src/shared/model/settings/settings'
import { tempFolders } from '../../../support/temp-folder'

const tempFolder = tempFolders()

async function settingsWith(preferences: string) {
  const folder = tempFolder()
  const file = path.join(folder, 'settings.json')
  await writeFile(file, `{"preferences": ${preferences}}`)
  const settings = openSettingsFile(nodeDisk, folder)
  return {
    read: async () => {
      const { stored, faults } = await settings.read()
      return {
        keys: stored.preferences.keys,
        faults: faults.map(({ message }) => message),
        areOfKeys: faults.every(isKeyFault),
      }
    },
    change: settings.change,
    inFile: async () => JSON.parse(await readFile(file, 'utf8')).preferences.keys,
    files: async () => (await readdir(folder)).sort(),
  }
}

describe('keys of commands in settings.json', () => {
  it('are read as a person writes them, one or a list', async () => {
    const { read } = await settingsWith(
      '{"keys": {"map": "ctrl + shift + y", "find": ["F9", "Cmd+Alt+K"], "statistics": []}}',
    )
    expect(await read()).toEqual({
      keys: { map: ['Ctrl+Shift+Y'], find: ['F9', 'Ctrl+Alt+K'], statistics: [] },
      faults: [],
      areOfKeys: true,
    })
  })

  it('that are not understood cost themselves alone, are told, and stay through changes of others', async () => {
    const hostile = {
      map: ['Ctrl+Shift+Y', 'Hyper+Q', 7, { a: 1 }],
      find: true,
      'open-the-pod-bay-doors': 'Ctrl+O',
      __proto__x: 'F9',
      export: 'x'.repeat(500),
      skim: ['F9', 'Alt+X', 'Alt+Y', 'Alt+Z', 'Alt+Q'],
    }
    const { read, change, inFile } = await settingsWith(JSON.stringify({ keys: hostile }))
    const { keys, faults } = await read()
    expect(keys).toEqual({ map: ['Ctrl+Shift+Y'], skim: ['F9', 'Alt+X', 'Alt+Y', 'Alt+Z'] })
    expect(faults).toEqual([
      'keys.map has "Hyper+Q", which is no key such as "Ctrl+Shift+K".',
      'keys.map has 7, which is no key such as "Ctrl+Shift+K".',
      'keys.map has {"a":1}, which is no key such as "Ctrl+Shift+K".',
      'keys.find is neither a key nor a list of keys; the standard holds.',
      'keys.open-the-pod-bay-doors is of no command of this Skein; it stays in the file.',
      'keys.__proto__x is of no command of this Skein; it stays in the file.',
      `keys.export has "${'x'.repeat(58)}…, which is no key such as "Ctrl+Shift+K".`,
      'keys.skim has more than 4 keys; only the first 4 are used.',
    ])
    await change({ preferences: { keys: { ...keys, statistics: ['F12'] } } })
    expect(await inFile()).toEqual({ ...hostile, statistics: ['F12'] })
    await change({ preferences: { theme: 'dark' } })
    expect(await inFile()).toEqual({ ...hostile, statistics: ['F12'] })
    // What a person gives anew takes its place; the standard again is no entry.
    await change({ preferences: { keys: { map: ['F12'], find: ['F9'] } } })
    const { export: unread, 'open-the-pod-bay-doors': other } = hostile
    expect(await inFile()).toEqual({
      export: unread,
      'open-the-pod-bay-doors': other,
      __proto__x: 'F9',
      map: ['F12'],
      find: ['F9'],
    })
  })

  it('named like parts of objects are no commands', async () => {
    const { read, change, inFile } = await settingsWith(
      '{"keys": {"__proto__": "F9", "constructor": ["F9"], "toString": "F9"}}',
    )
    const { keys, faults } = await read()
    expect(keys).toEqual({})
    expect(faults).toHaveLength(3)
    await change({ preferences: { keys: { map: ['F12'] } } })
    expect(Object.keys(await inFile())).toEqual(['__proto__', 'constructor', 'toString', 'map'])
  })

  it('that are no object are told, and the file is kept beside the next', async () => {
    const { read, change, inFile, files } = await settingsWith('{"keys": "F9"}')
    expect(await read()).toEqual({
      keys: {},
      faults: ['keys is no object of commands; the standard keys hold.'],
      areOfKeys: true,
    })
    await change({ preferences: { keys: { map: ['F12'] } } })
    expect(await inFile()).toEqual({ map: ['F12'] })
    expect(await files()).toEqual(['settings.json', 'settings.json.damaged-1'])
  })

  it('are told one by one up to a number, whatever a file has', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`no-${at}`, 'F9']))
    const { read } = await settingsWith(JSON.stringify({ keys: many }))
    const { faults } = await read()
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('keys has 4980 more values that are not used.')
  })

  it('change only what a person has changed', async () => {
    const { read, change } = await settingsWith('{}')
    expect((await read()).keys).toEqual(defaultPreferences.keys)
    await change({ preferences: { keys: { map: ['Ctrl+Shift+Y'] } } })
    const table = makeKeyTable((await read()).keys, 'linux')
    expect(table.commandOf('Ctrl+Shift+Y')).toBe('map')
    expect(table.commandOf('Ctrl+P')).toBe('palette')
  })
})

it('the key of the quick entry is read as a person writes it, and one that would be missing elsewhere is none', async () => {
  const folder = tempFolder()
  const settings = openSettingsFile(nodeDisk, folder)
  const readWith = async (quickKey: unknown) => {
    await writeFile(
      path.join(folder, 'settings.json'),
      JSON.stringify({ preferences: { quickKey } }),
    )
    const { stored, faults } = await settings.read()
    return [stored.preferences.quickKey, faults.length]
  }
  expect(await readWith('alt + ctrl + space')).toEqual(['Ctrl+Alt+Space', 0])
  expect(await readWith('')).toEqual(['', 0])
  for (const wrong of ['Ctrl+C', 'Hyper+K', 7, ['Ctrl+Alt+K'], 'x'.repeat(99)])
    expect(await readWith(wrong)).toEqual(['', 1])
})

describe('the key of the quick entry', () => {
  /** Has Skein run on a platform until the test has ended. */
  function runOn(platform: string): void {
    const before = Object.getOwnPropertyDescriptor(process, 'platform')
    Object.defineProperty(process, 'platform', { ...before, value: platform })
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { ...before })
    })
  }

  it.each([
    ['win32', 'Ctrl+Alt+Q', ''],
    ['win32', 'Ctrl+Alt+Space', 'Ctrl+Alt+Space'],
    ['linux', 'Ctrl+Alt+Q', 'Ctrl+Alt+Q'],
    ['darwin', 'Alt+Shift+N', ''],
  ])('in a file that is read on %s is %s: “%s”', async (platform, keys, held) => {
    const folder = tempFolder()
    await writeFile(path.join(folder, 'settings.json'), `{"preferences": {"quickKey": "${keys}"}}`)
    const settings = openSettingsFile(nodeDisk, folder)
    runOn(platform)
    const { stored, faults } = await settings.read()
    expect([stored.preferences.quickKey, faults.length]).toEqual([held, held === '' ? 1 : 0])
  })

  it('is refused where it types a character on this system, whoever asks', async () => {
    const settings = openSettingsFile(nodeDisk, tempFolder())
    const change = { preferences: { quickKey: 'Ctrl+Alt+Q' } }
    runOn('win32')
    await expect(settings.change(change)).rejects.toMatchObject({
      code: 'bad-argument',
      message: 'Ctrl+Alt+Q types a character on keyboards that have AltGr.',
    })
    expect((await settings.read()).stored.preferences.quickKey).toBe('')
  })
})
