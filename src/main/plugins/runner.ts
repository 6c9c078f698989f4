import { isUtf8 } from 'node:buffer'
import type { PluginRun } from '../../shared/model/plugins'
import type { PluginPlace } from './find'
import { type Program, type ProgramEnd, type ProgramLimits, startProgram } from './program'

/** One question to a plugin: how it is run, and what for. */
export interface Question {
  /** "--schema", "tool weather", "hook pre_message". */
  readonly asked: string
  readonly args?: readonly string[]
  /** Beside what every plugin is given. */
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  readonly limits?: Partial<Pick<ProgramLimits, 'timeoutMs' | 'stdoutBytes'>>
  /** What is wrong with an answer that is taken all the same, in words that follow the plugin's name. */
  fault?(text: string): string | undefined
}

export type Said =
  | { readonly type: 'said'; readonly text: string }
  /** `text`: what it said before it failed. */
  | { readonly type: 'failed'; readonly problem: string; readonly text?: string }

export interface RunnerDeps {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly limits: ProgramLimits
  /** The program under this name, where what is on the disk now is trusted; else why nothing of it may run. */
  trusted(name: string): Promise<{ readonly place: PluginPlace; readonly hash: string } | string>
  /** Every run that was begun, when it has ended. */
  ran(plugin: string, run: PluginRun): void
}

export interface Runner {
  /** Runs a plugin once. Never rejects. */
  ask(plugin: string, question: Question, signal?: AbortSignal): Promise<Said>
  /** Ends what runs of one plugin. */
  stop(plugin: string): void
  /** Ends everything, and starts nothing any more; resolves when nothing runs. */
  close(): Promise<void>
}

/**
 * Runs trusted plugins.
 *
 * What is on the disk is hashed before the start, right after it, and at the end. A program that was replaced in between
 * is ended, and its answer not taken. What is left: content that was put there after the first look and taken away
 * before the next, by somebody who may write to the home.
 */
export function openRunner(deps: RunnerDeps): Runner {
  const running = new Map<Program, string>()
  const asking = new Set<Promise<unknown>>()
  let isClosed = false

  async function run(plugin: string, question: Question, signal?: AbortSignal): Promise<Said> {
    const before = await deps.trusted(plugin)
    if (typeof before === 'string') return failed(before)
    if (isClosed || signal?.aborted) return failed('was not started: the run was stopped')
    const startedAtMs = Date.now()
    const limits = lowest(deps.limits, question.limits)
    const program = startProgram(
      {
        file: before.place.program,
        args: question.args ?? [],
        folder: deps.folder,
        environment: { ...deps.environment, ...question.environment },
        input: question.input ?? '',
      },
      limits,
    )
    running.set(program, plugin)
    const stop = () => program.stop('stopped')
    signal?.addEventListener('abort', stop)
    try {
      const isSame = async () => {
        const now = await deps.trusted(plugin)
        return typeof now !== 'string' && now.hash === before.hash
      }
      const wasSame = await isSame()
      if (!wasSame) stop()
      const end = await program.ended
      const said: Said =
        wasSame && (await isSame())
          ? answerOf(end, limits)
          : failed('was changed, or trusted no longer, while it ran; its answer is not taken')
      deps.ran(plugin, {
        startedAtMs,
        durationMs: end.durationMs,
        asked: question.asked,
        exitCode: end.how.type === 'exited' ? end.how.code : null,
        problem: (said.type === 'failed' ? said.problem : question.fault?.(said.text)) ?? null,
        stderr: end.stderr,
      })
      return said
    } finally {
      running.delete(program)
      signal?.removeEventListener('abort', stop)
    }
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
      for (const [program, name] of running) if (name === plugin) program.stop('stopped')
    },
    async close() {
      isClosed = true
      for (const program of running.keys()) program.stop('stopped')
      await Promise.allSettled(asking)
    },
  }
}

/** A question may narrow what holds for all, and widens nothing. */
function lowest(all: ProgramLimits, own: Question['limits'] = {}): ProgramLimits {
  const { timeoutMs = all.timeoutMs, stdoutBytes = all.stdoutBytes } = own
  return {
    ...all,
    timeoutMs: Math.min(all.timeoutMs, timeoutMs),
    stdoutBytes: Math.min(all.stdoutBytes, stdoutBytes),
  }
}

function failed(problem: string, text?: string): Said {
  return { type: 'failed', problem, ...(text === undefined ? {} : { text }) }
}

function answerOf({ how, stdout }: ProgramEnd, limits: ProgramLimits): Said {
  const text = isUtf8(stdout) ? stdout.toString('utf8') : undefined
  switch (how.type) {
    case 'exited':
      if (how.code !== 0) return failed(`ended with exit code ${how.code}`, text)
      if (text !== undefined) return { type: 'said', text }
      return failed(`answered with ${stdout.length} bytes of binary data, where text is wanted`)
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
  if (code === 'ENOEXEC') return 'could not be started: it is no program for this system'
  return `could not be started (${code})`
}
