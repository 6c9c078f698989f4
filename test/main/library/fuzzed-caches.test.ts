import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { branchesCommand } from '../../../src/cli/commands/branches'
import { listCommand } from '../../../src/cli/commands/list'
import { statsCommand } from '../../../src/cli/commands/stats'
import { fixtures, run } from '../../cli/run'
import { mutated } from '../../support/fuzz/mutations'
import { playRounds } from '../../support/fuzz/rounds'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Rounds. By hand: `SKEIN_SEED=random SKEIN_TRIALS=3000 npx vitest run test/main/library/fuzzed-caches.test.ts`. */
const usual = 4
const temp = tempFolders(memoryFolder)
const roots = [
  ...['--home', path.join(fixtures, 'chibi/home-v010')],
  ...['--root', `codex=${path.join(fixtures, 'readers/codex/input')}`],
]
const commands = [listCommand, statsCommand, branchesCommand]

async function keysIn(cache: string): Promise<readonly string[]> {
  const ran = await run(listCommand, [...roots, '--json'], { cache })
  const { conversations } = JSON.parse(ran.out)
  return conversations
    .filter(({ state }: { readonly state: string }) => state !== 'gone')
    .map(({ source, key }: { readonly source: string; readonly key: string }) => `${source} ${key}`)
    .sort()
}

it('caches that are changed anyhow hide no conversation and stop no command', async () => {
  const cache = temp()
  for (const command of commands) await run(command, [...roots, '--json'], { cache })
  const files = fs
    .readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(cache, name)).isFile())
    .sort()
  expect(files.length).toBeGreaterThan(0)
  const whole = await keysIn(temp())
  const bytes = new Map(files.map((name) => [name, fs.readFileSync(path.join(cache, name))]))
  await playRounds('caches', usual, async (random) => {
    const changed = temp()
    const how: string[] = []
    for (const [name, content] of bytes) {
      const one = random.below(2) === 0 ? { bytes: content, how: 'left' } : mutated(random, content)
      fs.mkdirSync(path.dirname(path.join(changed, name)), { recursive: true })
      fs.writeFileSync(path.join(changed, name), one.bytes)
      how.push(`${path.basename(name)}: ${one.how}`)
    }
    expect(await keysIn(changed), how.join('; ')).toEqual(whole)
    for (const command of [statsCommand, branchesCommand])
      JSON.parse((await run(command, [...roots, '--json'], { cache: changed })).out)
    fs.rmSync(changed, { recursive: true, force: true })
  })
})
