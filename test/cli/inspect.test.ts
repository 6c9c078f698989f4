import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { inspectCommand } from '../../src/cli/commands/inspect'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()

/** A home with a context, and something to say about it. */
async function home() {
  const place = path.join(temp(), 'home')
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
    fs.writeFileSync(path.join(place, name), text)
  }
  put('config.toml', 'api_key = "sk-secret"\nmodel = "some/model"\nfuel = 7\n')
  await run(contextsCommand, ['--home', place, 'new', 'garden'])
  put('prompts/chibi.md', 'The prompt of the home.\n')
  put('prompts/reflection.md', 'I like beans.')
  put('contexts/garden/todos.md', '- water\n- weed\n')
  const ask = (...argv: string[]) => run(inspectCommand, ['--home', place, ...argv])
  return { place, put, ask }
}

it('prints what a context is told, and each value with the place that says so', async () => {
  const { ask, put } = await home()
  put('contexts/garden/local.toml', 'model = "other/model"\n')
  const { out } = await ask('garden', '--json')
  const all = JSON.parse(out)
  expect(all).toMatchObject({
    context: 'garden',
    system_prompt: { value: 'The prompt of the home.\n' },
    reflection: { value: 'I like beans.' },
    todos: { value: '- water\n- weed\n' },
    goals: { value: null },
    model: { value: 'other/model', where: 'local.toml:1' },
    fuel: { value: '7', where: 'config.toml:3' },
    auto_compact: { where: 'default' },
    'api.temperature': { value: null },
  })
  const { out: text } = await ask('garden')
  expect(text).toMatch(/^fuel +7 {2}\(config\.toml:3\)$/m)
  expect(text).toMatch(/^todos +- water… \(15 characters\)$/m)
  expect(out + text).not.toContain('sk-secret')
})

it('prints one thing by its name, whole and alone', async () => {
  const { ask, place } = await home()
  expect((await ask('garden', 'todos')).out).toBe('- water\n- weed\n')
  expect((await ask('garden', 'reflection')).out).toBe('I like beans.\n')
  expect((await ask('garden', 'model')).out).toBe('some/model\n')
  expect((await ask('garden', 'goals')).out).toBe('')
  expect((await ask('garden', 'home')).out).toBe(`${place}\n`)
  expect(JSON.parse((await ask('garden', 'fuel', '--json')).out)).toEqual({
    context: 'garden',
    fuel: { value: '7', where: 'config.toml:3' },
  })
})

it('says what there is where a name is none, and never prints a key', async () => {
  const { ask } = await home()
  await expect(ask('garden', 'api_key')).rejects.toThrow(
    /^There is no "api_key"\. There are home, system_prompt, reflection, /,
  )
  await expect(ask('garden', 'toString')).rejects.toThrow(/^There is no "toString"/)
  await expect(ask('shed')).rejects.toThrow('There is no context "shed".')
  await expect(ask()).rejects.toThrow('needs one NAME')
})

it('a context is given a system prompt of its own, and it is taken away again', async () => {
  const { place, ask } = await home()
  const act = (...argv: string[]) => run(contextsCommand, ['--home', place, ...argv])
  expect((await act('prompt', 'garden', 'Be a gardener.')).words).toBe(
    '"garden" has a system prompt of its own.\n',
  )
  expect((await ask('garden', 'system_prompt')).out).toBe('Be a gardener.\n')
  const file = path.join(place, 'contexts/garden/system_prompt.md')
  expect(fs.readFileSync(file, 'utf8')).toBe('Be a gardener.')
  await act('prompt', 'garden', '')
  expect(fs.existsSync(file)).toBe(false)
  expect((await ask('garden', 'system_prompt')).out).toBe('The prompt of the home.\n')
  await expect(act('prompt', 'garden')).rejects.toThrow('There is no prompt')
  await expect(act('prompt', 'shed', 'x')).rejects.toThrow(/shed/)
})

it('a context is given a value of its own, which is looked at first, and nothing else of its file changes', async () => {
  const { place, put, ask } = await home()
  const act = (...argv: string[]) => run(contextsCommand, ['--home', place, ...argv])
  put('contexts/garden/local.toml', '# mine\nusername = "mira"\n')
  const local = () => fs.readFileSync(path.join(place, 'contexts/garden/local.toml'), 'utf8')
  await act('set', 'garden', 'username', 'nora')
  expect(local()).toBe('# mine\nusername = "nora"\n')
  expect((await ask('garden', 'username')).out).toBe('nora\n')
  await act('set', 'garden', 'api.temperature', '0.5')
  expect((await ask('garden', 'api.temperature')).out).toBe('0.5\n')
  await act('set', 'garden', 'username', '')
  expect((await ask('garden', 'username')).out).toBe('user\n')
  const before = local()
  await expect(act('set', 'garden', 'fuel', 'lots')).rejects.toThrow('fuel must be')
  await expect(act('set', 'garden', 'fule', '3')).rejects.toThrow('There is no setting "fule".')
  // Nobody can be asked here.
  await expect(act('set', 'garden', 'base_url', 'https://elsewhere.example/v1')).rejects.toThrow(
    /no terminal|stays as it is/,
  )
  expect(local()).toBe(before)
})
