import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openMentions } from '../../../../src/main/home/mentions/mentions'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const key = LibraryKey.parse('garden')

function mentionsIn(page: Parameters<typeof openMentions>[0]['transcripts']) {
  const work = fs.realpathSync(temp())
  fs.writeFileSync(path.join(work, 'a.md'), 'fern')
  const clock = { ms: 0, listings: 0, takesMs: 0 }
  const disk = {
    ...nodeDisk,
    async list(folder: string) {
      if (folder === work) {
        clock.listings += 1
        clock.ms += clock.takesMs
      }
      return nodeDisk.list(folder)
    },
  }
  const mentions = openMentions({
    ...{ disk, home: path.join(work, '.home'), ownFolders: [], transcripts: page },
    settings: { runSettings: async () => ({ allowedPaths: [work] }) as never },
    now: () => clock.ms,
  })
  return { mentions, clock }
}

it('keeps what a long walk found for ten seconds from its end', async () => {
  const { mentions, clock } = mentionsIn(() => {
    throw new Error('no transcripts')
  })
  clock.takesMs = 60_000
  expect((await mentions.files(undefined, 'a')).files).toHaveLength(1)
  clock.ms += 9_000
  await mentions.files(undefined, 'a.')
  expect(clock.listings).toBe(1)
  clock.ms += 1_000
  await mentions.files(undefined, 'a.m')
  expect(clock.listings).toBe(2)
})

it('leaves a quote that is still read when another one is asked for', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const { mentions } = mentionsIn(() => ({
    page: async (_key, _from, _limit, signal) => {
      signals.push(signal)
      return { rows: [], after: '' as never, atEnd: true, totalBytes: 0, bytesBefore: 0 }
    },
  }))
  const first = mentions.quote(key, 'garden', 'last').catch(() => undefined)
  const second = mentions.quote(key, 'garden', 'all').catch(() => undefined)
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
  await Promise.all([first, second])
})
