import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { type LandmarkReply, landmarkWork } from '../../../../src/main/home/landmarks/landmark-work'
import type { WayJob } from '../../../../src/main/home/way-rows/way-job'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import {
  type Landmark,
  type LandmarkSlice,
  mostLandmarks,
  type NumberedPlace,
  type PlaceWanted,
} from '../../../../src/shared/model/landmarks/landmarks'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()

/** A context of one line for each entry. */
function contextOf(entries: readonly Readonly<Record<string, unknown>>[]) {
  const home = temp()
  const file = path.join(home, 'contexts/tide/transcript/active.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let count = 0
  const append = (some: readonly Readonly<Record<string, unknown>>[]) => {
    const lines = some.map((entry) => {
      const id = `e${count}`
      const named = { id, timestamp: 1_700_000_000 + 60 * count++, from: 'me', to: 'tide' }
      const line = { ...named, entry_type: 'message', role: 'user', ...entry }
      return `${JSON.stringify(line)}\n`
    })
    fs.appendFileSync(file, lines.join(''))
  }
  append(entries)
  const key = libraryKeyOf('chibi', 'tide')
  const job: WayJob = { home, key, way: undefined, ref: undefined }
  return { file, job, append }
}

type Work = ReturnType<typeof landmarkWork>

function sliceOf(reply: LandmarkReply): LandmarkSlice {
  if (reply.type !== 'listed') throw new Error(JSON.stringify(reply))
  return reply.slice
}

async function list(work: Work, job: WayJob, from = 0, reading?: string) {
  return sliceOf(await work({ type: 'list', job, from, reading }, signal))
}

/** All landmarks of a conversation, slice by slice. */
async function listAll(work: Work, job: WayJob) {
  const all: Landmark[] = []
  let slices = 0
  let reading: string | undefined
  for (let isLast = false; !isLast; slices++) {
    const slice = await list(work, job, all.length, reading)
    expect(slice.from).toBe(all.length)
    all.push(...slice.landmarks)
    reading = slice.reading
    isLast = slice.isLast
  }
  return { all, slices, reading }
}

async function places(work: Work, job: WayJob, wanted: readonly PlaceWanted[]) {
  const reply = await work({ type: 'places', job, wanted }, signal)
  if (reply.type !== 'places') throw new Error(JSON.stringify(reply))
  return reply.places
}

const said = ({ number, kind, words }: Landmark) => [number, kind, words]
const answer = (content: string) => ({ role: 'agent', from: 'tide', to: 'user', content })

describe('landmarks', () => {
  it('are the prompts, failures and compactions of all of a conversation, with their numbers and places', async () => {
    const { job, file } = contextOf([
      { content: 'When is high tide?' },
      answer('At noon.'),
      { entry_type: 'tool_call', from: 'tide', to: 'bash', content: '{}' },
      { entry_type: 'tool_result', from: 'bash', to: 'tide', content: 'Error: no moon' },
      { entry_type: 'compaction', role: 'system', content: '', metadata: { summary: 'Tides.' } },
      { content: 'And low tide?' },
    ])
    const slice = await list(landmarkWork(disk), job)
    expect(slice.landmarks.map(said)).toEqual([
      [1, 'prompt', 'When is high tide?'],
      [4, 'error', 'bash: Error: no moon'],
      [5, 'compaction', 'Tides.'],
      [6, 'prompt', 'And low tide?'],
    ])
    expect(slice).toMatchObject({ from: 0, entries: 6, part: 1, isLast: true })
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    const last = slice.landmarks.at(-1)
    expect(last?.offset).toBe(Buffer.byteLength(`${lines.slice(0, 5).join('\n')}\n`))
    expect(last).toMatchObject({ entry: 'e5', at: 1_700_000_300 })
    // Bytes as pages count them: all of the file.
    expect(last?.bytes).toBe(last?.offset)
  })

  it('come in slices that leave none out', async () => {
    const count = 2 * mostLandmarks + 7
    const { job } = contextOf(
      Array.from({ length: 2 * count }, (_, at) =>
        at % 2 === 0 ? { content: `question ${at / 2}` } : answer('yes'),
      ),
    )
    const { all, slices } = await listAll(landmarkWork(disk), job)
    expect(all.map(({ words }) => words)).toEqual(
      Array.from({ length: count }, (_, at) => `question ${at}`),
    )
    expect(all.at(-1)?.number).toBe(2 * count - 1)
    expect(slices).toBe(3)
  })

  it('grow with the conversation, and begin anew where its files were replaced', async () => {
    const context = contextOf([{ content: 'one' }])
    const work = landmarkWork(disk)
    const { reading } = await listAll(work, context.job)
    fs.appendFileSync(context.file, '{"id":"torn"')
    expect(await list(work, context.job, 1, reading)).toMatchObject({
      reading,
      from: 1,
      landmarks: [],
      entries: 2,
      isLast: true,
    })
    fs.appendFileSync(context.file, ',"content":"two","from":"me","to":"tide","timestamp":2}\n')
    context.append([{ content: 'three' }])
    const grown = await list(work, context.job, 1, reading)
    expect(grown).toMatchObject({ reading, from: 1, entries: 3 })
    expect(grown.landmarks.at(-1)).toMatchObject({ number: 3, words: 'three' })

    fs.writeFileSync(context.file, '')
    context.append([{ content: 'other' }])
    const anew = await list(work, context.job, 3, reading)
    expect(anew).toMatchObject({ from: 0, entries: 1, landmarks: [{ words: 'other' }] })
    expect(anew.reading).not.toBe(reading)
  })

  it('begin anew for who has those of another reading', async () => {
    const { job } = contextOf([{ content: 'one' }, { content: 'two' }])
    const { reading } = await listAll(landmarkWork(disk), job)
    const other = await list(landmarkWork(disk), job, 2, reading)
    expect(other.landmarks.map(({ words }) => words)).toEqual(['one', 'two'])
  })

  it('have no message twice that chibi wrote again behind its anchors', async () => {
    const at = 1_700_000_600
    const anchor = { role: 'system', timestamp: at, content: '' }
    const { job } = contextOf([
      { content: 'kept' },
      answer('yes'),
      { ...anchor, entry_type: 'archival' },
      { ...anchor, entry_type: 'context_created' },
      { content: 'kept', timestamp: at, from: 'user' },
      { ...answer('yes'), timestamp: at },
      { content: 'kept' },
    ])
    const { all } = await listAll(landmarkWork(disk), job)
    expect(all.map(said)).toEqual([
      [1, 'prompt', 'kept'],
      [3, 'compaction', ''],
      [7, 'prompt', 'kept'],
    ])
  })

  it('have a prompt that repeats an earlier one behind anchors, where chibi wrote none again', async () => {
    const at = 1_700_000_600
    const anchor = { role: 'system', timestamp: at, content: '' }
    const saved = [
      { ...anchor, entry_type: 'compaction' },
      { ...anchor, entry_type: 'context_created' },
    ]
    const { job } = contextOf([
      { content: 'go on' },
      answer('yes'),
      { content: 'thanks' },
      ...saved,
      // Not the last message before the anchors.
      { content: 'go on', timestamp: at },
      { content: 'and on' },
      ...saved,
      // In another order than before.
      { content: 'and on', timestamp: at },
      { content: 'go on', timestamp: at },
    ])
    const { all } = await listAll(landmarkWork(disk), job)
    const prompts = all.filter(({ kind }) => kind === 'prompt')
    expect(prompts.map(({ number }) => number)).toEqual([1, 3, 6, 7, 11])
  })

  it('tell of all that was read as far as they are listed, also within one page', async () => {
    const count = 2 * mostLandmarks + 7
    const { job } = contextOf(Array.from({ length: count }, (_, at) => ({ content: `${at}` })))
    const work = landmarkWork(disk)
    const first = await list(work, job)
    const second = await list(work, job, mostLandmarks, first.reading)
    expect(first.part).toBe(1)
    expect(second.part).toBeGreaterThan(0.99)
    expect([first.isLast, second.isLast]).toEqual([false, false])
  })

  it('say that a conversation is gone, and end when another call comes', async () => {
    const { job } = contextOf([{ content: 'one' }])
    const gone = { ...job, key: libraryKeyOf('chibi', 'nowhere') }
    const work = landmarkWork(disk)
    const asked = { type: 'list', from: 0, reading: undefined } as const
    expect(await work({ ...asked, job: gone }, signal)).toMatchObject({ code: 'not-found' })
    expect(await work({ ...asked, job }, AbortSignal.abort())).toMatchObject({ code: 'cancelled' })
    expect((await list(work, job)).landmarks).toHaveLength(1)
  })
})

describe('a place', () => {
  it('that is far leaves others their turn', async () => {
    const { job } = contextOf(Array.from({ length: 8 }, (_, at) => ({ content: `${at}` })))
    const work = landmarkWork(disk, 1)
    const ended: string[] = []
    const place = places(work, job, [{ number: 1000 }]).then(() => ended.push('place'))
    const first = list(work, job).then(() => ended.push('list'))
    await Promise.all([place, first])
    expect(ended).toEqual(['list', 'place'])
  })

  it('is found by a number, a time, a line and an id', async () => {
    const { job } = contextOf([
      { content: 'one', timestamp: 100 },
      { content: 'two', timestamp: null },
      { content: 'three', timestamp: 300 },
      { content: 'four', timestamp: 200 },
    ])
    const work = landmarkWork(disk)
    const [second] = await places(work, job, [{ number: 2 }])
    expect(second).toMatchObject({ number: 2, entry: 'e1', at: null })
    const { file = '', offset = 0 } = second ?? {}
    const found = await places(work, job, [
      { time: 100 },
      { time: 101 },
      { time: 301 },
      { number: 5 },
      { file, offset },
      { file, offset: offset + 1 },
      { entry: 'e3' as NonNullable<NumberedPlace['entry']> },
    ])
    expect(found.map((place) => place?.number)).toEqual([
      1,
      3,
      undefined,
      undefined,
      2,
      undefined,
      4,
    ])
  })
})
