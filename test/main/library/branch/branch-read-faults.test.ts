import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { beginBranch } from '../../../../src/main/llm/run/begin-branch'
import { compactWindow } from '../../../../src/main/store/context-window/compact'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import type { BranchAction, EntryRef } from '../../../../src/shared/model/family/branching'
import { message } from '../../../support/entries'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const garden = LibraryKey.parse('garden')
const startMs = 1_780_000_000_000
let base = ''

function storeAt(home: string, disk: Disk = nodeDisk) {
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  return openStore({ home, disk, now: () => startMs, storagePolicy: async () => policy })
}

async function entriesOf(home: string, name: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  // What is gone is the test's own doing.
  for await (const row of allowGaps((await storeAt(home).readWhole(name)).rows, () => undefined))
    if (row.type === 'entry') entries.push(row.entry)
  return entries
}

/** Ten messages in four partitions, then a window that keeps two of them, and four messages more. */
beforeAll(async () => {
  base = fs.mkdtempSync(path.join(memoryFolder, 'skein-base-'))
  const writer = await storeAt(base).openWriter('garden', { create: true })
  const ids: EntryId[] = []
  for (let n = 0; n < 10; n++) ids.push((await writer.append(message(`words ${n}`))).entry.id)
  const kept = [ids[4], ids[8]].filter((id) => id !== undefined)
  const window = { summary: 'What was said.', replacesSummary: true, kept, metadata: {} }
  await compactWindow({ disk: nodeDisk, home: base, writer, now: () => startMs }, window)
  for (let n = 10; n < 14; n++) await writer.append(message(`words ${n}`))
  await writer.close()
  fs.writeFileSync(path.join(base, 'contexts/garden/todos.md'), 'Dig.')
  fs.writeFileSync(path.join(base, 'contexts/garden/local.toml'), 'model = "some/model"\n')
  return () => fs.rmSync(base, { recursive: true, force: true })
})

/** Branches in a copy of the home, and gives what the copy holds then besides what it held before. */
async function branchedIn(home: string, disk: Disk, words: string, action: BranchAction) {
  const entry = (await entriesOf(home, 'garden')).find(({ content }) => content === words)
  if (entry === undefined) throw new Error(`no entry ${words}`)
  const at: EntryRef = { entry: entry.id, file: entry.file, offset: entry.offset }
  const store = storeAt(home, disk)
  const branching = openBranching({
    store,
    histories: openHistories(disk, []),
    disk,
    async ask(beginning, request) {
      const facts = {
        id: EntryId.parse('asked'),
        username: 'mira',
        timestamp: startMs / 1000,
      }
      const { signal } = new AbortController()
      const { writer } = await beginBranch(beginning, request, facts, { store }, signal)
      await writer.close()
      return 'run' as never // nobody looks at it
    },
    created: async () => undefined,
    now: () => startMs,
  })
  return (await branching.create(garden, at, action)).key
}

/** What a context holds, without what is made anew each time. */
async function heldBy(home: string, name: string) {
  const folder = path.join(home, 'contexts', name)
  const texts = ['system_prompt.md', 'summary.md', 'todos.md', 'goals.md', 'local.toml']
  return {
    entries: (await entriesOf(home, name)).map(({ content, entry_type, metadata }) => ({
      content,
      entry_type,
      metadata,
    })),
    texts: texts.map((text) =>
      fs.existsSync(path.join(folder, text))
        ? fs.readFileSync(path.join(folder, text), 'utf8')
        : '',
    ),
  }
}

/** What a system says makes no difference to what is branched: all of these meet the first. */
const branches: readonly [string, BranchAction, string][] = [
  ['a branch', { type: 'branch' }, 'words 13'],
  ['a branch inside an earlier window', { type: 'branch' }, 'words 7'],
  ['a message that is edited', { type: 'edit', text: 'other words' }, 'words 12'],
]

describe.each(readFaults)('with $errno at any reading of the parent', (plan) => {
  it.each(plan === readFaults[0] ? branches : branches.slice(0, 1))(
    '%s is whole or refused in words',
    async (_, action, words) => {
      const sound = temp()
      fs.cpSync(base, sound, { recursive: true })
      const name = await branchedIn(sound, nodeDisk, words, action)
      const expected = await heldBy(sound, name)
      const { calls, refused } = await atEveryReading(
        plan,
        async (disk) => {
          const home = temp()
          fs.cpSync(base, home, { recursive: true })
          const made = await branchedIn(home, disk, words, action).catch((error: unknown) => error)
          const names = fs.readdirSync(path.join(home, 'contexts'))
          return { home, made, names: names.filter((one) => one !== 'garden') }
        },
        async (outcome) => {
          if ('refused' in outcome) throw outcome.refused
          const { home, made, names } = outcome.made
          if (made instanceof Error) {
            expect(made).toBeInstanceOf(AppError)
            expect(made.message).toMatch(/injected|could not be/)
          } else expect(names).toEqual([name])
          // What is there is all of it, whoever was told what.
          expect(names.filter((one) => one.startsWith('.'))).toEqual([])
          for (const one of names) expect(await heldBy(home, one)).toEqual(expected)
          expect(await heldBy(home, 'garden')).toEqual(await heldBy(base, 'garden'))
        },
      )
      expect(calls).toBeGreaterThan(plan.only === 'open' ? 20 : 60)
      expect(refused).toBe(0)
    },
  )
})

/** `1-1.jsonl`, `1-1-2.jsonl`: names of one time are in the order of their numbers. */
function byNumber(a: string, b: string): number {
  const numberOf = (name: string) => Number(/-\d+-(\d+)\.jsonl$/.exec(name)?.[1] ?? 1)
  return numberOf(a) - numberOf(b)
}

it('a branch is refused where a part of its window is gone, and made where it needs nothing of what is', async () => {
  const home = temp()
  fs.cpSync(base, home, { recursive: true })
  const folder = path.join(home, 'contexts/garden/transcript/partitions')
  const [first, , , fourth] = fs
    .readdirSync(folder)
    .filter((one) => one.endsWith('.jsonl'))
    .sort(byNumber)
  fs.renameSync(path.join(folder, first ?? ''), path.join(home, 'aside'))
  // What the window keeps stands in later ones.
  const name = await branchedIn(home, nodeDisk, 'words 13', { type: 'branch' })
  const contents = (await entriesOf(home, name)).map(({ content }) => content)
  expect(contents.slice(1)).toEqual([4, 8, 10, 11, 12, 13].map((n) => `words ${n}`))

  fs.renameSync(path.join(folder, fourth ?? ''), path.join(home, 'aside-2'))
  const words = await branchedIn(home, nodeDisk, 'words 13', { type: 'branch' }).catch(
    (error: unknown) => error,
  )
  expect(words).toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining(`${fourth} is in the manifest but not on the disk.`),
  })
})
