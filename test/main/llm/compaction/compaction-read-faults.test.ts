import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { CompactionResult } from '../../../../src/main/llm/compaction/compact'
import { compactContext } from '../../../../src/main/llm/compaction/manual'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { noHooks } from '../../../../src/main/tools/hooks/hooks'
import type { CompactionMode } from '../../../../src/shared/model/run/run'
import { message } from '../../../support/entries'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { scriptedProvider } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { content, finish, manualClock } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
let base = ''

function storeAt(home: string, disk: Disk = nodeDisk) {
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  return openStore({ home, disk, storagePolicy: async () => policy })
}

/** A window in three partitions, with a summary and words of the home's own for a compaction. */
beforeAll(async () => {
  base = fs.mkdtempSync(path.join(memoryFolder, 'skein-base-'))
  const writer = await storeAt(base).openWriter('garden', { create: true })
  for (let n = 1; n <= 8; n++)
    await writer.append(
      n % 2 === 1
        ? message(`word ${n}`, { from: 'user', to: 'garden', role: 'user' })
        : message(`word ${n}`, { from: 'garden', to: 'user', role: 'agent' }),
    )
  await writer.close()
  fs.writeFileSync(path.join(base, 'contexts/garden/summary.md'), 'The old summary.')
  fs.mkdirSync(path.join(base, 'prompts'))
  fs.writeFileSync(path.join(base, 'prompts/compaction.md'), 'Condense as gardeners do.')
  fs.writeFileSync(path.join(base, 'prompts/continuation.md'), 'Go on, gardener.')
  return () => fs.rmSync(base, { recursive: true, force: true })
})

function copy(): string {
  const home = temp()
  fs.cpSync(base, home, { recursive: true })
  return home
}

/** Compacts with a disk that only the store and the compaction meet; also gives what the model was asked. */
async function compacted(home: string, disk: Disk, mode: CompactionMode) {
  const says = (text: string) => [content(text), finish()]
  const scripts = mode === 'rolling' ? [says('[1, 2, 4]'), says('New.')] : [says('New.')]
  const provider = scriptedProvider(...scripts)
  const folder = path.join(home, 'none')
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder,
    vault: environmentVault,
    environment: {},
  })
  const steps = compactContext(
    { context: 'garden', mode, run: { baseUrl: 'http://127.0.0.1:9/v1', model: 'some/model' } },
    {
      disk,
      store: storeAt(home, disk),
      endpoint: (context, run) => settings.endpoint(context, run),
      runSettings: (context, run) => settings.runSettings(context, run),
      provider: () => provider.stream,
      // Behind the times of what was said, by which partitions are put in order that are in no manifest.
      clock: { ...manualClock(), now: () => 1_790_000_000_000 },
      hooks: noHooks,
      note: () => undefined,
    },
    new AbortController().signal,
  )
  let step = await steps.next()
  while (!step.done) step = await steps.next()
  const end: CompactionResult = step.value
  return { end, asked: provider.requests.map(({ messages }) => messages) }
}

const wordsOf = async (home: string) =>
  (await readContextWindow(nodeDisk, home, 'garden', 'refuse')).map(({ content: words }) => words)
const summaryOf = (home: string) =>
  fs.readFileSync(path.join(home, 'contexts/garden/summary.md'), 'utf8')

describe.each(readFaults)('with $errno at any reading of a compaction', (plan) => {
  it.each<CompactionMode>(['full', 'rolling', 'drop'])(
    '%s makes the whole new window, or leaves the old one and says why',
    async (mode) => {
      const sound = copy()
      const old = await wordsOf(sound)
      const { end, asked } = await compacted(sound, nodeDisk, mode)
      expect(end.type).toBe('compacted')
      const made = await wordsOf(sound)
      const { calls } = await atEveryReading(
        plan,
        async (disk) => {
          const home = copy()
          const came = await compacted(home, disk, mode).catch((error: unknown) => error)
          return { home, came }
        },
        async (outcome) => {
          if ('refused' in outcome) throw outcome.refused
          const { home, came } = outcome.made
          // Whoever opens it next brings to its end what was begun.
          const later = openStore({ home, disk: nodeDisk, now: () => Date.now() + 120_000 })
          await (await later.openWriter('garden', { create: false })).close()
          const words = await wordsOf(home)
          if (came instanceof Error) {
            expect(came.message).not.toBe('')
            return expect(words).toEqual(old)
          }
          const told = came as Awaited<ReturnType<typeof compacted>>
          if (told.end.type === 'compacted') {
            expect([words, told.asked]).toEqual([made, asked])
            expect(summaryOf(home)).toBe(summaryOf(sound))
            return
          }
          expect(told.end).toMatchObject({
            type: 'failed',
            words: expect.stringMatching(/injected|not saved/),
          })
          expect([words, summaryOf(home)]).toEqual([old, 'The old summary.'])
        },
      )
      expect(calls).toBeGreaterThan(plan.only === 'open' ? 15 : 40)
    },
  )
})

it('leaves a window alone of which a partition is gone, and says which', async () => {
  const home = copy()
  const folder = path.join(home, 'contexts/garden/transcript/partitions')
  const [first = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  fs.rmSync(path.join(folder, first))
  const { end, asked } = await compacted(home, nodeDisk, 'drop')
  expect(end).toEqual({
    type: 'failed',
    words: `Not all of "garden" can be read. partitions/${first} is in the manifest but not on the disk.`,
  })
  expect(asked).toEqual([])
})
