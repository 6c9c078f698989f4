import { execFile } from 'node:child_process'
import path from 'node:path'

const probe = path.resolve('bench/support/starts/start-probe.cjs')
/** The app that shows an empty window. */
export const emptyApp = path.resolve('bench/support/starts/empty-window')

/** An app that can be started. */
export interface StartedApp {
  readonly executable: string
  /** Its folder, and what comes after it. */
  readonly args: readonly string[]
  readonly env: Record<string, string>
  /** What stands in its window once it can be used, as a CSS selector. */
  readonly selector: string
}

/**
 * Starts an app and ends it again; resolves to the time from its start until its window is visible and shows what is looked for, in ms.
 *
 * @throws Error where it ends before that
 */
export async function startMs({ executable, args, env, selector }: StartedApp): Promise<number> {
  const startedAtMs = Date.now()
  const told = await new Promise<string>((resolve, reject) => {
    execFile(
      executable,
      ['-r', probe, '--no-sandbox', ...args],
      { env: { ...env, SKEIN_BENCH_SELECTOR: selector }, timeout: 120_000 },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    )
  })
  const shown = /^shown at (\d+)$/m.exec(told)?.[1]
  if (shown === undefined) throw new Error(`${args[0]} showed nothing: ${told}`)
  return Number(shown) - startedAtMs
}
