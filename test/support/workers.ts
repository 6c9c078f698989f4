import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll } from 'vitest'
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

/** Bundles the worker once for a test file; every worker is ended after its test. */
export function storeWorkers(): () => Promise<StoreWorker> {
  let folder = ''
  const running: StoreWorker[] = []
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-worker-'))
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: path.join(__dirname, 'store-worker.ts'),
        outDir: folder,
        target: 'node18.15',
        rollupOptions: { output: { format: 'cjs', entryFileNames: 'worker.cjs' } },
      },
    })
  })
  afterEach(async () => {
    for (const worker of running.splice(0)) await worker.kill()
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  return async () => {
    const worker = startWorker(path.join(folder, 'worker.cjs'))
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
