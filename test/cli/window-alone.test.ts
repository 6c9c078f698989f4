import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { listCommand } from '../../src/cli/commands/list'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { jsonLine } from '../support/entries'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
const one = jsonLine({ id: '1', timestamp: 1_780_000_000, content: 'When to prune roses?' })
const two = jsonLine({ id: '2', timestamp: 1_780_000_001, content: 'And hydrangeas?' })
const missing =
  'The transcript is missing. Only the current context window is left, and is read from context.jsonl.\n'
const ends =
  'The last line is only in context.jsonl: the transcript ends earlier, as after a power failure or in a partial copy.\n'

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temp()
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(home, 'contexts/garden', name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
  }
  return home
}

it.each([
  ['no transcript', missing, { 'context.jsonl': `${one}\n${two}\n` }],
  [
    'a transcript that lacks its end',
    ends,
    { 'transcript/active.jsonl': `${one}\n`, 'context.jsonl': `${one}\n${two}\n` },
  ],
])(
  '%s: what context.jsonl has is shown, found and listed, and said to be from there',
  async (_, words, files) => {
    const home = homeWith(files)
    const shown = await run(showCommand, ['garden', '--home', home])
    expect(shown.out).toContain('When to prune roses?')
    expect(shown.out).toContain('And hydrangeas?')
    expect(shown.words).toContain(words)
    const found = await run(searchCommand, ['hydrangeas', '--home', home])
    expect([found.code, found.out.match(/hydrangeas/g)?.length]).toEqual([0, 1])
    const listed = await run(listCommand, ['--json', '--home', home])
    expect(JSON.parse(listed.out).conversations).toMatchObject([{ key: 'garden', entries: 2 }])
    // What both files have is one hit.
    const both = await run(searchCommand, ['prune', '--home', home])
    expect(both.out.match(/prune/g)?.length).toBe(1)
  },
)

it('clearing such a context keeps every word', async () => {
  const home = homeWith({ 'context.jsonl': `${one}\n${two}\n` })
  expect((await run(contextsCommand, ['clear', 'garden', '--home', home])).code).toBe(0)
  const shown = await run(showCommand, ['garden', '--home', home])
  expect(shown.out).toContain('When to prune roses?')
  expect(shown.out).toContain('And hydrangeas?')
  expect(shown.words).not.toContain('context.jsonl')
})
