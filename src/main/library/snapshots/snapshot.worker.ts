import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../shared/model/basics/errors'
import { nodeDisk } from '../../disk/node/node-disk'
import {
  inlineSnapshots,
  type SnapshotMessage,
  type SnapshotToRestore,
  type SnapshotToTake,
} from './snapshot-acts'

/** Takes or restores the one snapshot that it was started for, in a thread of its own. */
async function main(wanted: SnapshotToTake | SnapshotToRestore): Promise<void> {
  const send = (message: SnapshotMessage) => parentPort?.postMessage(message)
  const stop = new AbortController()
  parentPort?.on('message', () => stop.abort())
  const acts = inlineSnapshots(nodeDisk, Date.now)
  const progress = (now: Extract<SnapshotMessage, { type: 'progress' }>['now']) =>
    send({ type: 'progress', now })
  try {
    const value =
      wanted.act === 'take'
        ? await acts.take(wanted, progress, stop.signal)
        : await acts.restore(wanted, progress, stop.signal)
    send({ type: 'done', value })
  } catch (error) {
    const report = error instanceof AppError ? error.report() : String(error)
    send({ type: 'failed', report })
  }
  parentPort?.close()
}

void main(workerData)
