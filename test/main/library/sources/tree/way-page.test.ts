import { describe, expect, it } from 'vitest'
import { openHistories } from '../../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../../src/main/library/sources/library-transcripts'
import { followTranscript } from '../../../../../src/main/library/sources/transcript-feed'
import { openStore } from '../../../../../src/main/store/open-store'
import { EntryId } from '../../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../../src/shared/model/conversation/reading'
import type {
  TranscriptPage,
  TranscriptRow,
} from '../../../../../src/shared/model/conversation/transcript'
import { type MemoryDisk, memoryDisk } from '../../../../support/memory-disk'

const file = '/source/projects/-garden/session.jsonl'

/** Records as `u1<`, `a1<u1` (`u` a person, `a` the model, `p` one without words); `@a1` says where the conversation is now; `!` a damaged line, `q` a prompt without an id. */
function lines(text: string): string {
  return text
    .split(' ')
    .map((word) => {
      const [name = '', parent] = word.split('<')
      const place = { uuid: name, parentUuid: parent === '' ? null : parent, sessionId: 's' }
      if (name === '!') return '{"torn'
      if (name.startsWith('@'))
        return JSON.stringify({ type: 'last-prompt', sessionId: 's', leafUuid: name.slice(1) })
      if (name.startsWith('q'))
        return JSON.stringify({
          type: 'attachment',
          sessionId: 's',
          attachment: { type: 'queued_command', prompt: name },
        })
      if (name.startsWith('p')) return JSON.stringify({ ...place, type: 'progress' })
      const message = { content: name }
      return JSON.stringify({
        ...place,
        type: name.startsWith('u') ? 'user' : 'assistant',
        message,
      })
    })
    .map((line) => `${line}\n`)
    .join('')
}

async function opened(text: string) {
  const disk = memoryDisk()
  disk.put(file, Buffer.from(lines(text)))
  const histories = openHistories(disk, [{ source: 'claude-code', path: '/source' }])
  const transcripts = openTranscripts({
    disk,
    store: openStore({ home: '/home', disk }),
    histories,
  })
  const key = (await histories.list())[0]?.key
  if (key === undefined) throw new Error('no conversation')
  return { disk, transcripts, key }
}

const words = (row: TranscriptRow) => (row.type === 'damaged' ? '!' : row.entry.content)
const said = ({ rows }: Pick<TranscriptPage, 'rows'>) => rows.map(words).join(' ')

const rewound = 'u1< a1<u1 u2<a1 a2<u2 u3<a1 p<u3 a3<p'

describe('a page of a conversation with branches inside', () => {
  it('is of the way to where the conversation is now, and counts what is elsewhere', async () => {
    const { transcripts, key } = await opened(rewound)
    const page = await transcripts.page(key, 'end', 50)
    expect(said(page)).toBe('u1 a1 u3 a3')
    expect(page.branches).toEqual({ elsewhere: 2, leaf: 'a3' })
    expect([page.before, page.atEnd]).toEqual([undefined, true])
    const last = page.rows.at(-1)
    expect(last?.type === 'entry' && last.entry.parent).toBe('u3')
  })

  it('says nothing of branches where there are none', async () => {
    const { transcripts, key } = await opened('u1< a1<u1 ! q u2<a1')
    const page = await transcripts.page(key, 'end', 50)
    expect(said(page)).toBe('u1 a1 ! q u2')
    expect(page.branches).toBeUndefined()
  })

  it('around a line of another branch is of the way through it, and its cursors stay on that', async () => {
    const { transcripts, key } = await opened(rewound)
    const around = await transcripts.locate(key, EntryId.parse('a2'))
    if (around === undefined) throw new Error('not there')
    const page = await transcripts.page(key, { around }, 2)
    expect(said(page)).toBe('u2 a2')
    expect(page.branches).toMatchObject({ elsewhere: 2, leaf: 'a2' })
    const { before, after, branches } = page
    if (before === undefined) throw new Error('no page before')
    expect(said(await transcripts.page(key, { before }, 50))).toBe('u1 a1')
    expect(said(await transcripts.page(key, { after }, 50))).toBe('')
    const way = branches?.way
    expect(way).toBeDefined()
    expect(said(await transcripts.page(key, 'end', 1, undefined, way))).toBe('a2')
    expect(said(await transcripts.page(key, 'start', 3, undefined, way))).toBe('u1 a1 u2')
  })

  it('near some bytes is of the way that is asked for, and counts none of the others', async () => {
    const { transcripts, key } = await opened(rewound)
    const whole = await transcripts.page(key, 'start', 50)
    const page = await transcripts.page(key, { near: whole.totalBytes - 1 }, 2)
    expect(said(page)).toBe('a3')
    expect(said(await transcripts.page(key, { near: 0 }, 2))).toBe('u1')
    const around = await transcripts.locate(key, EntryId.parse('a2'))
    if (around === undefined) throw new Error('not there')
    const { branches } = await transcripts.page(key, { around }, 2)
    const other = await transcripts.page(key, { near: 1 }, 4, undefined, branches?.way)
    expect(said(other)).toBe('u1 a1 u2')
  })

  it('around a line of the current way is of no other', async () => {
    const { transcripts, key } = await opened(rewound)
    const around = await transcripts.locate(key, EntryId.parse('a1'))
    if (around === undefined) throw new Error('not there')
    const page = await transcripts.page(key, { around }, 50)
    expect([said(page), page.branches]).toEqual(['u1 a1 u3 a3', { elsewhere: 2, leaf: 'a3' }])
  })

  it('around a line behind the end of the current way is of another, though nothing is elsewhere', async () => {
    const { transcripts, key } = await opened('u1< a1<u1 u2<a1 a2<u2 @a1')
    expect(said(await transcripts.page(key, 'end', 50))).toBe('u1 a1')
    const around = await transcripts.locate(key, EntryId.parse('u2'))
    if (around === undefined) throw new Error('not there')
    const { branches, ...page } = await transcripts.page(key, { around }, 50)
    expect(said(page)).toBe('u1 a1 u2 a2')
    expect(branches).toEqual({ elsewhere: 0, way: expect.any(String), leaf: 'a2' })
  })

  it('through a fork goes on to the newest end below it', async () => {
    const { transcripts, key } = await opened(
      'u1< a1<u1 u2<a1 a2<u2 u4<a2 a4<u4 u5<a2 a5<u5 u3<a1 a3<u3',
    )
    const around = await transcripts.locate(key, EntryId.parse('u2'))
    if (around === undefined) throw new Error('not there')
    expect(said(await transcripts.page(key, { around }, 50))).toBe('u1 a1 u2 a2 u5 a5')
  })

  it('joins to the whole way in pages of any size, from either end', async () => {
    const { transcripts, key } = await opened('u1< a1<u1 ! u2<a1 a2<u2 u3<a1 q a3<u3 u4<a3')
    for (const limit of [1, 2, 3, 50]) {
      const down: string[] = []
      let page = await transcripts.page(key, 'start', limit)
      for (;;) {
        down.push(...page.rows.map(words))
        if (page.atEnd) break
        page = await transcripts.page(key, { after: page.after }, limit)
      }
      const up: string[] = []
      page = await transcripts.page(key, 'end', limit)
      for (;;) {
        up.unshift(...page.rows.map(words))
        if (page.before === undefined) break
        page = await transcripts.page(key, { before: page.before }, limit)
      }
      expect([down.join(' '), up.join(' ')]).toEqual(Array(2).fill('u1 a1 ! u3 q a3 u4'))
    }
  })

  it('has its entries as a reading of the whole has them', async () => {
    const { transcripts, key } = await opened(rewound)
    const whole = new Map<string, TranscriptRow>()
    for await (const row of requireWhole((await transcripts.whole(key)).rows))
      whole.set(words(row), row)
    for (const row of (await transcripts.page(key, 'end', 50)).rows)
      expect(row).toEqual(whole.get(words(row)))
  })
})

describe('a conversation that grows', () => {
  it('goes on with what is written, and reads only that', async () => {
    const { disk, transcripts, key } = await opened(rewound)
    const { after } = await transcripts.page(key, 'end', 50)
    disk.add(file, Buffer.from(lines('u4<a3 q')))
    const page = await transcripts.page(key, { after }, 50)
    expect([said(page), page.atEnd]).toEqual(['u4 q', true])
  })

  it('refuses a position that a rewind has made untrue, and keeps one on another branch', async () => {
    const { disk, transcripts, key } = await opened(rewound)
    const { after } = await transcripts.page(key, 'end', 50)
    const around = await transcripts.locate(key, EntryId.parse('a2'))
    if (around === undefined) throw new Error('not there')
    const other = await transcripts.page(key, { around }, 50)
    disk.add(file, Buffer.from(lines('u4<a1')))
    await expect(transcripts.page(key, { after }, 50)).rejects.toMatchObject({ code: 'not-found' })
    expect(said(await transcripts.page(key, { after: other.after }, 50))).toBe('')
    expect(said(await transcripts.page(key, 'end', 50))).toBe('u1 a1 u4')
  })

  it('has a line once, whole, after it was there unfinished', async () => {
    const { disk, transcripts, key } = await opened('u1< a1<u1')
    const [line = ''] = lines('u2<a1').split('\n')
    disk.add(file, Buffer.from(line.slice(0, 20)))
    const torn = await transcripts.page(key, 'end', 50)
    expect(said(torn)).toBe('u1 a1 !')
    disk.add(file, Buffer.from(line.slice(20)))
    expect(said(await transcripts.page(key, { after: torn.after }, 50))).toBe('u2')
    disk.add(file, Buffer.from('\n'))
    expect(said(await transcripts.page(key, 'end', 50))).toBe('u1 a1 u2')
  })

  it('is read anew where its file was replaced', async () => {
    const { disk, transcripts, key } = await opened(rewound)
    await transcripts.page(key, 'end', 50)
    disk.put(file, Buffer.from(lines('u7< a7<u7')))
    expect(said(await transcripts.page(key, 'end', 50))).toBe('u7 a7')
  })

  it.each([
    ['longer', 'a1, and more'],
    ['of the same length', 'b1'],
  ])('tells who follows it of a last answer that was replaced by one %s', async (_, answer) => {
    const { disk, transcripts, key } = await opened('u1< a1<u1')
    const { after } = await transcripts.page(key, 'end', 50)
    const told: string[] = []
    const feed = followTranscript(transcripts, key, after, {
      appended: (rows) => void told.push(...rows.map(words)),
      changed: () => void told.push('changed'),
      lock: () => undefined,
    })
    try {
      await feed.poke()
      disk.put(
        file,
        Buffer.from(lines('u1< a1<u1').replace('"content":"a1"', `"content":"${answer}"`)),
      )
      await feed.poke()
      expect(told).toEqual(['changed'])
      expect(said(await transcripts.page(key, 'end', 50))).toBe(`u1 ${answer}`)
    } finally {
      feed.close()
    }
  })

  it('tells who follows it of a rewind as of a change', async () => {
    const { disk, transcripts, key } = await opened(rewound)
    const { after } = await transcripts.page(key, 'end', 50)
    const told: string[] = []
    const feed = followTranscript(transcripts, key, after, {
      appended: (rows) => void told.push(...rows.map(words)),
      changed: () => void told.push('changed'),
      lock: () => undefined,
    })
    try {
      disk.add(file, Buffer.from(lines('u4<a3')))
      await feed.poke()
      disk.add(file, Buffer.from(lines('u5<a1')))
      await feed.poke()
      expect(told).toEqual(['u4', 'changed'])
    } finally {
      feed.close()
    }
  })
})

it('reads a conversation once, however many pages are asked for', async () => {
  const { disk, transcripts, key } = await opened(rewound)
  const counted = countReads(disk)
  await transcripts.page(key, 'end', 1)
  const first = counted()
  await transcripts.page(key, 'end', 1)
  expect(counted() - first).toBeLessThan(first)
})

/** Bytes that were read from now on. */
function countReads(disk: MemoryDisk): () => number {
  let bytes = 0
  const open = disk.open.bind(disk)
  disk.open = async (...of) => {
    const opened = await open(...of)
    const read = opened.read.bind(opened)
    opened.read = async (...args) => {
      const count = await read(...args)
      bytes += count
      return count
    }
    return opened
  }
  return () => bytes
}
