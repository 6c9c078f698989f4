import { type ChildProcess, spawn } from 'node:child_process'
import { sleep } from '../async/sleep'
import { endGroup } from './end-process-group'

/** A program and everything that it is started with. */
export interface ProgramStart {
  /** Absolute. */
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Written to its stdin, which then ends; a program that does not read it is no failure. */
  readonly input: string
}

/** Limits of one run of a program, in time and output. */
export interface ProgramLimits {
  readonly timeoutMs: number
  /** Beyond these it is ended. */
  readonly stdoutBytes: number
  /** The last ones are kept. */
  readonly stderrBytes: number
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number
  /** The ms for which processes that a program leaves behind may keep its output open. */
  readonly lingerMs: number
}

/** The reason why a program was ended. */
export type StopReason = 'timeout' | 'flooded' | 'stopped'

/** The end of a program, with its output. */
export interface ProgramEnd {
  readonly how:
    | { readonly type: 'exited'; readonly code: number }
    | { readonly type: 'signalled'; readonly signal: string }
    | { readonly type: StopReason }
    | { readonly type: 'not-started'; readonly code: string }
  readonly stdout: Buffer
  /** Its end; bytes that are no UTF-8 are replaced. */
  readonly stderr: string
  readonly durationMs: number
}

/** A program that was started. */
export interface Program {
  /** Ends it and the processes that it started. The first reason counts. */
  stop(reason: StopReason): void
  /** Never rejects. Resolves when nothing of its process group is left. */
  readonly ended: Promise<ProgramEnd>
}

/** Starts a program in a process group of its own, which ends with it. Never throws: a failed start is an end. */
export function startProgram(start: ProgramStart, limits: ProgramLimits): Program {
  const began = performance.now()
  let child: ChildProcess
  try {
    child = spawn(start.file, start.args, {
      cwd: start.folder,
      env: start.environment,
      detached: true, // A group of its own, so that what it starts can be ended with it.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    return { stop() {}, ended: Promise.resolve(notStarted(error)) }
  }
  const { pid } = child
  const output = kept(child, limits, () => stop('flooded'))
  let reason: StopReason | undefined
  let group: Promise<void> | undefined

  function stop(why: StopReason): void {
    if (pid === undefined || group !== undefined) return
    reason = why
    group = endGroup(pid, limits.graceMs)
  }

  // A program may end, or close its stdin, before it has read everything: EPIPE, which does not spoil its answer.
  child.stdin?.on('error', () => {})
  child.stdin?.end(start.input)
  // A fault of a pipe ends it, as its end does: what came is what there is.
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {})

  async function ended(): Promise<ProgramEnd> {
    // A second error without a listener would end the whole app.
    const failure = new Promise<unknown>((resolve) => child.on('error', resolve))
    const exit = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
      child.once('exit', (code, signal) => resolve([code, signal])),
    )
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    if (pid === undefined) return notStarted(await failure)
    const timer = setTimeout(() => stop('timeout'), limits.timeoutMs)
    const [code, signal] = await exit
    clearTimeout(timer)
    // Processes that it started may hold its output open, and are not waited for.
    await happensWithin(closed, limits.lingerMs)
    group ??= endGroup(pid, limits.graceMs)
    await group
    await happensWithin(closed, limits.lingerMs)
    child.stdout?.destroy()
    child.stderr?.destroy()
    return {
      how:
        reason !== undefined
          ? { type: reason }
          : code !== null
            ? { type: 'exited', code }
            : { type: 'signalled', signal: signal ?? 'a signal' },
      ...output(),
      durationMs: Math.round(performance.now() - began),
    }
  }
  return { stop, ended: ended() }
}

/** Collects what it writes: stdout up to its limit, the last bytes of stderr. */
function kept(
  child: ChildProcess,
  { stdoutBytes, stderrBytes }: ProgramLimits,
  flooded: () => void,
): () => Pick<ProgramEnd, 'stdout' | 'stderr'> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  let outBytes = 0
  let errBytes = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    outBytes += chunk.length
    if (outBytes > stdoutBytes) flooded()
    else out.push(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    err.push(chunk)
    errBytes += chunk.length
    while (errBytes - (err[0]?.length ?? 0) >= stderrBytes) errBytes -= err.shift()?.length ?? 0
  })
  return () => ({
    stdout: Buffer.concat(out),
    stderr: Buffer.concat(err).subarray(-stderrBytes).toString('utf8'),
  })
}

async function happensWithin(happens: Promise<void>, ms: number): Promise<void> {
  const given = new AbortController()
  const late = sleep(ms, given.signal)
  await Promise.race([happens, late])
  given.abort()
}

function notStarted(error: unknown): ProgramEnd {
  const code = (error as { code?: unknown } | null)?.code // Node gives its system errors this field.
  return {
    how: { type: 'not-started', code: typeof code === 'string' ? code : 'unknown' },
    stdout: Buffer.alloc(0),
    stderr: '',
    durationMs: 0,
  }
}
