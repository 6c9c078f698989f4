import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { WorkerClient } from '../../../../src/main/disk/process/worker-client'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

/** A worker that speaks as `serveQuestions` does: answers with its thread's number, fails, waits for a cancel, or dies. */
const script = `
const { parentPort, threadId } = require('node:worker_threads')
const waiting = new Set()
const tell = (answer) => parentPort.postMessage([answer])
parentPort.on('message', (heard) => {
  for (const { id, question, cancel } of heard) {
    if (cancel !== undefined && waiting.delete(cancel)) tell({ id: cancel, answer: 'cancelled' })
    if (question === 'who') tell({ id, answer: String(threadId) })
    if (question === 'fail') tell({ id, failed: 'could not' })
    if (question === 'wait') waiting.add(id)
    if (question === 'die') process.exit(1)
  }
})
`

function thread(letGoAfterMs: number): WorkerClient<string, string> {
  const file = path.join(folder(), 'worker.cjs')
  fs.writeFileSync(file, script)
  return new WorkerClient<string, string>(file, letGoAfterMs)
}

const longMs = 60_000

it('answers from one thread, tells what fails there, and passes on a cancel', async () => {
  const asked = thread(longMs)
  const first = await asked.ask('who')
  expect(await asked.ask('who')).toBe(first)
  await expect(asked.ask('fail')).rejects.toThrow('could not')
  const controller = new AbortController()
  const waiting = asked.ask('wait', controller.signal)
  expect(asked.busy).toBe(1)
  controller.abort()
  expect(await waiting).toBe('cancelled')
  expect(asked.busy).toBe(0)
  await asked.close()
})

it('fails what a thread that dies was asked, and starts another', async () => {
  const asked = thread(longMs)
  const first = await asked.ask('who')
  await expect(asked.ask('die')).rejects.toThrow('ended')
  expect(await asked.ask('who')).not.toBe(first)
  await asked.close()
})

it('lets a thread go that has nothing to do, never one that is asked', async () => {
  const asked = thread(1)
  const first = await asked.ask('who')
  await expect.poll(() => asked.ask('who')).not.toBe(first)
  const controller = new AbortController()
  const waiting = asked.ask('wait', controller.signal)
  await asked.ask('who')
  controller.abort()
  expect(await waiting).toBe('cancelled')
  await asked.close()
})
