import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import {
  openTranscripts,
  type Transcripts,
} from '../../../../src/main/library/sources/library-transcripts'
import { followTranscript } from '../../../../src/main/library/sources/transcript-feed'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type {
  PageFrom,
  TranscriptPage,
  TranscriptRow,
} from '../../../../src/shared/model/conversation/transcript'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const key = LibraryKey.parse('cycod:chat-history-1754437000000')

/** A cycod folder with one conversation of these lines, and how the library reads it. */
async function cycodWith(lines: readonly string[], ending = '\n') {
  const root = folder()
  const file = path.join(root, 'history/chat-history-1754437000000.jsonl')
  await fs.mkdir(path.dirname(file))
  await fs.writeFile(file, lines.join('\n') + ending)
  const histories = openHistories(nodeDisk, [{ source: 'cycod', path: root }])
  const store = openStore({ home: path.join(root, 'home'), disk: nodeDisk })
  return { file, transcripts: openTranscripts({ disk: nodeDisk, store, histories }) }
}

const said = (role: string, content: string) => JSON.stringify({ role, content })

/** A user's and an assistant's message in turn, with a control line, a blank and a damaged one in between. */
function manyLines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    if (i === 3) return '{"_meta":{"title":"Weeds"}}'
    if (i % 97 === 5) return ''
    if (i % 101 === 7) return '{"role":"user","content":"cut'
    return said(i % 2 === 0 ? 'user' : 'assistant', `line ${i + 1} ü${'x'.repeat(i % 50)}`)
  })
}

function words(row: TranscriptRow): string {
  const place = row.type === 'entry' ? row.entry : row.damaged
  return `${row.type === 'entry' ? row.entry.id : 'damaged'}@${place.line}:${place.offset}+${place.length}`
}

async function allOf(transcripts: Transcripts): Promise<readonly string[]> {
  const { rows } = await transcripts.whole(key)
  const all: string[] = []
  for await (const row of requireWhole(rows)) all.push(words(row))
  return all
}

it('reads a conversation of another system in pages from its end, as its reader reads it whole', async () => {
  const { transcripts } = await cycodWith(manyLines(900))
  const whole = await allOf(transcripts)

  const up: string[] = []
  let page = await transcripts.page(key, 'end', 70)
  expect(page.atEnd).toBe(true)
  for (;;) {
    up.unshift(...page.rows.map(words))
    if (page.before === undefined) break
    page = await transcripts.page(key, { before: page.before }, 70)
  }
  expect(up).toEqual(whole)

  const down: string[] = []
  page = await transcripts.page(key, 'start', 70)
  for (;;) {
    down.push(...page.rows.map(words))
    if (page.atEnd) break
    page = await transcripts.page(key, { after: page.after }, 70)
  }
  expect(down).toEqual(whole)
})

it('reads the rows on both sides of a line, and goes on from there both ways', async () => {
  const { transcripts } = await cycodWith(manyLines(300))
  const whole = await allOf(transcripts)
  const at = await transcripts.locate(key, EntryId.parse('L151'))
  expect(at).toBeDefined()
  if (at === undefined) return

  const page = await transcripts.page(key, { around: at }, 20)
  const first = whole.findIndex((row) => row.startsWith('L151@'))
  expect(page.rows.map(words)).toEqual(whole.slice(first - 10, first + 10))
  expect(page.atEnd).toBe(false)
  const above = await transcripts.page(key, { before: page.before ?? page.after }, 10)
  const below = await transcripts.page(key, { after: page.after }, 10)
  expect(above.rows.map(words)).toEqual(whole.slice(first - 20, first - 10))
  expect(below.rows.map(words)).toEqual(whole.slice(first + 10, first + 20))
})

it('says that a line is gone which somebody names', async () => {
  const { transcripts } = await cycodWith(manyLines(9))
  const file = 'history/chat-history-1754437000000.jsonl'
  for (const around of [
    { file, offset: 3 },
    { file, offset: 1e9 },
    { file: '../../etc/passwd', offset: 0 },
  ])
    await expect(transcripts.page(key, { around }, 5)).rejects.toMatchObject({ code: 'not-found' })
  await expect(transcripts.line(key, '../../etc/passwd', 0, 4)).rejects.toMatchObject({
    code: 'not-found',
  })
})

it('shows the untouched bytes of a line', async () => {
  const lines = manyLines(30)
  const { transcripts } = await cycodWith(lines)
  const page = await transcripts.page(key, 'end', 1)
  const row = page.rows[0]
  if (row?.type !== 'entry') throw new Error('no entry')
  const { file, offset, length } = row.entry
  const { bytes, line } = await transcripts.line(key, file, offset, length)
  expect(new TextDecoder().decode(bytes)).toBe(lines[29])
  expect(line).toBe(30)
})

it('tells what cycod appends to a conversation that is followed, whose last line has no line feed', async () => {
  const { file, transcripts } = await cycodWith([said('user', 'one'), said('assistant', 'two')], '')
  const told: string[] = []
  let heard = () => {}
  const start = (await transcripts.page(key, 'end', 1)).after
  const feed = followTranscript(transcripts, key, start, {
    appended(rows) {
      told.push(...rows.map(words))
      heard()
    },
    changed: () => told.push('changed'),
    lock: () => undefined,
  })
  await fs.appendFile(file, `\n${said('user', 'three')}\n${said('assistant', 'four')}`)
  while (told.length < 2)
    await new Promise<void>((resolve) => {
      heard = resolve
    })
  feed.close()
  expect(told.map((row) => row.split('@')[0])).toEqual(['L3', 'L4'])
})

it('says that a conversation is gone', async () => {
  const { file, transcripts } = await cycodWith([said('user', 'one')])
  expect((await transcripts.page(key, 'end', 5)).rows).toHaveLength(1)
  await fs.unlink(file)
  await expect(transcripts.page(key, 'end', 5)).rejects.toMatchObject({ code: 'not-found' })
  const other = LibraryKey.parse('cycod:nowhere')
  await expect(transcripts.page(other, 'end', 5)).rejects.toMatchObject({ code: 'not-found' })
})

it('goes on from page to page in a conversation that lies in a database', async () => {
  const disk = historyDisk(appDisk)
  const root = path.join(import.meta.dirname, '../../../fixtures/readers/goose/input')
  const histories = openHistories(disk, [{ source: 'goose', path: root }])
  const store = openStore({ home: folder(), disk })
  const transcripts = openTranscripts({ disk, store, histories })
  for (const { key: one } of await histories.list()) {
    const whole = (await transcripts.page(one, 'start', 500)).rows
    const down: TranscriptRow[] = []
    for (let from: PageFrom = 'start', atEnd = false; !atEnd; ) {
      const page: TranscriptPage = await transcripts.page(one, from, 1)
      down.push(...page.rows)
      from = { after: page.after }
      atEnd = page.atEnd
    }
    expect(down).toEqual(whole)
  }
})
