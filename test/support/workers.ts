import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach } from 'vitest'
import { bundled } from './bundled'
import type { WorkerCommand } from './store-worker'

/** A process of its own that runs the store. */
export interface StoreWorker {
  readonly process: ChildProcess
  /** Lines of its output so far, parsed. */
  readonly told: readonly unknown[]
  /** Sends a command and resolves to its answer. */
  ask(command: WorkerCommand): Promise<unknown>
  /** Resolves to its next line. */
  next(): Promise<unknown>
  /** Resolves when it is gone. */
  readonly closed: Promise<void>
  /** Ends it as a crash would, and waits until it is gone. */
  kill(): Promise<void>
}

/**
 * Has the worker bundled before the tests of a file; every worker is ended after its test, or after all tests of the file
 * where they share some.
 */
export function storeWorkers(
  ends: 'after each test' | 'after all tests' = 'after each test',
): () => Promise<StoreWorker> {
  const file = bundled('test/support/store-worker.ts')
  const running: StoreWorker[] = []
  const end = async () => {
    for (const worker of running.splice(0)) await worker.kill()
  }
  if (ends === 'after each test') afterEach(end)
  else afterAll(end)

  return async () => {
    const worker = startWorker(file())
    running.push(worker)
    await worker.next()
    return worker
  }
}

function startWorker(file: string): StoreWorker {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told: unknown[] = []
  const waiting: ((line: unknown) => void)[] = []
  let isClosed = false
  let read = 0
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) told.push(JSON.parse(line))
    while (read < told.length && waiting.length > 0) waiting.shift()?.(told[read++])
  })
  const closed = new Promise<void>((resolve) =>
    child.on('close', () => {
      isClosed = true
      for (const answer of waiting.splice(0)) answer('closed')
      resolve()
    }),
  )
  const next = () =>
    new Promise<unknown>((resolve) => {
      if (isClosed) return resolve('closed')
      waiting.push(resolve)
      while (read < told.length && waiting.length > 0) waiting.shift()?.(told[read++])
    })
  return {
    process: child,
    told,
    closed,
    next,
    ask(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      return next()
    },
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
