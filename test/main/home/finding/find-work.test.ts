import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { type FindReply, findWork } from '../../../../src/main/home/finding/find-work'
import type { WayJob } from '../../../../src/main/home/way-rows/way-job'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/transcripts'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { openStore } from '../../../../src/main/store/open-store'
import {
  type LibraryKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import type { FindAnswer, FoundPlace, WantedText } from '../../../../src/shared/model/find/find'
import { type FixtureRoot, fixtureRoots } from '../../../support/decoded-fixtures'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const fixtures = path.join(import.meta.dirname, '../../../fixtures')
const disk = historyDisk(appDisk)
const { signal } = new AbortController()

function wanted(text: string, more: Partial<WantedText> = {}): WantedText {
  return { text, matchesCase: false, wantsWholeWords: false, isRegex: false, ...more }
}

function answerOf(reply: FindReply): FindAnswer {
  if (reply.type !== 'found') throw new Error(JSON.stringify(reply))
  return reply.answer
}

function placeOf(reply: FindReply): FoundPlace | undefined {
  if (reply.type !== 'place') throw new Error(JSON.stringify(reply))
  return reply.place
}

/** Every conversation of a root, with the rows that the window pages through. */
async function conversationsOf({ name, source }: FixtureRoot) {
  const root = path.join(fixtures, name)
  const isOurs = source === 'chibi'
  const home = isOurs ? root : temp()
  const store = openStore({ home, disk })
  const histories = openHistories(disk, isOurs ? [] : [{ source, path: root }])
  const transcripts = openTranscripts({ disk, store, histories })
  const found: { readonly key: LibraryKey; readonly job: WayJob }[] = []
  if (isOurs)
    for (const { name: context } of await store.listContexts()) {
      const key = libraryKeyOf('chibi', context)
      found.push({ key, job: { home, key, way: undefined, ref: undefined } })
    }
  else
    for (const { key, ref } of await histories.list())
      found.push({ key, job: { home, key, way: undefined, ref } })
  return Promise.all(
    found.map(async ({ key, job }) => {
      const rows: TranscriptRow[] = []
      let page = await transcripts.page(key, 'start', 7)
      rows.push(...page.rows)
      while (!page.atEnd && page.rows.length > 0) {
        page = await transcripts.page(key, { after: page.after }, 7)
        rows.push(...page.rows)
      }
      return { job, rows }
    }),
  )
}

/** Returns the text of a row, by its own fields. */
function saidBy(row: TranscriptRow): string {
  if (row.type === 'damaged') return Buffer.from(row.damaged.bytes, 'base64').toString()
  const { entry } = row
  const { entry_type, metadata = {}, to, content } = entry
  const reasoning = typeof metadata.reasoning === 'string' ? metadata.reasoning : ''
  if (entry_type === 'run_error')
    return [metadata.message, metadata.advice, metadata.response].join('\n')
  if (to === 'call_user') return `${reasoning}\n${JSON.parse(content).message ?? content}`
  if (typeof metadata.summary === 'string' && metadata.summary !== '')
    return `${reasoning}\n${metadata.summary}`
  return `${reasoning}\n${content.replace(/^\[\d{8}-\d{4}[+-]\d{4}\] /, '')}`
}

const roots = fixtureRoots().filter(({ isContext }) => isContext !== true)

describe('words in a conversation', () => {
  it.each(roots)('are found in each row of $name where its own text has them', async (root) => {
    for (const { job, rows } of await conversationsOf(root)) {
      const find = findWork(disk)
      const texts = rows.map((row) => saidBy(row).normalize('NFKC').toLowerCase())
      const words = [...new Set(texts.join(' ').match(/\b[a-z]{4,40}\b/g) ?? [])]
      const step = Math.ceil(words.length / 12)
      for (const word of words.filter((_, at) => at % step === 0)) {
        const answer = answerOf(
          await find({ type: 'find', job, wanted: wanted(word), near: undefined }, signal),
        )
        const naive = texts.flatMap((text, row) => {
          const count = text.split(word).length - 1
          return count > 0 ? [[row, count]] : []
        })
        const found = answer.rows.map((row, at) => [row, answer.counts[at] ?? 0])
        found.sort(([a = 0], [b = 0]) => a - b)
        expect({ word, key: job.key, found }).toEqual({ word, key: job.key, found: naive })
        expect(answer.size).toBe(rows.length)
        const last = answer.rows.length - 1
        const place = placeOf(
          await find(
            {
              type: 'place',
              job,
              wanted: wanted(word),
              row: answer.rows[last] ?? 0,
              nth: (answer.counts[last] ?? 1) - 1,
            },
            signal,
          ),
        )
        const row = rows[answer.rows[last] ?? 0]
        const line = row?.type === 'entry' ? row.entry : row?.damaged
        expect(place).toMatchObject({ file: line?.file, offset: line?.offset })
        expect(place?.text.normalize('NFKC').toLowerCase()).toBe(word)
      }
    }
  })
})

/** A context of one line for each entry. */
function contextOf(entries: readonly Readonly<Record<string, unknown>>[]) {
  const home = temp()
  const file = path.join(home, 'contexts/tide/transcript/active.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const lines = (some: readonly Readonly<Record<string, unknown>>[], from: number) =>
    some
      .map((entry, at) => {
        const id = `e${from + at}`
        const named = { id, timestamp: 1_700_000_000 + from + at, from: 'user', to: 'assistant' }
        return `${JSON.stringify({ ...named, entry_type: 'message', role: 'user', ...entry })}\n`
      })
      .join('')
  fs.writeFileSync(file, lines(entries, 0))
  const key = libraryKeyOf('chibi', 'tide')
  const job: WayJob = { home, key, way: undefined, ref: undefined }
  let count = entries.length
  return {
    file,
    job,
    append(more: readonly Readonly<Record<string, unknown>>[]) {
      fs.appendFileSync(file, lines(more, count))
      count += more.length
    },
  }
}

const inOrder = ({ rows, counts }: FindAnswer) => rows.map((row, at) => [row, counts[at]])

describe('finding', () => {
  it('takes case, whole words and regular expressions as they are asked for', async () => {
    const { job } = contextOf([
      { content: 'Tide tide TIDE tidepool' },
      { content: 'the tide_mark, café, Cafe\u0301' },
    ])
    const find = findWork(disk)
    const counts = async (text: string, more: Partial<WantedText> = {}) =>
      inOrder(
        answerOf(
          await find({ type: 'find', job, wanted: wanted(text, more), near: undefined }, signal),
        ),
      )
    expect(await counts('tide')).toEqual([
      [0, 4],
      [1, 1],
    ])
    expect(await counts('tide', { matchesCase: true })).toEqual([
      [0, 2],
      [1, 1],
    ])
    expect(await counts('tide', { wantsWholeWords: true })).toEqual([[0, 3]])
    expect(await counts('Tide', { wantsWholeWords: true, matchesCase: true })).toEqual([[0, 1]])
    expect(await counts('café')).toEqual([[1, 2]])
    expect(await counts('t.de\\b', { isRegex: true })).toEqual([[0, 3]])
    expect(await counts('tide', { isRegex: true, wantsWholeWords: true })).toEqual([[0, 3]])
    expect(await counts('x*', { isRegex: true })).toEqual([])
    expect(await counts('.', { isRegex: true })).toEqual([
      [0, 23],
      [1, 26],
    ])
  })

  it('says why a regular expression is none, and finds nothing', async () => {
    const { job } = contextOf([{ content: '(' }])
    const find = findWork(disk)
    const asked = {
      type: 'find',
      job,
      wanted: wanted('(', { isRegex: true }),
      near: undefined,
    } as const
    const answer = answerOf(await find(asked, signal))
    expect(answer).toMatchObject({ total: 0, rows: [] })
    expect(answer.fault).toMatch(/^This is no regular expression: /)
  })

  it('names the texts on which a pattern computes without end, and counts the others', async () => {
    const { job } = contextOf([
      { content: 'ab' },
      { content: `${'a'.repeat(50_000)}!` },
      { content: 'aab' },
    ])
    const find = findWork(disk)
    const pattern = wanted('(a+)+b', { isRegex: true })
    const answer = answerOf(
      await find({ type: 'find', job, wanted: pattern, near: undefined }, signal),
    )
    expect(inOrder(answer)).toEqual([
      [0, 1],
      [2, 1],
    ])
    expect(answer.notices).toEqual([
      'The pattern takes too long on one text, which may have further matches.',
    ])
  })

  it('counts no match twice where the machine was too busy for the first try', async () => {
    const { job } = contextOf([{ content: 'ab' }, { content: `${'a'.repeat(50_000)}!` }])
    const idle = { user: 0, system: 0 }
    const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValueOnce(idle).mockReturnValueOnce(idle)
    try {
      const pattern = wanted('(a+)+b', { isRegex: true })
      const asked = { type: 'find', job, wanted: pattern, near: undefined } as const
      expect(inOrder(answerOf(await findWork(disk)(asked, signal)))).toEqual([[0, 1]])
    } finally {
      cpu.mockRestore()
    }
  })

  it('counts a result where its call is shown, and begins at the reader', async () => {
    const call = (id: string) => ({ entry_type: 'tool_call', to: 'run', tool_call_id: id })
    const result = (id: string) => ({ entry_type: 'tool_result', from: 'run', tool_call_id: id })
    const { job } = contextOf([
      { content: 'tide one' },
      { ...call('a'), content: '{"text":"tide\\"s"}' },
      { ...call('b'), content: 'no JSON, tide' },
      { ...result('b'), content: 'tide' },
      { ...result('a'), content: 'tide and tide' },
    ])
    const find = findWork(disk)
    const file = 'transcript/active.jsonl'
    const lines = fs.readFileSync(path.join(job.home, 'contexts/tide', file), 'utf8').split('\n')
    const asked = (near?: { file: string; offset: number }) =>
      find({ type: 'find', job, wanted: wanted('tide'), near }, signal)
    const { file: place } = placeOf(
      await find({ type: 'place', job, wanted: wanted('tide'), row: 0, nth: 0 }, signal),
    ) ?? { file: '' }
    const answer = answerOf(await asked({ file: place, offset: (lines[0]?.length ?? 0) + 1 }))
    expect(inOrder(answer)).toEqual([
      [0, 1],
      [1, 1],
      [4, 2],
      [2, 1],
      [3, 1],
    ])
    expect(answer.near).toBe(1)
    const second = await find(
      { type: 'place', job, wanted: wanted('tide'), row: 4, nth: 1 },
      signal,
    )
    expect(placeOf(second)).toMatchObject({ part: 'result', nth: 1, end: 13, entry: 'e4' })
    const none = await find({ type: 'place', job, wanted: wanted('tide'), row: 4, nth: 2 }, signal)
    expect(placeOf(none)).toBeUndefined()
  })

  it('stays right while the conversation grows, and when its files are replaced', async () => {
    const context = contextOf([{ content: 'tide' }, { content: 'ebb' }])
    const find = findWork(disk)
    const asked = {
      type: 'find',
      job: context.job,
      wanted: wanted('tide'),
      near: undefined,
    } as const
    expect(inOrder(answerOf(await find(asked, signal)))).toEqual([[0, 1]])
    context.append([{ content: 'tide tide' }])
    fs.appendFileSync(context.file, '{"id":"torn, tide')
    expect(inOrder(answerOf(await find(asked, signal)))).toEqual([
      [0, 1],
      [2, 2],
      [3, 1],
    ])
    fs.appendFileSync(context.file, ' and more tide\n')
    context.append([{ content: 'the last tide' }])
    expect(inOrder(answerOf(await find(asked, signal)))).toEqual([
      [0, 1],
      [2, 2],
      [3, 2],
      [4, 1],
    ])
    fs.writeFileSync(context.file, '')
    context.append([{ content: 'a tide of another file' }])
    expect(inOrder(answerOf(await find(asked, signal)))).toEqual([[0, 1]])
  })

  it('says where one of very many matches is without giving the others', async () => {
    const { job } = contextOf([{ content: 'ab'.repeat(200_000) }])
    const find = findWork(disk)
    for (const pattern of [wanted('[ab]', { isRegex: true }), wanted('B')]) {
      const nth = pattern.isRegex ? 399_999 : 199_999
      const asked = { type: 'place', job, wanted: pattern, row: 0, nth } as const
      expect(placeOf(await find(asked, signal))).toMatchObject({
        nth,
        start: 399_999,
        end: 400_000,
        text: 'b',
        before: 199_999,
      })
    }
  })

  it('gives what matches in some lines, by part: the first matches of each', async () => {
    const call = { entry_type: 'tool_call', to: 'run', tool_call_id: 'a' }
    const { job } = contextOf([
      { content: 'tide, Tide' },
      { content: 'ebb' },
      { ...call, content: '{"text":"tidal"}', metadata: { reasoning: 'the tides' } },
      { content: 'tide '.repeat(3_000) },
    ])
    const find = findWork(disk)
    const pattern = wanted('tid(e|al)', { isRegex: true })
    const lines = []
    for (const row of [0, 2, 3]) {
      const asked = { type: 'place', job, wanted: pattern, row, nth: 0 } as const
      const place = placeOf(await find(asked, signal))
      if (place === undefined) throw new Error(`no match in ${row}`)
      lines.push({ file: place.file, offset: place.offset, entry: place.entry })
    }
    const [first, second, third] = lines
    if (first === undefined || second === undefined || third === undefined) throw new Error()
    const asked = { type: 'texts', job, wanted: pattern, lines: [first, second, third] } as const
    const reply = await find(asked, signal)
    if (reply.type !== 'texts') throw new Error(JSON.stringify(reply))
    expect(reply.texts).toEqual([
      { ...first, part: 'content', texts: ['tide', 'Tide'] },
      { ...second, part: 'arguments', texts: ['tidal'] },
      { ...third, part: 'content', texts: Array(500).fill('tide') },
    ])
    const other = await find(
      { ...asked, lines: [{ file: first.file, offset: first.offset }] },
      signal,
    )
    expect(other).toEqual({ type: 'texts', texts: [] })
  })

  it('ends when another text is asked for, and goes on where it was', async () => {
    const { job } = contextOf([{ content: 'tide' }])
    const find = findWork(disk)
    const asked = { type: 'find', job, wanted: wanted('tide'), near: undefined } as const
    const ended = await find(asked, AbortSignal.abort())
    expect(ended).toMatchObject({ type: 'failed', code: 'cancelled' })
    expect(answerOf(await find(asked, signal)).total).toBe(1)
  })

  it('says that a conversation is gone', async () => {
    const find = findWork(disk)
    const job = { ...contextOf([]).job, key: libraryKeyOf('chibi', 'nowhere') }
    const reply = await find({ type: 'find', job, wanted: wanted('a'), near: undefined }, signal)
    expect(reply).toMatchObject({ type: 'failed', code: 'not-found' })
  })
})
