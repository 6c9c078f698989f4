import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { terminalProgram } from './ask-process'

/** A program behind a terminal of its own, as `script` makes one. */
export interface Terminal {
  /** Everything that it wrote, on standard output and standard error alike. */
  out(): string
  /** Types keys; `\r` is Enter, `\u0003` Ctrl+C, `\u0004` Ctrl+D. */
  type(keys: string): void
  /** Waits until a text stands there for the how-many-th time, from 1. */
  shows(text: string, times?: number): Promise<void>
  /** Waits for its end; gives the exit code. */
  ended(): Promise<number | null>
}

/** Starts a program; `hasTerminal` says whether that can be. */
export function openTerminal(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Terminal & { readonly child: ChildProcess } {
  const line = argv.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ')
  // No shell stays in between: one would end by the Ctrl+C that the program takes.
  const child = spawn(terminalProgram, ['-qefc', `exec ${line}`, '/dev/null'], {
    env: { TERM: 'xterm', ...environment },
  })
  const end = once(child, 'close')
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stdin.on('error', () => {}) // It may be gone before it reads.
  return {
    child,
    out: () => out,
    type: (keys) => void child.stdin.write(keys),
    async shows(text, times = 1) {
      await expect.poll(() => out.split(text).length - 1).toBeGreaterThanOrEqual(times)
    },
    async ended() {
      const [code] = await end
      return code
    },
  }
}
