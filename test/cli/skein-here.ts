import { runSkein } from '../../src/cli/skein'
import { terminalText } from '../../src/cli/terminal/output'
import { blockingDisk } from '../../src/main/disk/node/blocking-disk'
import { unpackingDisk } from '../../src/main/disk/unpack/unpacking-disk'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { historyDisk } from '../../src/main/readers/history-disk'
import { inlineWorkers } from '../../src/main/search/workers'

/** Outcome of a command: its exit code, and what it wrote on standard output and standard error. */
export interface Done {
  readonly code: number
  readonly out: string
  readonly words: string
}

/**
 * Runs `skein` as its program does, with no person before it, in this process: to start another one takes ten times as
 * long as most commands. `cli/process.test.ts` and others run the program itself.
 *
 * @param environment in the place of this process's own, the person's folder (`HOME`) too
 */
export async function skeinHere(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  {
    input = '',
    folder = process.cwd(),
  }: { readonly input?: string; readonly folder?: string } = {},
): Promise<Done> {
  const out: Buffer[] = []
  const words: string[] = []
  const disk = historyDisk(unpackingDisk(blockingDisk()))
  const say = (text: string) => void words.push(`${terminalText(text)}\n`)
  const before = { environment: { ...process.env }, folder: process.cwd() }
  become(environment, folder)
  try {
    const code = await runSkein(argv, {
      disk,
      output: {
        write: async (data) => void out.push(Buffer.from(data)),
        say,
        isTerminal: false,
      },
      environment,
      readInput: async () => input,
      signal: new AbortController().signal,
      practiceWorker: '/nowhere/practice.worker.cjs',
      readPdf: async () => ({ fault: 'is not read here' }),
      searchWorkers: () => inlineWorkers(disk, searchDecoders),
      version: () => '0.0.0',
      isReaderGone: () => false,
    })
    return { code, out: Buffer.concat(out).toString(), words: words.join('') }
  } finally {
    become(before.environment, before.folder)
  }
}

function become(environment: NodeJS.ProcessEnv, folder: string): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  if (process.cwd() !== folder) process.chdir(folder)
}
