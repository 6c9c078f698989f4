import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { pluginsCommand } from '../../src/cli/commands/homes/plugins'
import { toolCommand } from '../../src/cli/commands/tool'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { heardIn, recorder } from '../support/hook-recorder'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
const weather = `#!/bin/sh
if [ "$1" = --schema ]; then
  echo '{"name":"weather","description":"tells the weather","parameters":{"type":"object","properties":{}}}'
else
  echo "rain for $CHIBI_TOOL_ARGS"
fi
`

async function home() {
  const root = fs.realpathSync(temp())
  const [place, config, work] = ['home', 'config', 'work'].map((name) => path.join(root, name))
  if (place === undefined || config === undefined || work === undefined) throw new Error('no place')
  fs.mkdirSync(path.join(place, 'plugins'), { recursive: true })
  fs.mkdirSync(work)
  fs.writeFileSync(
    path.join(place, 'config.toml'),
    `file_tools_allowed_paths = ${JSON.stringify([work])}\n`,
  )
  fs.writeFileSync(path.join(place, 'plugins/weather'), weather, { mode: 0o755 })
  const log = path.join(root, 'heard.jsonl')
  fs.writeFileSync(path.join(place, 'plugins/recorder'), recorder(log), { mode: 0o755 })
  const act = (command: typeof toolCommand, ...argv: string[]) =>
    run(command, ['--home', place, ...argv], { config })
  const digest = async (name: string) =>
    JSON.parse((await act(pluginsCommand, 'look', name, '--json')).out).hash
  for (const name of ['weather', 'recorder'])
    await act(pluginsCommand, 'trust', name, '--digest', await digest(name))
  await act(contextsCommand, 'new', 'garden')
  return { place, work, act, digest, heard: heardIn(log) }
}

it('runs a tool of a plugin by hand, and prints what it gives', async () => {
  const { act } = await home()
  expect(await act(toolCommand, '-C', 'garden', 'weather', '{"town":"Ulm"}')).toEqual({
    code: 0,
    out: 'rain for {"town":"Ulm"}\n',
    words: '',
  })
  expect((await act(toolCommand, '-C', 'garden', 'weather')).out).toBe('rain for {}\n')
})

it('runs a tool of Skein by hand, as plugins change it, and nothing stands in the transcript of it', async () => {
  const { place, act, heard } = await home()
  heard()
  const { code } = await act(toolCommand, '-C', 'garden', 'update_todos', '{"content":"- mine"}')
  expect(code).toBe(0)
  expect(fs.readFileSync(path.join(place, 'contexts/garden/todos.md'), 'utf8')).toBe(
    '- as the plugin wants',
  )
  const told = heard()
  expect(told.map(({ point }) => point)).toEqual(['on_start', 'pre_tool', 'post_tool', 'on_end'])
  expect(told[2]?.data.arguments).toEqual({ content: '- as the plugin wants' })
  expect(
    fs.readFileSync(path.join(place, 'contexts/garden/transcript/active.jsonl'), 'utf8'),
  ).not.toContain('update_todos')
})

it('a tool that writes runs where a person allows it, and not where nobody can be asked', async () => {
  const { work, act } = await home()
  const line = ['-C', 'garden', 'write_file', '{"path":"plan.md","content":"Sow."}']
  const denied = await act(toolCommand, ...line)
  expect([denied.code, denied.out]).toEqual([1, ''])
  expect(denied.words).toContain('--allow write_file lets it run')
  expect(fs.readdirSync(work)).toEqual([])
  expect((await act(toolCommand, ...line, '--allow', 'write_file')).code).toBe(0)
  expect(fs.readFileSync(path.join(work, 'plan.md'), 'utf8')).toBe('Sow.')
})

it('lists the tools of a context, without those that hand on the word of a run', async () => {
  const { act } = await home()
  const { out } = await act(toolCommand, '-C', 'garden', '--json')
  const names = JSON.parse(out).tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['update_todos', 'write_file', 'weather', 'note_it']),
  )
  expect(names).not.toContain('call_user')
  expect((await act(toolCommand, '-C', 'garden')).out).toMatch(/^weather {2}tells the weather$/m)
})

it('says what is wrong with a call, and runs nothing', async () => {
  const { place, act } = await home()
  await expect(act(toolCommand, '-C', 'garden', 'wether')).rejects.toThrow(
    'There is no tool "wether".',
  )
  await expect(act(toolCommand, '-C', 'shed', 'weather')).rejects.toThrow(
    'There is no context "shed".',
  )
  await expect(act(toolCommand, 'weather')).rejects.toThrow('needs --context NAME')
  const torn = await act(toolCommand, '-C', 'garden', 'weather', '{"town"')
  expect([torn.code, torn.out]).toEqual([1, ''])
  expect(torn.words).toMatch(/^Error: /)
  const writer = await openStore({ home: place, disk: nodeDisk }).openWriter('garden', {
    create: false,
  })
  await writer.close()
})

it('trusts exactly the content whose digest was given, and takes that back', async () => {
  const { place, act, digest } = await home()
  const file = path.join(place, 'plugins/weather')
  const first = await digest('weather')
  fs.appendFileSync(file, '# more\n')
  await expect(act(pluginsCommand, 'trust', 'weather', '--digest', first)).rejects.toThrow(
    'It was not trusted.',
  )
  await expect(
    act(pluginsCommand, 'trust', 'weather', '--digest', first.slice(0, 12)),
  ).rejects.toThrow('64 hexadecimal digits')
  expect((await act(pluginsCommand)).out).toMatch(/^weather {2}changed {2}[0-9a-f]{64}$/m)
  await act(pluginsCommand, 'trust', 'weather', '--digest', (await digest('weather')).toUpperCase())
  expect((await act(pluginsCommand)).out).toMatch(
    /^weather {2}trusted {2}[0-9a-f]{64} {2}weather$/m,
  )
  await act(pluginsCommand, 'distrust', 'weather')
  expect((await act(pluginsCommand)).out).toMatch(/^weather {2}untrusted {2}[0-9a-f]{64}$/m)
})

it('shows the digest, files, variables and text of a plugin, and trusts none where nobody can be asked', async () => {
  const { place, act, digest } = await home()
  await act(pluginsCommand, 'distrust', 'weather')
  const { out } = await act(pluginsCommand, 'look', 'weather')
  expect(out).toContain(`SHA-256    ${await digest('weather')}\n`)
  expect(out).toMatch(new RegExp(`^file {7}weather {2}${weather.length} bytes$`, 'm'))
  expect(out).toMatch(/^variables {2}.*CHIBI_HOME.*PATH.*$/m)
  expect(out).toContain(weather)
  await expect(act(pluginsCommand, 'trust', 'weather')).rejects.toThrow(
    'There is no terminal to ask at. Check it with "skein plugins look", then give its digest',
  )
  await expect(act(pluginsCommand, 'look', 'rain')).rejects.toThrow(
    'The plugin rain no longer exists.',
  )
  expect(fs.existsSync(path.join(place, 'plugins/weather'))).toBe(true)
})
