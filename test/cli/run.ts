import path from 'node:path'
import { parseArguments } from '../../src/cli/command/arguments'
import type { Command } from '../../src/cli/command/command'
import { withBackupRoots } from '../../src/cli/homes/backup-roots'
import type { Disk } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../src/main/search/workers'

export const fixtures = path.resolve(import.meta.dirname, '../fixtures')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly words: string
}

/** Runs a command as `skein` would, with its output kept. */
export async function run(
  command: Command,
  argv: readonly string[],
  more: {
    /** ISO 8601. */
    readonly now?: string
    readonly signal?: AbortSignal
    readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
    /** Where caches go; nowhere unless told. */
    readonly cache?: string
    /** Where programs keep data, a trash too; absolute. */
    readonly data?: string
    /** Where programs keep what a person set; absolute. Nowhere unless told. */
    readonly config?: string
    /** The real one unless told. */
    readonly disk?: Disk
    /** Gets what is said, also where the command fails. */
    readonly say?: string[]
    /** Standard input, which is no terminal. */
    readonly input?: Uint8Array
    /** What a person types when a secret is asked for, in order. */
    readonly typed?: readonly string[]
    /** Writes in the place of the output that is kept. */
    readonly write?: () => Promise<void>
  } = {},
): Promise<Ran> {
  const out: string[] = []
  const words: string[] = []
  const { now, signal = new AbortController().signal, pause, cache, data, config } = more
  const { disk = nodeDisk } = more
  const secrets = more.typed === undefined ? undefined : [...more.typed]
  const environment = {
    // In a device no folder can be made.
    XDG_CACHE_HOME: cache ?? '/dev/null',
    ...(data === undefined ? {} : { XDG_DATA_HOME: data }),
    XDG_CONFIG_HOME: config ?? '/dev/null',
  }
  const args = parseArguments([command.name, ...argv], [], { [command.name]: command.flags })
  const code = await command.run({
    args: await withBackupRoots(args, disk, environment, (text) => words.push(`${text}\n`)),
    disk,
    output: {
      write: more.write ?? (async (text) => void out.push(String(text))),
      say(text) {
        words.push(`${text}\n`)
        more.say?.push(text)
      },
      isTerminal: false,
    },
    environment,
    readInput: async () => undefined,
    readInputBytes: async (limitBytes) => more.input?.subarray(0, limitBytes + 1),
    signal,
    practiceWorker: '/nowhere/practice.worker.cjs',
    readPdf: async () => ({ fault: 'is not read here' }),
    searchWorkers: () => inlineWorkers(disk, searchDecoders),
    ...(now === undefined ? {} : { now: () => Date.parse(now) }),
    ...(pause === undefined ? {} : { pause }),
    ...(secrets === undefined ? {} : { askSecret: async () => secrets.shift() }),
    workFactor: 1,
  })
  return { code, out: out.join(''), words: words.join('') }
}
