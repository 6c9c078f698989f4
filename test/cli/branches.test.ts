import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { branchesCommand } from '../../src/cli/commands/branches'
import { labelCommand } from '../../src/cli/commands/label'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const folder = tempFolders()
const say = (role: string, content: string) => JSON.stringify({ role, content })
const begin = [say('user', 'beans?'), say('assistant', 'in May')]

/** Files of cycod by their key's last digit. */
function history(files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const root = folder()
  for (const [digit, lines] of Object.entries(files))
    fs.writeFileSync(path.join(root, `chat-history-177314000000${digit}.jsonl`), lines.join('\n'))
  return ['--root', `cycod=${root}`]
}

it('prints a family in which one conversation goes on from the end of another, without a fork', async () => {
  const argv = history({
    1: begin,
    2: [...begin, say('user', 'peas?')],
    3: [say('user', 'alone')],
  })
  const { out } = await run(branchesCommand, argv)
  expect(out).toContain('1773140000001')
  expect(out).toContain('1773140000002')
  expect(out).not.toContain('1773140000003')
  // Scripts get what forks alone, as they rely on.
  const told = JSON.parse((await run(branchesCommand, [...argv, '--json'])).out)
  expect(told).toEqual({ families: [], unread: [] })
})

it('prints a family that forks, as text and for scripts', async () => {
  const argv = history({
    1: [...begin, say('user', 'leeks?')],
    2: [...begin, say('user', 'peas?')],
  })
  const { out } = await run(branchesCommand, argv)
  expect(out.trim().split('\n')).toHaveLength(3)
  const { families } = JSON.parse((await run(branchesCommand, [...argv, '--json'])).out)
  expect(families).toHaveLength(1)
})

it('prints the name of a branch: the label of its first own entry', async () => {
  const argv = history({
    1: [...begin, say('user', 'leeks?')],
    2: [...begin, say('user', 'peas?')],
  })
  const config = folder()
  const nodesOf = async () =>
    JSON.parse((await run(branchesCommand, [...argv, '--json'], { config })).out).families[0].nodes
  const [, , peas] = await nodesOf()
  expect(peas).not.toHaveProperty('name')
  const given = [peas.key, peas.fromEntry, 'climbers', '--color', 'green', ...argv]
  expect((await run(labelCommand, given, { config })).code).toBe(0)
  const nodes: readonly { readonly name?: unknown }[] = await nodesOf()
  expect(nodes.map(({ name }) => name)).toEqual([
    undefined,
    undefined,
    { word: 'climbers', color: 'green' },
  ])
  const { out } = await run(branchesCommand, argv, { config })
  expect(out).toContain('[climbers]  peas?')
})
