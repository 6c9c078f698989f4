import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { FollowingWorker } from '../../../../src/main/disk/process/following-worker'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

/** A worker that speaks as `serveFollowing` does: answers with its thread's number, fails, reports a change, or dies. */
const script = `
const { parentPort, threadId, workerData } = require('node:worker_threads')
parentPort.on('message', ({ id, question }) => {
  if (question === 'who') parentPort.postMessage({ type: 'answer', id, answer: workerData + threadId })
  if (question === 'fail') parentPort.postMessage({ type: 'failed', id, message: 'could not' })
  if (question === 'change') parentPort.postMessage({ type: 'changed' })
  if (question === 'die') process.exit(1)
})
`

function thread(changed: () => void): FollowingWorker<string, string> {
  const file = path.join(folder(), 'worker.cjs')
  fs.writeFileSync(file, script)
  return new FollowingWorker<string, string>(file, 'thread ', changed)
}

it('keeps its thread, passes on what fails there and its reports, and starts another after it died', async () => {
  let changes = 0
  const asked = thread(() => {
    changes += 1
  })
  // Nothing is known yet that could change.
  asked.tell('change')
  const first = await asked.ask('who')
  expect(first).toMatch(/^thread \d+$/)
  expect(await asked.ask('who')).toBe(first)
  await expect(asked.ask('fail')).rejects.toThrow('could not')
  expect(changes).toBe(0)
  asked.tell('change')
  await expect.poll(() => changes).toBe(1)
  await expect(asked.ask('die')).rejects.toThrow('ended')
  expect(await asked.ask('who')).not.toBe(first)
  await asked.close()
  await expect(asked.ask('who')).rejects.toThrow('closed')
})
