import { isUtf8 } from 'node:buffer'
import type { PluginRun } from '../../shared/model/settings/plugins'
import { sleep } from '../async/sleep'
import { type ProgramEnd, type ProgramLimits, type ProgramStart, startProgram } from './program'
import type { TrustedCopy } from './trusted-copy'

/** One question to a plugin: its purpose, arguments, environment and input. */
export interface PluginQuestion {
  /** "--schema", "tool weather", "hook pre_message". */
  readonly asked: string
  readonly args?: readonly string[]
  /** In addition to that of every plugin. */
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  readonly limits?: Partial<Pick<ProgramLimits, 'timeoutMs' | 'stdoutBytes'>>
  /** Returns the fault of an answer that counts all the same, in words that follow the plugin's name. */
  fault?(text: string): string | undefined
}

/** The answer of a plugin to one question. */
export type PluginAnswer =
  | { readonly type: 'answered'; readonly text: string }
  /** `text`: its output before it failed. */
  | { readonly type: 'failed'; readonly problem: string; readonly text?: string }

/** Everything that running plugins needs. */
export interface RunnerDeps {
  readonly folder: string
  readonly limits: ProgramLimits
  /** Resolves to a copy of the plugin of this name, where it is trusted; else to the reason why it may not run. */
  take(name: string): Promise<TrustedCopy | string>
  /** Called at the end of every run that was started. */
  ran(plugin: string, run: PluginRun): void
}

/** Runner of a home's plugins. */
export interface Runner {
  /** Runs a plugin once. Never rejects. */
  ask(plugin: string, question: PluginQuestion, signal?: AbortSignal): Promise<PluginAnswer>
  /** Ends the runs of one plugin. */
  stop(plugin: string): void
  /** Ends everything, and starts nothing any more; resolves when nothing runs. */
  close(): Promise<void>
}

/**
 * Returns a runner of trusted plugins; it runs each from a copy of its trusted content, which it removes afterwards.
 */
export function openRunner(deps: RunnerDeps): Runner {
  /** The plugins that are prepared or run, by what ends each. */
  const running = new Map<AbortController, string>()
  const asking = new Set<Promise<unknown>>()
  let isClosed = false

  async function run(
    plugin: string,
    question: PluginQuestion,
    signal?: AbortSignal,
  ): Promise<PluginAnswer> {
    const stopper = new AbortController()
    const stop = () => stopper.abort()
    if (isClosed || signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    running.set(stopper, plugin)
    try {
      const taken = stopper.signal.aborted ? notStarted : await deps.take(plugin)
      if (typeof taken === 'string') return failed(taken)
      try {
        return await runTaken(plugin, taken, question, stopper.signal)
      } finally {
        await taken.remove()
      }
    } finally {
      running.delete(stopper)
      signal?.removeEventListener('abort', stop)
    }
  }

  async function runTaken(
    plugin: string,
    { program: file, environment }: TrustedCopy,
    question: PluginQuestion,
    signal: AbortSignal,
  ): Promise<PluginAnswer> {
    if (signal.aborted) return failed(notStarted)
    const startedAtMs = Date.now()
    const limits = lowest(deps.limits, question.limits)
    const start = {
      file,
      args: question.args ?? [],
      folder: deps.folder,
      environment: { ...environment, ...question.environment },
      input: question.input ?? '',
    }
    const end = await ended(start, limits, signal)
    const answer = answerOf(end, limits)
    deps.ran(plugin, {
      startedAtMs,
      durationMs: end.durationMs,
      asked: question.asked,
      exitCode: end.how.type === 'exited' ? end.how.code : null,
      problem: (answer.type === 'failed' ? answer.problem : question.fault?.(answer.text)) ?? null,
      stderr: end.stderr,
    })
    return answer
  }

  return {
    async ask(plugin, question, signal) {
      const asked = run(plugin, question, signal)
      asking.add(asked)
      try {
        return await asked
      } finally {
        asking.delete(asked)
      }
    },
    stop(plugin) {
      for (const [stopper, name] of running) if (name === plugin) stopper.abort()
    },
    async close() {
      isClosed = true
      for (const stopper of running.keys()) stopper.abort()
      await Promise.allSettled(asking)
    },
  }
}

const notStarted = 'was not started: the run was stopped'
const busyMs = 10
const mostBusy = 50

/** Runs a program to its end, or to the signal's. */
async function ended(
  start: ProgramStart,
  limits: ProgramLimits,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  for (let tries = 1; ; tries += 1) {
    const program = startProgram(start, limits)
    const stop = () => program.stop('stopped')
    signal.addEventListener('abort', stop)
    const end = await program.ended.finally(() => signal.removeEventListener('abort', stop))
    // Another thread of ours may be starting something right now: until it has, that holds every file that was being
    // written, and what is written cannot be run.
    const isBusy = end.how.type === 'not-started' && end.how.code === 'ETXTBSY'
    if (!isBusy || tries === mostBusy || signal.aborted) return end
    await sleep(busyMs)
  }
}

/** A question may narrow what holds for all, and widens nothing. */
function lowest(all: ProgramLimits, own: PluginQuestion['limits'] = {}): ProgramLimits {
  const { timeoutMs = all.timeoutMs, stdoutBytes = all.stdoutBytes } = own
  return {
    ...all,
    timeoutMs: Math.min(all.timeoutMs, timeoutMs),
    stdoutBytes: Math.min(all.stdoutBytes, stdoutBytes),
  }
}

function failed(problem: string, text?: string): PluginAnswer {
  return { type: 'failed', problem, ...(text === undefined ? {} : { text }) }
}

function answerOf({ how, stdout }: ProgramEnd, limits: ProgramLimits): PluginAnswer {
  const text = isUtf8(stdout) ? stdout.toString('utf8') : undefined
  switch (how.type) {
    case 'exited':
      if (how.code !== 0) return failed(`ended with exit code ${how.code}`, text)
      if (text !== undefined) return { type: 'answered', text }
      return failed(`answered with ${stdout.length} bytes of binary data instead of text`)
    case 'signalled':
      return failed(`was ended by ${how.signal}`)
    case 'timeout':
      return failed(`took longer than ${limits.timeoutMs / 1000} seconds, and was ended`)
    case 'flooded':
      return failed(`wrote more than ${limits.stdoutBytes} bytes, and was ended`)
    case 'stopped':
      return failed('was stopped')
    case 'not-started':
      return failed(whyNotStarted(how.code))
  }
}

function whyNotStarted(code: string): string {
  if (code === 'ENOENT')
    return 'could not be started: the interpreter in its first line, or the folder to run it in, is not there'
  if (code === 'EACCES') return 'could not be started: permission denied'
  if (code === 'ENOEXEC') return 'could not be started: it is not a program for this system'
  return `could not be started (${code})`
}
