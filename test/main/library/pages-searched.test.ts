import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { inlineCounter } from '../../../src/main/library/count/counter'
import { contextSource } from '../../../src/main/library/list/context-source'
import { historySource } from '../../../src/main/library/list/history-source'
import { openHistories } from '../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../src/main/library/sources/library-transcripts'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { bytesUnder, drawRoot, shownRoot } from '../../support/drawn-roots'
import { type LedgerFormat, ledgerFormats } from '../../support/ledger-formats'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
/** Roots of each format. */
const trials = Math.ceil(Number(process.env.SKEIN_TRIALS ?? 80) / 4)

/** Search over a root, and where each word of its own is told by a reading. */
async function openRoot({ reader }: LedgerFormat, root: string, isIndexed: boolean) {
  const disk = unpackingDisk(nodeDisk)
  const store = openStore({ home: root, disk })
  const histories = openHistories(disk, [{ source: reader.id, path: root }])
  const counter = inlineCounter(disk)
  const shelf =
    reader.id === 'chibi'
      ? contextSource(counter, store, root)
      : historySource(disk, histories, counter)
  const listed = await shelf.list()
  const search = openSearch({
    disk,
    decoders: searchDecoders,
    cacheFolder: path.join(temp(), 'cache'),
    workers: inlineWorkers(disk, searchDecoders, 1500),
  })
  await search.update(
    listed.map(({ source, ownKey, files }) => ({
      source,
      key: ownKey,
      title: '',
      updated: null,
      files,
    })),
  )
  if (isIndexed) await search.buildIndex({ all: true })
  const transcripts = openTranscripts({ disk, store, histories })
  const told = new Map<string, string[]>()
  /** Damaged lines of the reading: what they have beside their records is found at them. */
  const damaged = new Set<string>()
  for (const { key, ownKey } of listed)
    for await (const row of requireWhole((await transcripts.whole(key)).rows)) {
      if (row.type === 'damaged') damaged.add(`${ownKey} ${row.damaged.file} ${row.damaged.offset}`)
      if (row.type !== 'entry') continue
      for (const word of new Set(row.entry.content.match(/[wd]\d+q/g)))
        told.set(word, [...(told.get(word) ?? []), `${ownKey} ${row.entry.id}`])
    }
  return { search, told, damaged }
}

describe.each(ledgerFormats)('$reader.label', (format) => {
  it(`finds each word of ${trials} damaged roots where a reading tells it, and nowhere else`, async () => {
    for (let trial = 0; trial < trials; trial++) {
      const drawn = drawRoot(format, [], createRandom(trial * 32_452_843 + 7))
      const root = temp()
      for (const { file, bytes } of bytesUnder(drawn)) {
        fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
        fs.writeFileSync(path.join(root, file), bytes)
      }
      const { search, told, damaged } = await openRoot(format, root, trial % 2 === 0)
      try {
        for (const [word, places] of told) {
          const { hits } = await search.run(word, { limit: 100, countAll: true })
          const rest = hits.filter(({ field }) => field === 'damaged')
          for (const hit of rest) expect(damaged).toContain(`${hit.key} ${hit.file} ${hit.offset}`)
          const found = hits
            .filter((hit) => !rest.includes(hit))
            .flatMap(({ key, entryId, also = [] }) => [
              `${key} ${entryId}`,
              ...also.map((copy) => `${copy.key} ${copy.entryId ?? entryId}`),
            ])
          // Entries with one id and one text are copies of one another.
          expect([word, ...new Set(found)].sort()).toEqual([word, ...new Set(places)].sort())
        }
      } catch (error) {
        throw new Error(shownRoot(drawn, trial), { cause: error })
      }
      await search.close()
    }
  }, 600_000)
})
