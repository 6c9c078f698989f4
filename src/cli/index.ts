import path from 'node:path'
import { DiskError } from '../main/disk/interface/disk'
import { blockingDisk } from '../main/disk/node/blocking-disk'
import { unpackingDisk } from '../main/disk/unpack/unpacking-disk'
import { historyDisk } from '../main/readers/history-disk'
import { scanWidth, threadWorkers } from '../main/search/workers'
import { AppError } from '../shared/model/basics/errors'
import { type Arguments, parseArguments, UsageError } from './command/arguments'
import type { Command } from './command/command'
import { askCommand } from './commands/ask'
import { branchesCommand } from './commands/branches'
import { compactCommand } from './commands/compact'
import { compareCommand } from './commands/compare'
import { contextsCommand } from './commands/contexts'
import { duplicatesCommand } from './commands/duplicates'
import { exportCommand } from './commands/export'
import { helpText } from './commands/help'
import { inspectCommand } from './commands/inspect'
import { labelCommand } from './commands/label'
import { listCommand } from './commands/list'
import { pluginsCommand } from './commands/plugins'
import { readCommand } from './commands/read'
import { searchCommand } from './commands/search'
import { showCommand } from './commands/show'
import { sourcesCommand } from './commands/sources'
import { backupCommand } from './commands/sources/backup'
import { importCommand } from './commands/sources/import'
import { resumeCommand } from './commands/sources/resume'
import { statsCommand } from './commands/stats'
import { tailCommand } from './commands/tail'
import { toolCommand } from './commands/tool'
import { verifyCommand } from './commands/verify'
import { withBackupRoots } from './homes/backup-roots'
import { defaultRoots } from './homes/named-homes'
import { processOutput, terminalText } from './terminal/output'

const commands: readonly Command[] = [
  sourcesCommand,
  listCommand,
  searchCommand,
  showCommand,
  tailCommand,
  branchesCommand,
  compareCommand,
  statsCommand,
  duplicatesCommand,
  labelCommand,
  exportCommand,
  resumeCommand,
  importCommand,
  backupCommand,
  readCommand,
  askCommand,
  compactCommand,
  contextsCommand,
  inspectCommand,
  toolCommand,
  pluginsCommand,
  verifyCommand,
]
// electron-vite puts the version in; see electron.vite.config.ts.
declare const __SKEIN_VERSION__: string

/** A disk whose calls block, which is cheaper by far: here no app window waits for it. */
const disk = historyDisk(unpackingDisk(blockingDisk()))

/** Runs one command; returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const interrupted = new AbortController()
  let isReaderGone = false
  const output = processOutput(() => {
    isReaderGone = true
    interrupted.abort()
  })
  let args: Arguments
  try {
    const flags = Object.fromEntries(commands.map((command) => [command.name, command.flags]))
    args = parseArguments(argv, defaultRoots(process.env), flags)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.say(`${error.message}\n"skein --help" lists what there is.`)
    return 2
  }
  const command = commands.find(({ name }) => name === args.command)
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
  try {
    if (args.command === 'help' || args.command === 'version') {
      await output.write(
        args.command === 'help' ? helpText(commands, args.operands[0]) : `${__SKEIN_VERSION__}\n`,
      )
      return 0
    }
    if (args.rootsGiven && command !== askCommand && command !== sourcesCommand)
      await mustBeThere(args)
    return (
      (await command?.run({
        args: await withBackupRoots(args, disk, process.env, output.say),
        disk,
        output,
        environment: process.env,
        readInput,
        signal: interrupted.signal,
        onInterrupt(act) {
          meanwhile = act
          return () => {
            if (meanwhile === act) meanwhile = undefined
          }
        },
        practiceWorker: path.join(__dirname, 'practice.worker.cjs'),
        searchWorkers: () => threadWorkers(path.join(__dirname, 'search.worker.cjs'), scanWidth()),
      })) ?? 2
    )
  } catch (error) {
    if (error instanceof UsageError) {
      output.say(error.message)
      return 2
    }
    if (interrupted.signal.aborted) return isReaderGone ? 0 : 130
    if (error instanceof AppError || error instanceof DiskError) {
      output.say(error.message)
      return args.flags['exit-code'] === true ? 2 : 1
    }
    throw error
  }
}

/** A home or root that was named by hand and is not there is a mistake, not an empty one. @throws AppError */
async function mustBeThere(args: Arguments): Promise<void> {
  for (const root of args.roots)
    if ((await isThere(root.path)) === false)
      throw new AppError('not-found', `There is nothing at ${root.path}.`)
}

/** Undefined where the disk does not say: reading it says why, and goes on with the others. */
async function isThere(place: string): Promise<boolean | undefined> {
  try {
    return (await disk.stat(place)) !== undefined
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}

/** Standard input as text; undefined where a person sits before it. */
async function readInput(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

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
