import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { StartedApp } from './start'

const probe = path.resolve('bench/support/starts/start-probe.cjs')

/** Starts an app; resolves, once its window shows what is looked for, to what measures and ends it. Linux alone. */
export async function startIdle({ executable, args, env, selector }: StartedApp): Promise<{
  readonly processorMs: () => number
  readonly memoryMb: () => number
  readonly end: () => Promise<void>
}> {
  const child = spawn(executable, ['-r', probe, '--no-sandbox', ...args], {
    env: { ...env, SKEIN_BENCH_SELECTOR: selector, SKEIN_BENCH_STAYS: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await shown(child)
  const pids = () => family(child.pid ?? 0)
  return {
    processorMs: () => sum(pids().map(processorMs)),
    memoryMb: () => sum(pids().map(memoryKb)) / 1024,
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function shown(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = ''
    child.stdout?.on('data', (bytes: Buffer) => {
      words += bytes.toString()
      if (/^shown at \d+$/m.test(words)) resolve()
    })
    child.once('close', () => reject(new Error('The app ended before its window showed anything.')))
  })
}

/** A process and all that it started, by /proc. */
function family(pid: number): readonly number[] {
  const parents = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fields(Number(name))[1]) }))
  const found = [pid]
  for (let at = 0; at < found.length; at++)
    found.push(...parents.filter(({ parent }) => parent === found[at]).map((each) => each.pid))
  return found
}

/** Fields of /proc/PID/stat after the command, which may hold spaces: state, parent and so on; none of one that has ended. */
function fields(pid: number): readonly string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** User and system time, in ms: Linux counts hundredths of a second. */
function processorMs(pid: number): number {
  const stat = fields(pid)
  return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * 10
}

function memoryKb(pid: number): number {
  try {
    const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0)
  } catch {
    return 0
  }
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, each) => all + each, 0)
}
