import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Practice } from '../../src/main/practice/launch'
import { RunEvent } from '../../src/shared/model/run/run'
import { bundled } from '../support/bundled'
import { checkHome } from '../support/chibi-checker/home'
import { startPracticeForTests } from '../support/practice'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { type AskPlace, askPlace, hasTerminal, key, skeinAsk } from './ask-process'

const temp = tempFolders(memoryFolder)
const program = bundled('src/cli/index.ts')
let practice: Practice
beforeAll(async () => {
  practice = await startPracticeForTests()
})
afterAll(() => practice.close())

const here = () => askPlace(temp())

/** Asks the practice model; whatever happens, the home is by chibi's rules afterwards. */
async function ask(
  place: AskPlace,
  argv: readonly string[],
  more: Parameters<typeof skeinAsk>[4] = {},
) {
  const asked = await skeinAsk(program(), place, practice.url, argv, more)
  expect(checkHome(place.home, { secrets: [key] })).toEqual([])
  return asked
}

/** The entries of a context, without the store's code. */
function entries(place: AskPlace, context = 'garden'): readonly Record<string, string>[] {
  const file = path.join(place.home, 'contexts', context, 'transcript/active.jsonl')
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const write = '/tool write_file {"path":"plan.md","content":"Water.\\n"}'

describe('tools', () => {
  it('take notes, and write where the command line allows it', async () => {
    const place = here()
    await ask(place, ['--context', 'shed', 'A shed.'])
    const { code, out, words } = await ask(
      place,
      ['--context', 'garden', '--allow', 'write_file', '--allow', 'send_message'],
      {
        own: 'process',
        input: `Plan it.\n/tool update_todos {"content":"- [ ] beds"}\n${write}\n/tool send_message {"to":"shed","content":"Rain."}\n`,
      },
    )
    expect({ code, words }).toEqual({ code: 0, words: '' })
    // The words beside the calls and the answer are two paragraphs.
    expect(out).toMatch(/Calling `update_todos`, `write_file`, `send_message`\.\n\n\*\*Practice/)
    expect(out.endsWith('\n')).toBe(true)
    expect(fs.readFileSync(path.join(place.work, 'plan.md'), 'utf8')).toBe('Water.\n')
    expect(fs.readFileSync(path.join(place.home, 'contexts/garden/todos.md'), 'utf8')).toBe(
      '- [ ] beds',
    )

    // What was sent is delivered with the next message there, once.
    await ask(place, ['--context', 'shed', 'Any news?'])
    const news = entries(place, 'shed').filter(({ content }) => content?.includes('Rain.'))
    expect(news.find(({ role }) => role === 'user')?.content).toContain('[From: garden] Rain.')
    await ask(place, ['--context', 'shed', 'And now?'])
    const now = entries(place, 'shed').filter((one) => one.role === 'user')
    expect(now.filter(({ content }) => content?.includes('[From: garden]'))).toHaveLength(1)
  })

  it('that write do not run where nobody can be asked', async () => {
    const place = here()
    const { code, words } = await ask(place, ['--context', 'garden'], { input: write })
    expect(code).toBe(0)
    expect(words).toBe(
      'write_file was not run: there is no terminal to ask at. --allow write_file lets it run.\n',
    )
    const result = entries(place).find((one) => one.entry_type === 'tool_result')
    expect(result?.content).toMatch(/^Error: this needs approval first, and nobody could/)
    expect(fs.readdirSync(place.work)).toEqual([])
  })

  it('are not offered with --no-tools', async () => {
    const place = here()
    const { code } = await ask(place, ['--context', 'garden', '--no-tools'], { input: write })
    expect(code).toBe(0)
    expect(entries(place).map((one) => one.entry_type)).not.toContain('tool_call')
  })

  it('are halted when the fuel is gone', async () => {
    const place = here()
    const input = '/again\n/tool update_todos {"content":"a"}'
    const { code, words } = await ask(place, ['--context', 'garden', '--fuel', '1'], { input })
    expect(code).toBe(1)
    expect(words).toContain('fuel')
    expect(entries(place).filter((one) => one.entry_type === 'tool_call').length).toBeLessThan(3)
  })

  it('end a turn with words, which are printed', async () => {
    const input = '/silent\n/tool call_user {"message":"Which one?"}'
    const { code, out } = await ask(here(), ['--context', 'garden'], { input })
    expect({ code, out }).toEqual({ code: 0, out: 'Which one?\n' })
  })
})

describe.skipIf(!hasTerminal())('at a terminal', () => {
  it('a person is shown what would change, and allows it', async () => {
    const place = here()
    fs.writeFileSync(path.join(place.work, 'plan.md'), 'Sow.\n')
    const { code, out } = await ask(place, ['--context', 'garden', write], {
      types: ['what?', 'y'],
    })
    expect(code).toBe(0)
    expect(out).toContain('-Sow.')
    expect(out).toContain('+Water.')
    expect(out).toContain('Allow it? [y] yes, [a] always in this run, [n] no: ')
    // What tools do is told as it happens.
    expect(out).toContain('> write_file {"path":"plan.md"')
    expect(fs.readFileSync(path.join(place.work, 'plan.md'), 'utf8')).toBe('Water.\n')
    const result = entries(place).find((one) => one.entry_type === 'tool_result')
    expect(result?.metadata).toEqual({ consent: 'once' })
  })

  it('a person denies it', async () => {
    const place = here()
    const { out } = await ask(place, ['--context', 'garden', write], { types: ['n'] })
    expect(out).toContain('Allow it?')
    expect(fs.readdirSync(place.work)).toEqual([])
    const result = entries(place).find((one) => one.entry_type === 'tool_result')
    expect(result).toMatchObject({ metadata: { consent: 'denied' } })
  })

  it('a word for always holds for this run alone', async () => {
    const place = here()
    const twice = `${write}\n/tool write_file {"path":"other.md","content":"x"}`
    const { out } = await ask(place, ['--context', 'garden', twice], { types: ['a'] })
    expect(out.split('Allow it?')).toHaveLength(2)
    expect(fs.readdirSync(place.work).sort()).toEqual(['other.md', 'plan.md'])
    const { out: again } = await ask(place, ['--context', 'garden', write], { types: ['n'] })
    expect(again).toContain('Allow it?')
  })
})

describe('what is printed', () => {
  it('is one value with --json', async () => {
    const { out } = await ask(here(), ['--context', 'garden', '--json', 'Hello.'])
    const { context, outcome, entries: told } = JSON.parse(out)
    expect({ context, outcome }).toEqual({ context: 'garden', outcome: 'complete' })
    expect(told.map((one: { entry_type: string }) => one.entry_type)).toEqual([
      'message',
      'message',
    ])
    const failed = await ask(here(), ['--context', 'garden', '--json', '/fail 402'])
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({
      outcome: 'failed',
      failure: { kind: 'no-credit' },
    })
  })

  it('is an event a line with --events', async () => {
    const input = '/reason\n/tool update_todos {"content":"a"}'
    const { out } = await ask(here(), ['--context', 'garden', '--events'], { input })
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => RunEvent.parse(JSON.parse(line)))
    const types = new Set(events.map(({ type }) => type))
    expect(types).toEqual(new Set(['appended', 'requested', 'delta', 'tool', 'ended']))
    expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
  })
})

it('stops at Ctrl+C with what came, and goes on the next time', async () => {
  const place = here()
  const argv = ['--context', 'garden', 'Slowly, please. /slow /long 20']
  let isInterrupted = false
  const { code, words } = await ask(place, argv, {
    seen(out, kill) {
      // A second one would end it at once.
      if (out.length < 5 || isInterrupted) return
      isInterrupted = true
      kill('SIGINT')
    },
  })
  expect({ code, words }).toEqual({ code: 130, words: 'Stopped. The partial answer is kept.\n' })
  expect(entries(place).at(-1)).toMatchObject({ metadata: { interrupted: 'stopped' } })
  expect((await ask(place, ['--context', 'garden', 'Go on.'])).code).toBe(0)
})
