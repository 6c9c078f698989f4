import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { openStore } from '../../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { ledgerFormats } from '../../../support/ledger-formats'
import { memoryDisk } from '../../../support/memory-disk'

/** A row and its place, as a reading and a page must both tell it. */
const words = (row: TranscriptRow) => {
  if (row.type === 'damaged') return `damaged ${row.damaged.offset}`
  const { offset, length, content } = row.entry
  return `${offset} ${length} ${content}`
}

describe.each(ledgerFormats)('$reader.label', (format) => {
  it('tells each entry once to who asks on while a file grows, in pieces or by lines', async () => {
    const random = createRandom(11)
    for (let round = 0; round < 30; round++) {
      const name = format.names({ ...random, below: () => 0 })[0] ?? ''
      const disk = memoryDisk()
      const records = Array.from({ length: 8 }, (_, i) =>
        format.record(random, `w${i}q`).replace(/2025-08-0\dT08:\d\d/, `2025-08-01T08:${10 + i}`),
      )
      const bytes = Buffer.from(records.map((record) => `${record}\n`).join(''))
      let at = (bytes.indexOf(0x0a) ?? 0) + 1
      disk.put(`/source/${name}`, bytes.subarray(0, at))
      const histories = openHistories(disk, [{ source: format.reader.id, path: '/source' }])
      const store = openStore({ home: '/source', disk })
      const transcripts = openTranscripts({ disk, store, histories })
      const key = (await histories.list())[0]?.key ?? libraryKeyOf('chibi', 'garden')
      const first = await transcripts.page(key, 'end', 3)
      const told = first.rows.map(words)
      for (let cursor = first.after; at < bytes.length; ) {
        const feed = bytes.indexOf(0x0a, at)
        const to = [at + 1 + random.below(90), feed + 1, feed][random.below(3)] ?? feed
        disk.add(`/source/${name}`, bytes.subarray(at, Math.max(to, at + 1)))
        at = Math.max(to, at + 1)
        const page = await transcripts.page(key, { after: cursor }, 50)
        expect(page.atEnd).toBe(true)
        told.push(...page.rows.filter(({ type }) => type === 'entry').map(words))
        cursor = page.after
      }
      const whole: string[] = []
      for await (const row of requireWhole((await transcripts.whole(key)).rows))
        whole.push(words(row))
      expect(told).toEqual(whole)
    }
  })
})
