import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import type { TranscriptWriter } from '../../../src/main/store/core/writer-types'
import { openStore } from '../../../src/main/store/open-store'
import { isAnchor } from '../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import type { Cursor } from '../../../src/shared/model/conversation/transcript'
import { message } from '../../support/entries'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)

type Step =
  | { readonly do: 'append'; readonly text: string; readonly type: string }
  | { readonly do: 'reopen' | 'window' | 'follow' }
  | { readonly do: 'pages'; readonly limit: number }
  | { readonly do: 'wait'; readonly seconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      text: fc.string({ unit: 'binary', maxLength: 20 }),
      type: fc.constantFrom(
        'message',
        'message',
        'message',
        'tool_call',
        'compaction',
        'system_prompt_changed',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('reopen' as const, 'window' as const, 'follow' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pages' as const),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(200) }) },
)

it('the store behaves as a list in memory does, through appends, rotations and openings', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 60 }),
      async (steps, maxEntries, maxTokens) => {
        let seconds = 1_780_000_000
        const policy = { ...defaultRotationPolicy, maxEntries, maxTokens, maxAgeSeconds: 500 }
        const store = openStore({
          home: path.join(temp(), 'home'),
          disk: nodeDisk,
          now: () => seconds * 1000,
          storagePolicy: async () => policy,
        })
        // The model: contents and types, in order.
        const model: { content: string; entry_type: string }[] = [
          { content: 'Context created', entry_type: 'context_created' },
        ]
        let followed: { cursor: Cursor; count: number } | undefined
        let writer: TranscriptWriter = await store.openWriter('garden', { create: true })
        const seen = (entries: readonly { content: string; entry_type: string }[]) =>
          entries.map(({ content, entry_type }) => ({ content, entry_type }))
        const rowsSeen = (rows: readonly { type: string }[]) =>
          seen(rows.flatMap((row) => ('entry' in row ? [row.entry as never] : [])))
        try {
          for (const one of steps) {
            if (one.do === 'append') {
              const { entry, after } = await writer.append(
                message(one.text, { entry_type: one.type, timestamp: seconds }),
              )
              model.push({ content: entry.content, entry_type: one.type })
              expect(entry.content).toBe(one.text.toWellFormed())
              followed ??= { cursor: after, count: model.length }
            } else if (one.do === 'reopen') {
              await writer.close()
              writer = await store.openWriter('garden', { create: false })
            } else if (one.do === 'window') {
              const anchor = model.map((entry) => isAnchor(entry)).lastIndexOf(true)
              const expected = model
                .slice(anchor)
                .filter((entry) => entry.entry_type !== 'system_prompt_changed')
              expect(seen(await writer.window('refuse'))).toEqual(expected)
            } else if (one.do === 'follow' && followed) {
              const page = await store.readPage('garden', { after: followed.cursor }, 500)
              expect(rowsSeen(page.rows)).toEqual(model.slice(followed.count))
              followed = { cursor: page.after, count: model.length }
            } else if (one.do === 'pages') {
              const found = []
              for (let page = await store.readPage('garden', 'end', one.limit); ; ) {
                found.unshift(...rowsSeen(page.rows))
                if (page.before === undefined) break
                page = await store.readPage('garden', { before: page.before }, one.limit)
              }
              expect(found).toEqual(model)
            } else if (one.do === 'wait') seconds += one.seconds
          }
        } finally {
          await writer.close()
        }
        const reading = await store.readWhole('garden')
        const rows = []
        for await (const row of requireWhole(reading.rows)) rows.push(row)
        expect(rowsSeen(rows)).toEqual(model)
        expect(
          reading.ledgers.map(({ damaged, blank, torn }) => [damaged.length, blank, torn]),
        ).toEqual(reading.ledgers.map(() => [0, 0, false]))
        expect([reading.strays, reading.notices]).toEqual([[], []])
      },
    ),
    { numRuns: 60 },
  )
})
