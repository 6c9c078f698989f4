import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Command } from '../../src/cli/command/command'
import { compactCommand } from '../../src/cli/commands/compact'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { showCommand } from '../../src/cli/commands/show'
import { preparedHome } from '../main/llm/support/prepared-run'
import { content, finish } from '../main/llm/support/tool-support'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders(memoryFolder)

/** A conversation of one answer, and a line of somebody's, with metadata of so many levels, in the middle of it. */
async function deepHome(levels: number) {
  const home = preparedHome(temp())
  await home.play([[content('Fifteen centimetres.'), finish()]])
  const file = path.join(home.folder, 'transcript/active.jsonl')
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
  const line = `{"id":"deep","timestamp":1780000000,"from":"mira","to":"garden","content":"and roses?","entry_type":"message","metadata":{"x":${deep}},"role":"user"}`
  fs.appendFileSync(file, `${line}\n`)
  const at = (command: Command, ...argv: readonly string[]) =>
    run(command, [...argv, '--home', home.home])
  return { ...home, file, line, deep, at }
}

it.each([1500, 6000, 50_000])('a line of %i levels locks no conversation', async (levels) => {
  const home = await deepHome(levels)
  const shown = async () => JSON.parse((await home.at(showCommand, 'garden', '--json')).out).entries
  expect((await shown()).at(-1)).toMatchObject({
    content: 'and roses?',
    metadata: { deep_fields: { x: home.deep } },
  })

  await home.play([[content('Twenty.'), finish()]])
  const all = (await shown()).map((entry: { content: string }) => entry.content)
  expect(all.slice(-3)).toEqual(['and roses?', 'Hi', 'Twenty.'])

  expect((await home.at(compactCommand, 'garden', '--mode', 'drop')).code).toBe(0)
  await home.play([[content('Ten.'), finish()]])
  expect((await home.at(contextsCommand, 'clear', 'garden')).words).toMatch(/starts fresh/)
  // What was written there stays as it is.
  const files = fs.readdirSync(path.dirname(home.file), { recursive: true, encoding: 'utf8' })
  const kept = files
    .map((name) => path.join(path.dirname(home.file), name))
    .filter((file) => file.endsWith('.jsonl'))
    .filter((file) => fs.readFileSync(file, 'utf8').includes(home.line))
  expect(kept).toHaveLength(1)
})
