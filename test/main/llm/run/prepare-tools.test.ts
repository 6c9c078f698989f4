import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openPreparation } from '../../../../src/main/llm/run/prepare'
import { openSettings, type Settings } from '../../../../src/main/settings/settings'
import { openStore } from '../../../../src/main/store/open-store'

let folder: string
let home: string
let settings: Settings
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'skein-run-tools-'))
  home = path.join(folder, 'home')
  await mkdir(path.join(home, 'contexts', 'garden', 'transcript'), { recursive: true })
  await mkdir(path.join(home, 'contexts', 'kitchen', 'transcript'), { recursive: true })
  settings = openSettings({
    disk: nodeDisk,
    home,
    folder: path.join(folder, 'user'),
    vault: { strength: () => 'none', get: async () => undefined, set: async () => undefined },
    environment: {},
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const config = (text: string) => writeFile(path.join(home, 'config.toml'), text)
const local = (text: string) => writeFile(path.join(home, 'contexts', 'garden', 'local.toml'), text)

async function prepared(context = 'garden') {
  const endpoint = await settings.endpoint(context)
  const store = openStore({ home, disk: nodeDisk })
  const runSettings = (name: string) => settings.runSettings(name)
  const { input, deps } = await openPreparation({ disk: nodeDisk, store, runSettings }).prepare({
    context,
    endpoint,
  })
  return { tools: deps.tools ?? [], fuel: input.fuel }
}
async function toolsOf(context = 'garden') {
  const { tools, fuel } = await prepared(context)
  return { names: tools.map(({ name }) => name).sort(), fuel }
}
const faults = async () =>
  (await settings.view('garden')).faults.filter(({ key }) => key !== undefined)

const own = [
  'call_agent',
  'call_user',
  'file_grep',
  'file_head',
  'file_lines',
  'file_tail',
  'send_message',
  'update_goals',
  'update_reflection',
  'update_todos',
]
const ofFiles = ['dir_list', 'glob_files', 'grep_files', 'write_file']

describe('the tools of a run', () => {
  it('are those that find and write files nowhere where no folder is allowed, with fuel for 30', async () => {
    expect(await toolsOf()).toEqual({ names: own, fuel: 30 })
  })

  it('are those of files too where a folder is, and read there', async () => {
    await writeFile(path.join(folder, 'plan.md'), 'water the beans\n')
    await config(`file_tools_allowed_paths = [${JSON.stringify(folder)}]\nfuel = 0\n`)
    expect(await toolsOf()).toEqual({ names: [...own, ...ofFiles].sort(), fuel: 0 })
    const { tools } = await prepared()
    const read = tools.find(({ name }) => name === 'file_head')
    const { signal } = new AbortController()
    expect((await read?.run({ path: 'plan.md' }, signal))?.text).toContain('water the beans')
  })

  it('are none at all with no_tool_calls, which a context may turn back', async () => {
    await config('no_tool_calls = true\n')
    expect((await toolsOf()).names).toEqual([])
    await local('no_tool_calls = false\n')
    expect((await toolsOf()).names).toEqual(own)
    expect((await toolsOf('kitchen')).names).toEqual([])
  })

  it('are what include names, the context before the home, less what either excludes', async () => {
    await config('[tools]\ninclude = ["call_user", "send_message"]\nexclude = ["call_user"]\n')
    expect((await toolsOf()).names).toEqual(['send_message'])
    await local(
      '[tools]\ninclude = ["call_user", "update_todos", "update_goals"]\nexclude = ["update_goals"]\n',
    )
    expect((await toolsOf()).names).toEqual(['update_todos'])
  })

  it('follow the files from one run to the next', async () => {
    await config('fuel = 5\n')
    expect((await toolsOf()).fuel).toBe(5)
    await local('fuel = 7\n')
    expect((await toolsOf()).fuel).toBe(7)
  })
})

describe('the folders of the file tools', () => {
  it('begin in the person’s own folder where they are written with ~', async () => {
    await config('file_tools_allowed_paths = ["~", "~/letters/../notes"]\n')
    const { allowedPaths } = await settings.toolSettings('garden')
    expect(allowedPaths).toEqual([os.homedir(), path.join(os.homedir(), 'notes')])
  })

  it('leave out what is relative, or no text, with a fault that does not quote it', async () => {
    await config('file_tools_allowed_paths = ["secret/notes", "/srv/a", 3, "~otto/x", ""]\n')
    expect((await settings.toolSettings('garden')).allowedPaths).toEqual(['/srv/a'])
    const found = await faults()
    expect(found.map(({ file, line, key }) => [file, line, key])).toEqual(
      Array(4).fill(['config.toml', 1, 'file_tools_allowed_paths']),
    )
    expect(found[0]?.message).toBe(
      'Item 1 of file_tools_allowed_paths must be an absolute path, or one that begins with ~/; it is not used.',
    )
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  it('are the context’s own where it names some, also when none of them can be used', async () => {
    await config('file_tools_allowed_paths = ["/srv/a", "/srv/b"]\n')
    await local('file_tools_allowed_paths = ["/srv/b"]\n')
    expect((await settings.toolSettings('garden')).allowedPaths).toEqual(['/srv/b'])
    for (const text of ['["b"]', '"/srv/b"', '[]']) {
      await local(`file_tools_allowed_paths = ${text}\n`)
      expect([text, (await settings.toolSettings('garden')).allowedPaths]).toEqual([text, []])
    }
  })
})

describe('values that are not what they must be', () => {
  it('are not used, and told where the other settings are', async () => {
    await config(
      'no_tool_calls = "yes"\nfuel = -1\n[tools]\ninclude = "all"\nexclude = ["call_user", 7]\n',
    )
    expect(await toolsOf()).toEqual({ names: own.filter((name) => name !== 'call_user'), fuel: 30 })
    expect(
      (await faults()).map(({ line, message }) => `${line}: ${message.split(';')[0]}`),
    ).toEqual([
      '1: no_tool_calls must be true or false',
      '2: fuel must be a whole number of at least 0',
      '4: tools.include must be a list of texts',
      '5: Item 2 of tools.exclude must be a text',
    ])
  })
})
