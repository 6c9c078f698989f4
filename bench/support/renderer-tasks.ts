import fs from 'node:fs'
import type { ElectronApplication } from 'playwright-core'
import { z } from 'zod'

/** Longest tasks of the window's main thread, in ms. */
export interface RendererTasks {
  readonly longestMs: number
  /** Of the thread alone, without the time in which the machine did something else. */
  readonly longestCpuMs: number
  /** Tasks of more than 50 ms. */
  readonly long: number
}

const Trace = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
})

const longTaskMs = 50

/** Does the work while Chromium records what the window's main thread does. */
export async function tasksDuring(
  app: ElectronApplication,
  work: () => Promise<unknown>,
): Promise<RendererTasks> {
  await app.evaluate((electron) =>
    electron.contentTracing.startRecording({ included_categories: ['toplevel', '__metadata'] }),
  )
  let file: string
  try {
    await work()
  } finally {
    file = await app.evaluate((electron) => electron.contentTracing.stopRecording())
  }
  const { traceEvents } = Trace.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  fs.rmSync(file)
  const threads = new Set(
    traceEvents.flatMap(({ name, pid, tid, args }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  )
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace has no tasks of a window')
  const wall = tasks.map(({ dur = 0 }) => dur / 1000)
  return {
    longestMs: Math.max(...wall),
    longestCpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)),
    long: wall.filter((ms) => ms > longTaskMs).length,
  }
}
