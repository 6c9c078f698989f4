import { type Disk, DiskError } from '../main/disk/interface/disk'
import { AppError } from '../shared/model/basics/errors'
import { type Arguments, parseArguments, UsageError } from './command/arguments'
import type { Command, CommandContext } from './command/command'
import { askCommand } from './commands/ask'
import { branchesCommand } from './commands/branches'
import { compactCommand } from './commands/compact'
import { compareCommand } from './commands/compare'
import { contextsCommand } from './commands/contexts'
import { duplicatesCommand } from './commands/duplicates'
import { exportCommand } from './commands/export'
import { helpText } from './commands/help'
import { doctorCommand } from './commands/homes/doctor'
import { pluginsCommand } from './commands/homes/plugins'
import { promptsCommand } from './commands/homes/prompts'
import { inspectCommand } from './commands/inspect'
import { labelCommand } from './commands/label'
import { listCommand } from './commands/list'
import { readCommand } from './commands/read'
import { searchCommand } from './commands/search'
import { showCommand } from './commands/show'
import { sourcesCommand } from './commands/sources'
import { backupCommand } from './commands/sources/backup'
import { importCommand } from './commands/sources/import'
import { resumeCommand } from './commands/sources/resume'
import { snapshotCommand } from './commands/sources/snapshot'
import { statsCommand } from './commands/stats'
import { tailCommand } from './commands/tail'
import { toolCommand } from './commands/tool'
import { verifyCommand } from './commands/verify'
import { withBackupRoots } from './homes/backup-roots'
import { defaultRoots } from './homes/named-homes'

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
  snapshotCommand,
  readCommand,
  askCommand,
  compactCommand,
  contextsCommand,
  inspectCommand,
  toolCommand,
  pluginsCommand,
  promptsCommand,
  verifyCommand,
  doctorCommand,
]

/** Surroundings of a command line: nothing of them is taken from the process itself, so that tests run it as people do. */
export interface Surroundings extends Omit<CommandContext, 'args'> {
  /** Words that `--version` prints. */
  version(): string
  /** Whether who read the output has gone (`| head`): it is no failure that nothing more is written then. */
  isReaderGone(): boolean
}

/** Runs one command; resolves to the exit code. Throws what no command should: a fault of the program. */
export async function runSkein(
  argv: readonly string[],
  { version, isReaderGone, ...surroundings }: Surroundings,
): Promise<number> {
  const { disk, environment, output, signal } = surroundings
  let args: Arguments
  try {
    const flags = Object.fromEntries(commands.map((command) => [command.name, command.flags]))
    args = parseArguments(argv, defaultRoots(environment), flags)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.say(`${error.message}\n"skein --help" lists what there is.`)
    return 2
  }
  const command = commands.find(({ name }) => name === args.command)
  try {
    if (args.command === 'help' || args.command === 'version') {
      await output.write(
        args.command === 'help' ? helpText(commands, args.operands[0]) : `${version()}\n`,
      )
      return 0
    }
    if (args.rootsGiven && command !== askCommand && command !== sourcesCommand)
      await mustBeThere(disk, args)
    const whole = await withBackupRoots(args, disk, environment, output.say)
    return (await command?.run({ ...surroundings, args: whole })) ?? 2
  } catch (error) {
    if (error instanceof UsageError) {
      output.say(error.message)
      return 2
    }
    if (signal.aborted) return isReaderGone() ? 0 : 130
    if (error instanceof AppError || error instanceof DiskError) {
      output.say(error.message)
      return args.flags['exit-code'] === true ? 2 : (command?.failure ?? 1)
    }
    throw error
  }
}

/** A home or root that was named by hand and is not there is a mistake, not an empty one. @throws AppError */
async function mustBeThere(disk: Disk, args: Arguments): Promise<void> {
  for (const root of args.roots)
    if ((await isThere(disk, root.path)) === false)
      throw new AppError('not-found', `There is nothing at ${root.path}.`)
}

/** Undefined where the disk does not say: reading it says why, and goes on with the others. */
async function isThere(disk: Disk, place: string): Promise<boolean | undefined> {
  try {
    return (await disk.stat(place)) !== undefined
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}
