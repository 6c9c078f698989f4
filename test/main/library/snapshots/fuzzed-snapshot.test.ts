import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Random } from '../../../../bench/support/random'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  checkSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../../../../src/main/library/snapshots'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { mutated } from '../../../support/fuzz/mutations'
import { playRounds } from '../../../support/fuzz/rounds'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type ZipInput, zipped } from '../../../support/zipped'

/** Rounds. By hand: `SKEIN_SEED=random SKEIN_TRIALS=20000 npx vitest run test/main/library/snapshots/fuzzed-snapshot.test.ts`. */
const usual = 30
const temp = tempFolders(memoryFolder)
const never = new AbortController().signal
const nothing = () => undefined
const inUse = { folders: [], roots: [] }

/** Every file and link below a folder with what it holds, but for one folder. */
function treeBut(folder: string, left: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name === left || name.startsWith(`${left}/`)) continue
    const stat = fs.lstatSync(path.join(folder, name))
    found[name] = stat.isFile() ? fs.readFileSync(path.join(folder, name), 'latin1') : 'no file'
  }
  return found
}

/** Checks a snapshot and restores it; gives what came of it, once it is sure that nothing else was touched. */
async function tried(
  folder: string,
  file: string,
  passphrase?: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const before = treeBut(folder, 'new')
  const restored = path.join(folder, 'new')
  const outcome = async (work: () => Promise<unknown>) => {
    try {
      await work()
      return 'done'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.code
    }
  }
  const checked = await outcome(() => checkSnapshot(nodeDisk, file, nothing, never, passphrase))
  const done = await outcome(() =>
    restoreSnapshot(nodeDisk, file, restored, inUse, nothing, never, passphrase),
  )
  expect(treeBut(folder, 'new')).toEqual(before)
  // A name that no disk takes is no fault of the file.
  if (checked !== 'done') expect(done).not.toBe('done')
  if (done !== 'done') expect(fs.existsSync(restored)).toBe(false)
  const tree = done === 'done' ? treeBut(restored, '') : undefined
  fs.rmSync(restored, { recursive: true, force: true })
  return tree
}

it.each([
  ['', undefined],
  // As little work as the format has for each of them.
  [' that is encrypted', { passphrase: 'gärten und äpfel', workFactor: 1 }],
] as const)(
  'a snapshot%s whose bytes are changed anyhow is refused, or comes back as it was',
  async (_, encryption) => {
    const folder = temp()
    const home = path.join(folder, 'home')
    for (const [name, text] of [
      ['config.toml', 'model = "m"\n'],
      ['contexts/garden/transcript/active.jsonl', `${'{"content":"tulips"}\n'.repeat(40)}`],
      ['notes/übung.txt', 'ä'],
      ['empty', ''],
    ] as const) {
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
      fs.writeFileSync(path.join(home, name), text)
    }
    const deps = {
      disk: nodeDisk,
      home,
      userFolder: path.join(folder, 'user'),
      roots: [],
      now: () => 1,
    }
    const { file } = await takeSnapshot(deps, folder, nothing, never, encryption)
    const bytes = fs.readFileSync(file)
    const whole = await tried(folder, file, encryption?.passphrase)
    expect(Object.keys(whole ?? {})).toContain('home/notes/übung.txt')
    await playRounds('snapshot', usual, async (random) => {
      const changed = mutated(random, bytes)
      fs.writeFileSync(file, changed.bytes)
      const tree = await tried(folder, file, encryption?.passphrase)
      if (tree !== undefined) expect(tree, changed.how).toEqual(whole)
    })
  },
)

/** What a person who wishes harm calls a member. */
const names = [
  ...['../out', '../../out', '/out', 'a/../../out', 'a/./b', './a', 'a//b', '', '.', '..', 'a/'],
  ...[
    'a\\..\\out',
    'C:\\out',
    'C:out',
    '\\\\host\\out',
    'a\0b',
    'a\nb',
    'SHA256SUMS/x',
    '\u202eout',
  ],
  ...[
    'a',
    'a/b',
    'A',
    'home',
    'home/contexts',
    `${'d/'.repeat(60)}e`,
    'n'.repeat(300),
    '%2e%2e/out',
  ],
  ...['~/out', '$HOME/out', '\ufeffa', 'é', 'e\u0301'],
]

function member(random: Random): ZipInput {
  const name = names[random.below(names.length)] ?? 'a'
  const content = Buffer.alloc(
    random.below(4) === 0 ? 300_000 : random.below(40),
    random.below(256),
  )
  const odd = random.below(12)
  return {
    name,
    content,
    ...(random.below(3) === 0 ? { isStored: true } : {}),
    ...(random.below(4) === 0 ? { sizesBehind: true } : {}),
    ...(random.below(4) === 0 ? { isWide: true } : {}),
    ...(odd === 0 ? { claims: random.pick([0, 1, 2 ** 31, 2 ** 32 - 2]) } : {}),
    ...(odd === 1 ? { overlaps: 2 } : {}),
    ...(odd === 2 ? { flags: 1 } : {}),
    ...(odd === 3 ? { method: random.pick([9, 12, 14, 99]) } : {}),
  }
}

it('a snapshot that somebody made to do harm writes nothing outside of its new folder', async () => {
  const folder = temp()
  const file = path.join(folder, 'hostile.zip')
  let restored = 0
  await playRounds('hostile snapshot', usual * 2, async (random) => {
    const members = Array.from({ length: 1 + random.below(3) }, () => member(random))
    const sums = members
      .map(({ name, content }) => {
        const sha256 = createHash('sha256').update(content).digest('hex')
        const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
        return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`
      })
      .join('')
    const listed = random.below(8) === 0 ? sums.slice(0, random.below(sums.length)) : sums
    fs.writeFileSync(
      file,
      zipped([...members, { name: 'SHA256SUMS', content: Buffer.from(listed) }]),
    )
    const tree = await tried(folder, file)
    if (tree === undefined) return
    restored += 1
    const wanted = members.map(({ content }) => content.toString('latin1')).sort()
    const files = Object.values(tree).filter((one) => one !== 'no file')
    expect(files.sort()).toEqual(wanted)
  })
  expect(restored).toBeGreaterThan(0)
})
