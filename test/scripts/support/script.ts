import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A Node process that runs a few lines which import the project's own scripts. */
export interface Script {
  readonly child: ChildProcess
  /** Resolves at the first line of its output. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

/** Starts one; it is ended when the test has ended. */
export function startScript(lines: string, env: NodeJS.ProcessEnv = {}): Script {
  const child = spawn(process.execPath, ['--input-type=module', '-e', lines], {
    env: { ...process.env, SKEIN_QUIET: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('\n')) resolve(output.split('\n')[0] ?? '')
    })
  })
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }))
  })
  return { child, firstLine, ended }
}

/** The scripts' folder as a URL. */
export const scripts = new URL('../../../scripts', import.meta.url).href
