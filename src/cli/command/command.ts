import type { Disk } from '../../main/disk/interface/disk'
import type { SearchWorkers } from '../../main/search/workers'
import type { ReadPdf } from '../../shared/model/attachments/pdf'
import type { Output } from '../terminal/output'
import type { AskPerson } from '../terminal/person'
import type { Arguments } from './arguments'

/** Context of a command: nothing of the process itself, so that commands run in tests as they do for people. */
export interface CommandContext {
  readonly args: Arguments
  readonly disk: Disk
  readonly output: Output
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Standard input as text; undefined where it is a terminal. */
  readInput(): Promise<string | undefined>
  /** Standard input as bytes, one more than the limit at most; undefined where it is a terminal. @throws the signal's reason */
  readInputBytes?(limitBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Aborts at Ctrl+C. */
  readonly signal: AbortSignal
  /** Has Ctrl+C do this instead of aborting, until it is given back. Where it is absent there is no Ctrl+C. */
  readonly onInterrupt?: (act: () => void) => () => void
  /** Asks for a secret at the terminal, without showing what is typed; absent where there is none. */
  readonly askSecret?: AskPerson
  /** For tests: the work of a new passphrase's key, as `openAgeWriter` has it; the usual one where it is absent. */
  readonly workFactor?: number
  /** Where the practice model's worker lies. */
  readonly practiceWorker: string
  /** Reads the text of a PDF, or says why it has none. */
  readonly readPdf: ReadPdf<AbortSignal>
  /** Starts threads that search files; the caller closes them. */
  searchWorkers(): SearchWorkers
  /** The time in Unix milliseconds; the system's clock where it is absent. */
  readonly now?: () => number
  /** Waits before files are read again; ends early when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** One command of `skein`. */
export interface Command {
  readonly name: string
  /** Such as `KEY [--last N | --first N]`. */
  readonly synopsis: string
  readonly summary: string
  /** Its special options, without dashes. */
  readonly flags: readonly string[]
  /** Its options, for "skein NAME --help": the option as it is written, and a line about it. */
  readonly options?: readonly (readonly [option: string, words: string])[]
  /** Commands of other tools that people know it by. */
  readonly replaces?: string
  /** Exit code of a failure; 1 where it is absent. For commands whose 1 says something else. */
  readonly failure?: number
  /** Returns the exit code: 0 done, 1 failed. @throws UsageError (exit code 2), AppError */
  run(context: CommandContext): Promise<number>
}

/** Help on `--verbose`, for commands that take it. */
export const verboseOption = [
  '-v, --verbose',
  'says on standard error what goes on: requests, plugins, and what those write there',
] as const
