import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { branchesCommand } from '../../src/cli/commands/branches'
import { duplicatesCommand } from '../../src/cli/commands/duplicates'
import { exportCommand } from '../../src/cli/commands/export'
import { listCommand } from '../../src/cli/commands/list'
import { readCommand } from '../../src/cli/commands/read'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { statsCommand } from '../../src/cli/commands/stats'
import { verifyCommand } from '../../src/cli/commands/verify'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const key = 'chat-history-1754437000000'
const cycod = ['--root', `cycod=${path.join(fixtures, 'readers/cycod/input')}`]

/** Roots of every system at a link that leads to itself, which nobody can read, before one that can be read. */
async function roots() {
  const loop = path.join(folder(), 'loop')
  await fs.symlink('loop', loop)
  const broken = ['chibi', 'cycod', 'fluux', 'voicemode'].flatMap((source) => [
    '--root',
    `${source}=${loop}`,
  ])
  return { loop, argv: [...broken, ...cycod] }
}

it.each([
  // Exit code 1 where what cannot be read may have been asked for.
  ['show', showCommand, [key], 0],
  ['export', exportCommand, [key], 0],
  ['stats of one', statsCommand, [key], 0],
  ['branches of one', branchesCommand, [key], 0],
  ['list', listCommand, ['--json'], 1],
  ['search', searchCommand, ['time'], 1],
  ['search by pattern', searchCommand, ['--regex', 'time'], 1],
  ['branches', branchesCommand, [], 1],
  ['stats', statsCommand, [], 1],
  ['duplicates', duplicatesCommand, [], 1],
] as const)(
  '%s goes on past roots that cannot be read, and says so',
  async (_, command, operands, exitCode) => {
    const { loop, argv } = await roots()
    const plain = await run(command, [...operands, ...cycod])
    const { code, out, words } = await run(command, [...operands, ...argv])

    expect([plain.code, code, out]).toEqual([0, exitCode, plain.out])
    expect(words).toContain(loop)
    const lines = words.split('\n').filter((line) => line.includes(loop))
    expect(new Set(lines).size).toBe(lines.length)
  },
)

it('reads the other roots, with a notice for each that cannot be read', async () => {
  const { loop, argv } = await roots()
  const plain = JSON.parse((await run(readCommand, ['--json', ...cycod])).out)
  const { code, out } = await run(readCommand, ['--json', ...argv])
  const { conversations, files, notices } = JSON.parse(out)

  expect(code).toBe(1)
  expect([conversations, files]).toEqual([plain.conversations, plain.files])
  const told = notices.filter((one: { key: string }) => one.key === loop)
  expect(told.length).toBeGreaterThanOrEqual(4)
})

it('says that there is no such conversation where a root cannot be read, after saying so', async () => {
  const { argv } = await roots()
  await expect(run(showCommand, ['nowhere', ...argv])).rejects.toMatchObject({ code: 'not-found' })
})

it('checks the other homes where one cannot be read, and fails', async () => {
  const { loop } = await roots()
  const good = `chibi=${path.join(fixtures, 'chibi/home-v09')}`
  const { code, out } = await run(verifyCommand, [
    '--json',
    ...['--root', `chibi=${loop}`, '--root', good],
  ])
  expect(code).toBe(1)
  expect(JSON.parse(out).files.length).toBeGreaterThan(0)
  expect(JSON.parse(out).unreadable).toHaveLength(1)
})
