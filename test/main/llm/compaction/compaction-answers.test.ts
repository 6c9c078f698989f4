import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CompactionMode, RunEvent } from '../../../../src/shared/model/run/run'
import { checkHome } from '../../../support/chibi-checker/home'
import { chunk, eventStream } from '../../../support/raw-server'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { realRun } from '../support/real-run'
import {
  allWords,
  compactByHand,
  fillRoom,
  inStream,
  inWindow,
  roomServer,
  type Summarize,
  standing,
  summarizes,
} from './compaction-room'

const temp = tempFolders(memoryFolder)
let server: Awaited<ReturnType<typeof roomServer>>
beforeAll(async () => {
  server = await roomServer()
})
beforeEach(() => server.restart())
afterAll(() => server.close())

async function room(): Promise<string> {
  const home = temp()
  await fillRoom(home)
  return home
}

const says =
  (content: string, finish = 'stop'): Summarize =>
  (response) =>
    inStream(response, chunk({ content }), chunk({}, finish), '[DONE]')
const call = { index: 0, id: 'call_1', type: 'function' }
const calls = { tool_calls: [{ ...call, function: { name: 'update_todos', arguments: '{}' } }] }

const failing: readonly (readonly [string, Summarize, string])[] = [
  ['has no word', says(''), 'an empty answer'],
  ['has only blanks', says(' \n\t '), 'an empty answer'],
  [
    'calls a tool',
    (response) => inStream(response, chunk(calls), chunk({}, 'tool_calls'), '[DONE]'),
    'called a tool',
  ],
  [
    'calls a tool beside its words',
    (response) =>
      inStream(response, chunk({ content: 'Here.' }), chunk(calls), chunk({}, 'stop'), '[DONE]'),
    'called a tool',
  ],
  ['is held back', says('It was', 'content_filter'), 'withheld the answer'],
  [
    'breaks off, each time',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventStream(chunk({ content: 'It was about ' })), () => response.destroy())
    },
    'No summary was written.',
  ],
  [
    'ends without its end',
    (response) => inStream(response, chunk({ content: 'It was about ' })),
    'No summary was written.',
  ],
  [
    'is a page of another program',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html><body>Please log in.</body></html>')
    },
    'No summary was written.',
  ],
  [
    'is refused',
    (response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Too much.', type: 'invalid_request' } }))
    },
    'Too much.',
  ],
]

describe.each(failing)('a summary that %s', (_, summarize, words) => {
  it.each<[CompactionMode]>([['full'], ['rolling']])(
    'leaves the old window where a person asked for %s',
    async (mode) => {
      const home = await room()
      const before = standing(home)
      server.summarize = summarize
      const end = await compactByHand(home, server.url, mode)
      expect(end).toMatchObject({ type: 'failed', words: expect.stringContaining(words) })
      expect(standing(home)).toEqual(before)
      expect(checkHome(home)).toEqual([])
      // The lock was given back, and nothing stands in the way of another try.
      server.summarize = summarizes
      expect(await compactByHand(home, server.url, mode)).toMatchObject({ type: 'compacted' })
      expect(standing(home)['summary.md']).toBe('The new summary.')
      expect(checkHome(home)).toEqual([])
    },
  )

  it('leaves the old window in a run, which says so and goes on', async () => {
    const home = await room()
    server.summarize = summarize
    const { end, events } = await realRun({ home, url: server.url, text: 'Question 1?' })
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
    expect(toldOf(events).at(-1)).toMatchObject({
      phase: 'kept',
      words: expect.stringContaining(words),
    })
    expect(inWindow(home)).toEqual([...allWords, 'Question 1?', 'Fine, then.'])
    expect(standing(home)['summary.md']).toBe('The old summary.')
    expect(server.phases.filter((phase) => phase === 'answering')).toHaveLength(1)
    expect(checkHome(home)).toEqual([])
    // The next run tries again.
    server.summarize = summarizes
    const next = await realRun({ home, url: server.url, text: 'Question 2?' })
    expect(toldOf(next.events).at(-1)?.phase).toBe('done')
    expect(inWindow(home).slice(-4)).toEqual([
      'Question 1?',
      'Fine, then.',
      'Question 2?',
      'Fine, then.',
    ])
    expect(server.refusals).toEqual([])
    expect(checkHome(home)).toEqual([])
  })
})

const toldOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'compaction' ? [event] : []))

const summaryOf = (home: string) =>
  fs.readFileSync(path.join(home, 'contexts/garden/summary.md'), 'utf8')

/** In pieces, as they come. */
const huge: Summarize = (response) => {
  const piece = chunk({ content: 'é1'.repeat(10_000) })
  inStream(response, ...Array(175).fill(piece), chunk({}, 'stop'), '[DONE]')
}

const bent: readonly (readonly [string, Summarize, string, RegExp])[] = [
  ['of 5 MB is cut to an eighth of the window', huge, 'The summary was too long', /^(é1)+é?…$/],
  [
    'that the provider cut at its limit is taken as it is',
    says('It was about', 'length'),
    'The provider cut the summary',
    /^It was about$/,
  ],
]

describe.each(bent)('a summary %s, and that is said', (_, summarize, words, text) => {
  it.each<[CompactionMode]>([['full'], ['rolling']])('with %s', async (mode) => {
    const home = await room()
    server.summarize = summarize
    const end = await compactByHand(home, server.url, mode)
    expect(end).toMatchObject({ type: 'compacted', notes: [expect.stringContaining(words)] })
    expect(summaryOf(home)).toMatch(text)
    expect(Buffer.byteLength(summaryOf(home))).toBeLessThan(1510)
    expect(checkHome(home)).toEqual([])
  })

  it('in a run', async () => {
    const home = await room()
    server.summarize = summarize
    const { end, events } = await realRun({ home, url: server.url, text: 'Question 1?' })
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
    expect(toldOf(events).at(-1)).toMatchObject({
      phase: 'done',
      words: expect.stringContaining(words),
    })
    expect(summaryOf(home)).toMatch(text)
    expect(Buffer.byteLength(summaryOf(home))).toBeLessThan(1510)
    expect(checkHome(home)).toEqual([])
  })
})

it('a window that is dropped asks nobody', async () => {
  const home = await room()
  expect(await compactByHand(home, server.url, 'drop')).toMatchObject({ type: 'compacted' })
  expect(server.phases).toEqual([])
  expect(inWindow(home)).toEqual([])
  expect(summaryOf(home)).toBe('The old summary.')
  expect(checkHome(home)).toEqual([])
})
