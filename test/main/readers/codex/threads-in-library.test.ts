import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { countHistory } from '../../../../src/main/library/count/count'
import { inlineCounter } from '../../../../src/main/library/count/counter'
import { openHistories, stampOf } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { openStore } from '../../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import {
  answer,
  event,
  head,
  jsonLines,
  message,
  rolloutOf,
  threadIds,
  turn,
} from '../../../support/codex-rollouts'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const [first, second] = threadIds
const beginning = [head(first), message('user', 'a'), turn('model-a'), answer('A')]
const history_base = {
  thread_id: first,
  end_ordinal_exclusive: 4,
  end_byte_offset: Buffer.byteLength(jsonLines(...beginning)),
}

/** A Codex folder with a thread and a fork that goes on from it, as the library reads it. */
async function threads() {
  const root = folder()
  const put = async (file: string, text: string) => {
    await fs.mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await fs.writeFile(path.join(root, file), text)
  }
  await put(rolloutOf(first), jsonLines(...beginning, message('user', 'later')))
  await put(rolloutOf(second), jsonLines(head(second, { history_base }), message('user', 'b')))
  const histories = openHistories(appDisk, [{ source: 'codex', path: root }])
  const store = openStore({ home: path.join(root, 'home'), disk: appDisk })
  return { root, put, histories, transcripts: openTranscripts({ disk: appDisk, store, histories }) }
}

const fork = libraryKeyOf('codex', second)

it('a fork has pages from its end to the beginning in the other thread’s file', async () => {
  const { transcripts } = await threads()
  const wordsOn = ({ rows }: Awaited<ReturnType<typeof transcripts.page>>) =>
    rows.map((row) => (row.type === 'entry' ? [row.entry.id, row.entry.content] : ['damaged', '']))
  const end = await transcripts.page(fork, 'end', 2)
  expect(wordsOn(end)).toEqual([
    [`L4@${first}`, 'A'],
    ['L2', 'b'],
  ])
  if (end.before === undefined) throw new Error('the page begins at the start')
  expect(wordsOn(await transcripts.page(fork, { before: end.before }, 2))).toEqual([
    [`L2@${first}`, 'a'],
  ])
})

it('a fork counts its own lines and models, and says where its beginning is gone', async () => {
  const { root, histories } = await threads()
  const counter = inlineCounter(appDisk)
  const countOf = async (key: typeof fork) => {
    const history = await histories.now(key)
    if (history === undefined) throw new Error('not listed')
    return countHistory(counter, appDisk, history)
  }
  expect(await countOf(fork)).toMatchObject({ lines: 2, entries: 1, unread: [] })
  const whole = await countOf(libraryKeyOf('codex', first))
  expect(whole).toMatchObject({ lines: 5, entries: 3, models: ['model-a'] })
  await fs.unlink(path.join(root, rolloutOf(first)))
  const { unread } = await countOf(fork)
  expect(unread).toEqual([`The beginning is in the thread ${first}, which is not there.`])
})

it('a name that is given beside the files is another stamp, for that thread alone', async () => {
  const { put, histories } = await threads()
  const stamps = async () =>
    new Map((await histories.list()).map(({ key, ref }) => [key, stampOf(ref)]))
  const before = await stamps()
  await put('session_index.jsonl', jsonLines({ id: second, thread_name: 'Apples' }))
  const now = await stamps()
  expect(now.get(fork)).not.toBe(before.get(fork))
  expect(now.get(libraryKeyOf('codex', first))).toBe(before.get(libraryKeyOf('codex', first)))
})

it('a thread is shown without the turns that were rolled back, and they are a page away', async () => {
  const { put, transcripts } = await threads()
  const lines = [
    ...beginning,
    message('user', 'dropped'),
    answer('gone'),
    event({ type: 'thread_rolled_back', num_turns: 1 }),
    message('user', 'kept'),
  ]
  await put(rolloutOf(first), jsonLines(...lines))
  const key = libraryKeyOf('codex', first)
  const wordsOn = ({ rows }: Awaited<ReturnType<typeof transcripts.page>>) =>
    rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged'))
  expect(wordsOn(await transcripts.page(key, 'end', 20))).toEqual(['a', 'A', 'kept'])
  const place = await transcripts.locate(key, EntryId.parse('L5'))
  if (place === undefined) throw new Error('not found')
  expect(wordsOn(await transcripts.page(key, { around: place }, 20))).toEqual([
    'a',
    'A',
    'dropped',
    'gone',
  ])
})

it('turns of the beginning may be rolled back in a fork that goes on from it', async () => {
  const { put, transcripts } = await threads()
  const rolledBack = event({ type: 'thread_rolled_back', num_turns: 1 })
  await put(
    rolloutOf(second),
    jsonLines(head(second, { history_base }), rolledBack, message('user', 'anew')),
  )
  const { rows } = await transcripts.page(fork, 'end', 20)
  expect(rows.map((row) => (row.type === 'entry' ? row.entry.content : ''))).toEqual(['anew'])
})
