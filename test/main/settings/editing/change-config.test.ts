import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { changeConfig } from '../../../../src/main/settings/editing/change-config'
import { openSettings, type Settings } from '../../../../src/main/settings/settings'
import { faultyDisk } from '../../../support/faulty-disk'
import { allowed } from '../../../support/permissions'
import { tempFolders } from '../../../support/temp-folder'

const isKnownAddress = async () => false

const folder = tempFolders()
let home: string
let settings: Settings
beforeEach(() => {
  home = path.join(folder(), 'home')
  fs.mkdirSync(path.join(home, 'contexts', 'garden'), { recursive: true })
  settings = settingsOf(nodeDisk)
})

function settingsOf(disk: Disk): Settings {
  return openSettings({
    disk,
    home,
    folder: path.join(home, '..', 'user'),
    vault: { strength: () => 'none', get: async () => undefined, set: async () => undefined },
    environment: {},
  })
}

const config = () => path.join(home, 'config.toml')
const local = () => path.join(home, 'contexts', 'garden', 'local.toml')
const text = (file: string) => fs.readFileSync(file, 'utf8')
const set = (key: string, value: string | null, was: string | null = null) =>
  settings.setValue({ key, value, was, file: 'config.toml' }, undefined, allowed)
const inContext = (key: string, value: string | null, context = 'garden') =>
  settings.setValue({ key, value, was: null, file: 'local.toml' }, context, allowed)

describe('a value set in a file', () => {
  it('changes its line, and holds', async () => {
    const before = '\uFEFF# mine\r\nfuel = 7 # rounds\r\nunknown = [1,\r\n 2]\r\n'
    fs.writeFileSync(config(), before, { mode: 0o640 })
    await set('fuel', '9', '7')
    expect(text(config())).toBe(before.replace('7', '9'))
    expect(fs.statSync(config()).mode & 0o777).toBe(0o640)
    expect((await settings.runSettings()).fuel).toBe(9)
    await set('fuel', null, '9')
    expect(text(config())).toBe(before.replace('fuel = 7 ', ''))
    expect((await settings.runSettings()).fuel).toBe(30)
  })

  it.each([
    ['fuel', '12', 'fuel = 12\n'],
    ['auto_compact', 'true', 'auto_compact = true\n'],
    ['warn_threshold_percent', '80', 'warn_threshold_percent = 80.0\n'],
    ['api.temperature', '0.25', '[api]\ntemperature = 0.25\n'],
    ['api.max_tokens', '4096', '[api]\nmax_tokens = 4096\n'],
    ['api.reasoning.effort', 'high', '[api.reasoning]\neffort = "high"\n'],
    ['api.stop', '["\\n", "END"]', '[api]\nstop = ["\\n", "END"]\n'],
    ['api.tool_choice', 'required', '[api]\ntool_choice = "required"\n'],
    [
      'api.tool_choice',
      '{ type = "function", function = { name = "a" } }',
      '[api]\ntool_choice = { type = "function", function = { name = "a" } }\n',
    ],
    ['api.response_format', '{type="text"}', '[api]\nresponse_format = { type = "text" }\n'],
    ['tools.include', 'a\n b \n\n', '[tools]\ninclude = ["a", "b"]\n'],
    ['file_tools_allowed_paths', '/a b\n~/c', 'file_tools_allowed_paths = ["/a b", "~/c"]\n'],
    ['username', ' a "b" \\ ', 'username = "a \\"b\\" \\\\"\n'],
    ['base_url', 'http://localhost:1/v1', 'base_url = "http://localhost:1/v1"\n'],
  ])('%s = %j is written as chibi reads it, and found again', async (key, value, written) => {
    await set(key, value)
    expect(text(config())).toBe(written)
    const view = await settings.config()
    const found = view.values.find((each) => each.key === key)
    expect([view.faults, found?.inConfig?.value === undefined]).toEqual([[], false])
    // What is shown can be given back, and changes nothing.
    await set(key, found?.inConfig?.value ?? '', found?.inConfig?.value)
    expect(text(config())).toBe(written)
  })

  it.each([
    ['fuel', 'many', 'fuel must be a whole number of at least 0.'],
    ['fuel', '', 'fuel must be a whole number of at least 0.'],
    ['fuel', '1e400', 'fuel must be a whole number of at least 0.'],
    ['auto_compact', 'yes', 'auto_compact must be true or false.'],
    ['fallback_tool', 'x', 'fallback_tool must be one of call_user, call_agent.'],
    ['username', '  ', 'username must be text.'],
    ['file_tools_allowed_paths', 'relative', 'file_tools_allowed_paths must be a list of folders.'],
    ['api.stop', '["a"]\nb = 1', 'api.stop must be a list of texts.'],
    ['api.stop', '"a"', 'api.stop must be a list of texts.'],
    [
      'base_url',
      'nonsense',
      'base_url is not a web address; it must look like https://openrouter.ai/api/v1.',
    ],
    ['api_key', 'sk-1', 'There is no setting "api_key".'],
    ['unknown', '1', 'There is no setting "unknown".'],
    ['__proto__', '1', 'There is no setting "__proto__".'],
  ])('%s = %j is refused in words, and nothing is written', async (key, value, message) => {
    await expect(set(key, value)).rejects.toMatchObject({ code: 'bad-argument', message })
    expect(fs.existsSync(config())).toBe(false)
  })

  it('goes to the context’s file where it is of the context, which must be there', async () => {
    await inContext('fuel', '3')
    expect([text(local()), fs.existsSync(config())]).toEqual(['fuel = 3\n', false])
    expect((await settings.runSettings('garden')).fuel).toBe(3)
    for (const name of ['nobody', '../garden', '..', 'a/b', ''])
      await expect(inContext('fuel', '3', name)).rejects.toMatchObject({ code: 'not-found' })
    expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual(['garden'])
    await expect(inContext('lock_heartbeat_seconds', '3')).rejects.toMatchObject({
      message: 'lock_heartbeat_seconds holds for the whole home: set it in config.toml.',
    })
  })

  it('makes the home where it is not there yet', async () => {
    fs.rmSync(home, { recursive: true })
    await set('fuel', null)
    expect(fs.existsSync(home)).toBe(false)
    await set('fuel', '1')
    expect(text(config())).toBe('fuel = 1\n')
  })

  it('keeps a link, and changes what it leads to', async () => {
    const real = path.join(home, 'dotfile')
    fs.writeFileSync(real, 'fuel = 1\n')
    fs.symlinkSync('dotfile', config())
    await set('fuel', '2', '1')
    expect([fs.readlinkSync(config()), text(real)]).toEqual(['dotfile', 'fuel = 2\n'])
  })

  it('does not touch a file that is no TOML, and names the line', async () => {
    const broken = 'fuel = 1\napi_key = sk-secret\n'
    fs.writeFileSync(config(), broken)
    const failed = await set('fuel', '2').catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'unreadable', message: expect.stringContaining('Line 2') })
    expect(String(failed)).not.toContain('sk-secret')
    fs.writeFileSync(config(), Buffer.from([0x61, 0xff]))
    await expect(set('fuel', '2')).rejects.toMatchObject({ code: 'unreadable' })
    expect(fs.readFileSync(config())).toEqual(Buffer.from([0x61, 0xff]))
  })

  it('is refused where the file says something else than what was looked at', async () => {
    fs.writeFileSync(config(), 'fuel = 8\n')
    for (const was of ['7', null])
      await expect(set('fuel', '9', was)).rejects.toMatchObject({ code: 'busy' })
    await expect(set('username', 'a', 'b')).rejects.toMatchObject({ code: 'busy' })
    expect(text(config())).toBe('fuel = 8\n')
  })

  it('takes the place of a bad one, and takes it out', async () => {
    fs.writeFileSync(config(), 'fuel = "x" # c\n[api]\nseed = 1.5\n')
    await set('fuel', '5')
    expect(text(config())).toBe('fuel = 5 # c\n[api]\nseed = 1.5\n')
    await set('api.seed', null)
    expect(text(config())).toBe('fuel = 5 # c\n[api]\n')
  })

  it('says what it cannot change', async () => {
    fs.writeFileSync(config(), 'api = 5\n[tools]\ninclude = [\n  "a", # why\n]\n')
    await expect(set('api.seed', '1')).rejects.toMatchObject({
      code: 'bad-argument',
      message: 'config.toml has api as a value, where a table is needed.',
    })
    await expect(set('tools.include', 'b', 'a')).rejects.toMatchObject({
      message:
        'config.toml has comments within tools.include, which would be lost; change it in the file.',
    })
  })

  it('is no other address where a key would follow it', async () => {
    const address = (value: string | null, was: string | null = null) => set('base_url', value, was)
    const refused = (key: string) => ({
      code: 'bad-argument',
      message: `The address was not changed: ${key} would be sent to the new one too. Remove the key there first.`,
    })
    const own = 'base_url = "https://a.example/v1"\napi_key = "sk-1"\n'
    fs.writeFileSync(config(), own)
    const to = address('https://b.example/v1', 'https://a.example/v1')
    await expect(to).rejects.toMatchObject(refused('the api_key in config.toml'))
    await expect(address(null, 'https://a.example/v1')).rejects.toMatchObject(
      refused('the api_key in config.toml'),
    )
    expect(text(config())).toBe(own)
    // Another path at the same server is no other place.
    await address('https://a.example/v2', 'https://a.example/v1')
    expect(text(config())).toBe(own.replace('v1', 'v2'))

    fs.writeFileSync(config(), '')
    fs.writeFileSync(local(), 'api_key = "sk-2"\n')
    await expect(address('https://b.example/v1')).rejects.toMatchObject(
      refused('the api_key in contexts/garden/local.toml'),
    )
    const inLocal = { key: 'base_url', value: 'https://b.example/v1', was: null } as const
    await expect(
      settings.setValue({ ...inLocal, file: 'local.toml' }, 'garden', allowed),
    ).rejects.toMatchObject(refused('the api_key in local.toml'))
    fs.writeFileSync(local(), '')
    const change = { ...inLocal, file: 'config.toml' } as const
    const environment = { CHIBI_API_KEY: 'sk-3' }
    await expect(
      changeConfig(
        { disk: nodeDisk, home, environment, isKnownAddress },
        change,
        undefined,
        allowed,
      ),
    ).rejects.toMatchObject(refused('the key in CHIBI_API_KEY'))
    await address('https://b.example/v1')
    expect(text(config())).toBe('base_url = "https://b.example/v1"\n')
  })

  it('is written over nothing that came meanwhile', async () => {
    fs.writeFileSync(config(), 'fuel = 1\n')
    // Somebody else saves the file right after it was read.
    const disk: Disk = {
      ...nodeDisk,
      async open(file, mode) {
        if (mode === 'create-new') fs.writeFileSync(config(), 'fuel = 1\nusername = "me"\n')
        return nodeDisk.open(file, mode)
      },
    }
    const change = { key: 'fuel', value: '2', was: '1', file: 'config.toml' } as const
    await expect(
      changeConfig({ disk, home, environment: {}, isKnownAddress }, change, undefined, allowed),
    ).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('nothing was written'),
    })
    expect(text(config())).toBe('fuel = 1\nusername = "me"\n')
    expect(fs.readdirSync(home).sort()).toEqual(['config.toml', 'contexts'])
  })

  it('is there or not, whichever call of the disk fails', async () => {
    const change = { key: 'fuel', value: '2', was: '1', file: 'config.toml' } as const
    let failed = 0
    for (let at = 1; at < 20; at++) {
      fs.writeFileSync(config(), 'fuel = 1\n')
      const disk = faultyDisk(nodeDisk, { at, fault: at % 2 ? 'no-space' : 'short-write' })
      const end = await changeConfig(
        { disk, home, environment: {}, isKnownAddress },
        change,
        undefined,
        allowed,
      ).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (end !== undefined) failed++
      expect(['fuel = 1\n', 'fuel = 2\n']).toContain(text(config()))
      if (end === undefined) expect(text(config())).toBe('fuel = 2\n')
      expect(fs.readdirSync(home).sort()).toEqual(['config.toml', 'contexts'])
    }
    expect(failed).toBeGreaterThan(3)
  })

  it('loses none of two at a time', async () => {
    await Promise.all([set('fuel', '1'), set('username', 'a'), set('api.seed', '2')])
    expect(text(config())).toBe('fuel = 1\nusername = "a"\n\n[api]\nseed = 2\n')
  })
})
