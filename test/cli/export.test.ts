import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/command/arguments'
import type { CommandContext } from '../../src/cli/command/command'
import { exportCommand } from '../../src/cli/commands/export'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { tempFolders } from '../support/temp-folder'

const folder = tempFolders()
const cycodRoot = path.resolve(import.meta.dirname, '../fixtures/readers/cycod/input')
const home = path.resolve(import.meta.dirname, '../fixtures/chibi/home-v09')

/** Runs `skein export`; what it says and what it writes, in the order of both. */
async function run(...argv: readonly string[]) {
  const all: { readonly to: 'out' | 'words'; readonly text: string }[] = []
  const known = { export: exportCommand.flags }
  const context: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output' | 'signal'> = {
    args: parseArguments(['export', ...argv], [], known),
    disk: nodeDisk,
    // Nobody's settings lie in a device.
    environment: { XDG_CONFIG_HOME: '/dev/null' },
    output: {
      async write(text) {
        all.push({ to: 'out', text: String(text) })
      },
      say(text) {
        all.push({ to: 'words', text })
      },
      isTerminal: false,
    },
    signal: new AbortController().signal,
  }
  // The command uses nothing else of its context.
  const code = await exportCommand.run(context as CommandContext)
  const of = (stream: 'out' | 'words') =>
    all.filter(({ to }) => to === stream).map(({ text }) => text)
  return { code, out: of('out').join(''), words: of('words'), order: all.map(({ to }) => to) }
}

it('says what has no place in the format before it writes, and writes the rest', async () => {
  const key = 'chat-history-1754437000000'
  const { code, out, words, order } = await run(
    key,
    '--root',
    `cycod=${cycodRoot}`,
    '--format',
    'fluux',
  )

  expect(code).toBe(0)
  expect(words.length).toBeGreaterThan(0)
  for (const sentence of words) expect(sentence).toMatch(/\d+ .*\.$/)
  expect(words.join('\n')).toContain('tool calls and results are left out.')
  expect(order).toEqual([...words.map(() => 'words'), ...order.filter((to) => to === 'out')])
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, 2).map(({ type }) => type)).toEqual(['session', 'message'])
})

it.each(['txt', 'csv', 'openai', 'chibi', 'cycod', 'fluux', 'voicemode'])(
  'writes %s to standard output and to a file alike',
  async (format) => {
    const target = path.join(folder(), 'out')
    const { out } = await run('default', '--home', home, '--format', format)
    const { words } = await run('default', '--home', home, '--format', format, '-o', target)

    expect(out).toContain('Zyzzyva')
    expect(await fs.readFile(target, 'utf8')).toBe(out)
    expect(words.at(-1)).toMatch(/^\d+ entries, \d+ bytes in /)
  },
)

it('loses nothing of a chibi transcript in the form of chibi', async () => {
  const { words, out } = await run('default', '--home', home, '--format', 'chibi')
  const folder = path.join(home, 'contexts/default/transcript')
  const files = (await fs.readdir(path.join(folder, 'partitions'))).filter((name) =>
    name.endsWith('.jsonl'),
  )
  const paths = [...files.sort().map((name) => `partitions/${name}`), 'active.jsonl']
  const original = await Promise.all(
    paths.map((name) => fs.readFile(path.join(folder, name), 'utf8')),
  )

  expect(words).toEqual([])
  expect(out).toBe(original.join(''))
})

it('writes the original byte for byte, to standard output and to a file', async () => {
  const key = 'chat-history-1754437000000'
  const source = path.join(cycodRoot, 'history', `${key}.jsonl`)
  const target = path.join(folder(), 'out')
  const options = [key, '--root', `cycod=${cycodRoot}`, '--format', 'original']
  const { out, words } = await run(...options)
  await run(...options, '-o', target)

  expect(words).toEqual([])
  expect((await fs.readFile(target)).equals(await fs.readFile(source))).toBe(true)
  expect(out).toBe(await fs.readFile(source, 'utf8'))
})

it('writes the original of a context of chibi', async () => {
  const [{ out: original }, { out: lines }] = [
    await run('default', '--home', home, '--format', 'original'),
    await run('default', '--home', home, '--format', 'chibi'),
  ]
  expect(original).toBe(lines)
})

it('has no part of the original', async () => {
  const words = ['default', '--home', home, '--format', 'original', '--branches', 'active']
  await expect(run(...words)).rejects.toThrow('The original holds every branch.')
})

it('writes no export among what is read', async () => {
  const root = folder()
  await fs.cp(cycodRoot, root, { recursive: true })
  const source = path.join(root, 'history/chat-history-1754437000000.jsonl')
  const [before, names] = [await fs.readFile(source), await fs.readdir(path.dirname(source))]
  const key = 'chat-history-1754437000000'
  for (const target of [source, path.join(path.dirname(source), 'out.md')])
    await expect(run(key, '--root', `cycod=${root}`, '-o', target)).rejects.toMatchObject({
      code: 'bad-argument',
      message: `The export was not written: ${target} lies in what is read and never written to: ${root}.`,
    })

  expect(await fs.readFile(source)).toEqual(before)
  expect(await fs.readdir(path.dirname(source))).toEqual(names)
})

it('writes no export into a transcript of chibi', async () => {
  const own = folder()
  await fs.cp(home, own, { recursive: true })
  const target = path.join(own, 'contexts/default/transcript/active.jsonl')
  const before = await fs.readFile(target)
  await expect(run('default', '--home', own, '-o', target)).rejects.toMatchObject({
    code: 'bad-argument',
  })
  expect(await fs.readFile(target)).toEqual(before)
})

it('takes - for standard output', async () => {
  const { out, words } = await run('default', '--home', home, '-o', '-')
  expect(out).toBe((await run('default', '--home', home)).out)
  expect(words.some((one) => one.includes('bytes in'))).toBe(false)
})

it('writes the path to where a conversation is now, unless every branch is asked for', async () => {
  const root = path.resolve(import.meta.dirname, '../fixtures/readers/claude-code/input')
  const session = ['5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f', '--root', `claude-code=${root}`]
  const page = await run(...session, '--format', 'md')
  expect(page.out).toContain('water them in the evening')
  expect(page.out).not.toContain('water them at noon')
  const all = await run(...session, '--format', 'md', '--branches', 'all')
  expect(all.out).toContain('water them at noon')
  const [one] = JSON.parse((await run(...session, '--format', 'json')).out).conversations
  expect(one.entries.length - one.active.length).toBe(2)
})

it('writes a session to continue into a folder, under the name by which its program finds it, and never over another', async () => {
  const target = folder()
  const options = ['default', '--home', home, '--format', 'pi']
  const { words } = await run(...options, '-o', target)
  const [name = ''] = await fs.readdir(target)
  const file = path.join(target, name)
  const [header = ''] = (await fs.readFile(file, 'utf8')).split('\n')
  const { id } = JSON.parse(header)

  expect(name.endsWith(`_${id}.jsonl`)).toBe(true)
  expect(words.at(-1)).toMatch(/^\d+ entries, \d+ bytes in /)
  await expect(run(...options, '-o', file)).rejects.toThrow('exists already')
  expect((await fs.readFile(file, 'utf8')).startsWith(header)).toBe(true)
  const codex = ['default', '--home', home, '--format', 'codex', '--branches', 'all']
  await expect(run(...codex)).rejects.toThrow('holds one path')
})

it('writes every branch of a conversation into one session of pi', async () => {
  const root = path.resolve(import.meta.dirname, '../fixtures/readers/claude-code/input')
  const session = ['5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f', '--root', `claude-code=${root}`]
  const one = await run(...session, '--format', 'pi')
  expect(one.out).not.toContain('water them at noon')
  const all = await run(...session, '--format', 'pi', '--branches', 'all')
  expect(all.out.split('water them at noon')).toHaveLength(2)
  expect(all.out.split('water them in the evening')).toHaveLength(2)
  expect(all.words.join('')).not.toContain('branch')
})

it('a PDF is made in the window: the command line says so, and where', async () => {
  await expect(run('default', '--format', 'pdf')).rejects.toThrow(
    /^A PDF is made by Skein’s window/,
  )
})
