import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type CheckupDeps, checkHome, repairHome } from '../../../../src/main/home/checkup/checkup'
import { openStore } from '../../../../src/main/store/open-store'
import { findingKinds } from '../../../../src/shared/model/checkup'
import { breakages, homeToDamage, wholeLinesBelow } from '../../../support/damaged-home'
import { mutated } from '../../../support/fuzz/mutations'
import { playRounds } from '../../../support/fuzz/rounds'
import { testSettings } from '../../../support/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

/** Rounds. By hand: `SKEIN_SEED=random SKEIN_TRIALS=3000 npx vitest run test/main/home/checkup`. */
const usual = 4
const temp = tempFolders(memoryFolder)
const never = new AbortController().signal
const nothing = () => undefined

it('names drawn damage of a drawn home, and repairs it without a line that is lost', async () => {
  await playRounds('doctor', usual, async (random) => {
    const folder = temp()
    try {
      const home = await homeToDamage(folder)
      const [cacheFolder, userFolder] = [path.join(folder, 'cache'), path.join(folder, 'user')]
      const how: string[] = []
      for (let n = random.below(4); n > 0; n--) {
        const kind = findingKinds[random.below(findingKinds.length)] ?? 'unreadable'
        how.push(kind)
        try {
          await breakages[kind].breaks(home, cacheFolder, userFolder)
        } catch (error) {
          // Two breakages can be in each other's way.
          if (!(error instanceof SyntaxError || (error as NodeJS.ErrnoException).code)) throw error
        }
      }
      const torn: string[] = []
      for (let n = random.below(3); n > 0; n--) {
        const all = fs
          .readdirSync(home, { recursive: true, encoding: 'utf8' })
          .filter((name) => fs.statSync(path.join(home, name)).isFile())
          .sort()
        const name = all[random.below(all.length)] ?? ''
        const file = path.join(home, name)
        const changed = mutated(random, fs.readFileSync(file))
        fs.writeFileSync(file, changed.bytes)
        how.push(`${changed.how} of ${name}`)
        if (name.includes('partitions') && name.endsWith('.jsonl')) torn.push(name)
      }
      await check(folder, home, cacheFolder, userFolder, torn).catch((error: unknown) => {
        throw new Error(`${how.join(', ')}: ${String((error as Error).stack ?? error)}`)
      })
    } finally {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function check(
  folder: string,
  home: string,
  cacheFolder: string,
  userFolder: string,
  torn: readonly string[],
): Promise<void> {
  const disk = nodeDisk
  const deps: CheckupDeps = {
    disk,
    store: openStore({ home, disk }),
    settings: await testSettings({ home, userFolder }),
    cacheFolder,
    userFolder,
    now: Date.now,
  }
  const lines = wholeLinesBelow(home)
  const before = await checkHome(deps, nothing, never)
  // A sealed file that has a line which is none is named, whatever else is wrong.
  const places = new Set(before.findings.map(({ place }) => place))
  const isContextUnread = before.findings.some(({ kind }) => kind === 'unreadable')
  for (const name of torn)
    if (!isContextUnread && fs.existsSync(path.join(home, name)) && hasTornLine(home, name))
      expect(places, name).toContain(name)
  const copying = {
    deps: { disk, home, userFolder, roots: [], now: Date.now },
    folder,
  }
  const repaired = await repairHome(deps, before, copying, nothing, never)
  const after = wholeLinesBelow(home)
  const there = new Set(after)
  expect(lines.filter((line) => !there.has(line))).toEqual([])
  const failed = (repaired?.failed ?? []).map(({ place }) => place)
  const again = await checkHome(deps, nothing, never)
  const left = again.findings.filter(
    ({ repair, place }) => repair !== null && !failed.some((one) => place.startsWith(one)),
  )
  expect(left).toEqual([])
}

/** A reader that knows JSON alone. */
function hasTornLine(home: string, name: string): boolean {
  return fs
    .readFileSync(path.join(home, name), 'latin1')
    .split('\n')
    .some((line) => {
      if (line.trim() === '') return false
      try {
        JSON.parse(line)
        return false
      } catch {
        return /[^\0\s]/.test(line)
      }
    })
}
