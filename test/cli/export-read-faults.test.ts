import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/cli/command/command'
import { duplicatesCommand } from '../../src/cli/commands/duplicates'
import { exportCommand } from '../../src/cli/commands/export'
import { showCommand } from '../../src/cli/commands/show'
import { statsCommand } from '../../src/cli/commands/stats'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../src/main/disk/unpack/unpacking-disk'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import { openStore } from '../../src/main/store/open-store'
import { message } from '../support/entries'
import { equalFormats } from '../support/exported'
import { atEveryReading, readFaults } from '../support/read-faults'
import { memoryFolder } from '../support/temp-folder'
import { type Ran, run } from './run'

const [EIO, ...others] = readFaults
const packedKey = 'chat-history-1754437000000'
let home = ''
let cycod = ''

/** A context in three partitions, and a packed history. */
beforeAll(async () => {
  const base = fs.mkdtempSync(path.join(memoryFolder, 'skein-base-'))
  home = path.join(base, 'home')
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  const store = openStore({ home, disk: nodeDisk, storagePolicy: async () => policy })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 0; n < 7; n++) await writer.append(message(`words ${n}`))
  await writer.close()
  const title = { key: 'garden', title: 'A given title', by: 'person', at: 1 }
  fs.writeFileSync(path.join(home, 'titles.skein.json'), JSON.stringify({ titles: [title] }))
  cycod = path.join(base, 'cycod')
  fs.mkdirSync(cycod)
  const lines = [0, 1, 2].map((n) => `${JSON.stringify({ role: 'user', content: `cy ${n}` })}\n`)
  fs.writeFileSync(path.join(cycod, `${packedKey}.jsonl.gz`), zlib.gzipSync(lines.join('')))
  return () => fs.rmSync(base, { recursive: true, force: true })
})

/** A conversation by the name of its key, as the command line has it. */
const rootsOf = (key: string) =>
  key === 'garden' ? ['--home', home] : ['--root', `cycod=${cycod}`]

/** Runs a command with each reading failing in its turn; whatever comes of it must be whole, or say that it is not. */
async function everyReading(
  plan: (typeof readFaults)[number],
  command: Command,
  argv: readonly string[],
  isSaid: (ran: Ran, sound: Ran) => boolean,
  others?: number,
): Promise<{ readonly calls: number; readonly refused: number; readonly said: number }> {
  const sound = await run(command, argv, { disk: unpackingDisk(nodeDisk) })
  expect(sound.code).toBe(0)
  let said = 0
  const counts = await atEveryReading(
    plan,
    (disk) => run(command, argv, { disk: unpackingDisk(disk) }),
    (outcome) => {
      if ('refused' in outcome) return expect(outcome.refused.message).not.toBe('')
      if (outcome.made.code === 0 && outcome.made.out === sound.out) return
      said += 1
      expect(outcome.made.words).toMatch(/injected|cannot be read/)
      expect(isSaid(outcome.made, sound)).toBe(true)
    },
    others,
  )
  return { ...counts, said }
}

describe.each(readFaults)('with $errno at any reading of an export', (plan) => {
  const formats = plan === EIO ? equalFormats : (['md', 'json', 'original'] as const)
  it.each(formats)(
    '%s is whole, or refused in words, or ends with 1 after words',
    async (format) => {
      for (const key of ['garden', packedKey]) {
        const argv = [key, '--format', format, ...rootsOf(key)]
        const { calls, refused, said } = await everyReading(
          plan,
          exportCommand,
          argv,
          // Bytes are copied after the reading that counts, and all of them.
          ({ code, out }, sound) => code === 1 && (format !== 'original' || out === sound.out),
        )
        expect(calls).toBeGreaterThan(4)
        expect(refused + said).toBeGreaterThan(0)
      }
    },
  )
})

describe.each([EIO, ...others].flatMap((one) => one ?? []))(
  'with $errno at any reading',
  (plan) => {
    it.each<[string, Command, readonly string[], (ran: Ran) => boolean]>([
      [
        'show',
        showCommand,
        ['garden', '--json'],
        ({ code, out }) => code === 1 && unreadIn(out) > 0,
      ],
      ['show --window', showCommand, ['garden', '--window', '--json'], ({ code }) => code === 1],
      ['stats', statsCommand, ['--json'], ({ out }) => unreadIn(out) > 0],
      ['duplicates', duplicatesCommand, ['--json'], ({ out }) => unreadIn(out) > 0],
    ])('%s says the same, or what it is without', async (_, command, argv, isSaid) => {
      const { calls, refused, said } = await everyReading(
        plan,
        command,
        [...argv, ...rootsOf('garden')],
        isSaid,
        // Few calls take a descriptor: all of them are tried.
        plan.only === 'open' ? Number.POSITIVE_INFINITY : undefined,
      )
      expect(calls).toBeGreaterThan(4)
      expect(refused + said).toBeGreaterThan(1)
    })
  },
)

function unreadIn(out: string): number {
  return JSON.parse(out).unread.length
}
