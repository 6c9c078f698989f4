import path from 'node:path'
import { blockingDisk } from '../main/disk/node/blocking-disk'
import { unpackingDisk } from '../main/disk/unpack/unpacking-disk'
import { startPdfProcess } from '../main/pdf/pdf-process'
import { openPdfTexts } from '../main/pdf/pdf-texts'
import { historyDisk } from '../main/readers/history-disk'
import { scanWidth, threadWorkers } from '../main/search/workers'
import { runSkein } from './skein'
import { processOutput, terminalText } from './terminal/output'
import { terminalSecret } from './terminal/secret'
import { standardInputBytes } from './terminal/standard-input'

// electron-vite puts the version in; see electron.vite.config.ts.
declare const __SKEIN_VERSION__: string

/** Runs one command with what this process has; returns the exit code. */
function main(argv: readonly string[]): Promise<number> {
  const interrupted = new AbortController()
  let isReaderGone = false
  const output = processOutput(() => {
    isReaderGone = true
    interrupted.abort()
  })
  let meanwhile: (() => void) | undefined
  const interrupt = () => {
    if (meanwhile !== undefined) return meanwhile()
    process.off('SIGINT', interrupt)
    interrupted.abort()
  }
  // Once each: a second signal ends the process at once.
  process.on('SIGINT', interrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort())
  const askSecret = terminalSecret(() => process.emit('SIGINT'))
  return runSkein(argv, {
    // A disk whose calls block, which is cheaper by far: here no app window waits for it.
    disk: historyDisk(unpackingDisk(blockingDisk())),
    output,
    environment: process.env,
    readInput,
    readInputBytes: standardInputBytes,
    signal: interrupted.signal,
    onInterrupt(act) {
      meanwhile = act
      return () => {
        if (meanwhile === act) meanwhile = undefined
      }
    },
    ...(askSecret === undefined ? {} : { askSecret }),
    practiceWorker: path.join(__dirname, 'practice.worker.cjs'),
    readPdf: openPdfTexts({
      start: () => startPdfProcess(path.join(__dirname, 'pdf.worker.cjs')),
      characterMaps: path.join(__dirname, 'character-maps'),
    }),
    searchWorkers: () => threadWorkers(path.join(__dirname, 'search.worker.cjs'), scanWidth()),
    version: () => __SKEIN_VERSION__,
    isReaderGone: () => isReaderGone,
  })
}

/** Standard input as text; undefined where a person sits before it. */
async function readInput(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

// Installed packages run the command in Electron's executable as plain Node: what it starts is to run as itself.
delete process.env.ELECTRON_RUN_AS_NODE

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`skein: ${terminalText(words)}\n`)
    process.exitCode = 1
  },
)
