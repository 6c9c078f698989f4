import { expect, it } from 'vitest'
import { cycodReader } from '../../../src/main/readers/cycod/cycod'
import { readRoot } from '../../../src/main/readers/read-root'
import { memoryDisk } from '../../support/memory-disk'

it('gives no id of a relative to two entries of one conversation', async () => {
  const meta = '{"metadata":{"title":"Never used"}}'
  const asks = '{"role":"user","contents":[{"$type":"text","text":"what time is it?"}]}'
  const calls =
    '{"role":"assistant","contents":[{"$type":"reasoning","text":"A clock knows."},{"$type":"text","text":"I ask."},{"$type":"functionCall","callId":"call_9QwErTy2UiOpAs4DfGhJkL6z","name":"GetCurrentTime","arguments":{"zone":"UTC"}}]}'
  const answers =
    '{"role":"tool","contents":[{"$type":"functionResult","callId":"call_9QwErTy2UiOpAs4DfGhJkL6z","result":"10:00"}]}'
  const ends =
    '{"role":"assistant","contents":[{"$type":"text","text":"Ten."}]}{"role":"user","contents":[{"$type":"text","text":"thanks"}]}'
  const disk = memoryDisk()
  const put = (name: string, lines: readonly string[]) =>
    disk.put(`/source/chat-history-175443700000${name}.jsonl`, Buffer.from(`${lines.join('\n')}\n`))
  put('0', [meta, asks, calls, answers, ends])
  // Line feeds were lost, so that the same entries have other numbers of lines.
  put('2', [`${meta}${asks}`, calls, `${answers}${ends}`])

  const signal = new AbortController().signal
  const { conversations } = await readRoot(cycodReader, '/source', disk, signal)
  expect(conversations.map(({ entries }) => entries.length)).toEqual([7, 7])
  for (const { entries } of conversations) expect(new Set(entries.map(({ id }) => id)).size).toBe(7)
})
