import path from 'node:path'
import { parseArgs } from 'node:util'
import { type LibraryRoot, parseRootOption } from '../../main/library/sources/roots'

/** The command line cannot be understood: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** A history to read: a system's own folder, the folder of files inside it, or one file. */
export interface Root extends LibraryRoot {
  /** Named by `--home`: may be written to. */
  readonly writable: boolean
}

/** Arguments of a command, parsed. */
export interface Arguments {
  readonly command: string
  readonly operands: readonly string[]
  readonly roots: readonly Root[]
  /** True where `--home` or `--root` was given: then only those are read. */
  readonly rootsGiven: boolean
  /** Where caches are kept; absolute. Undefined where the usual place has to do. */
  readonly cache: string | undefined
  readonly json: boolean
  readonly flags: Readonly<Record<string, Flag | undefined>>
}

/** The value of an option; a list for one that may be given several times. */
export type Flag = string | boolean | readonly string[]

/** Options that every command takes. */
const common = {
  home: { type: 'string' },
  root: { type: 'string', multiple: true },
  cache: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const

/** Options of single commands; a command that does not know one refuses it. One name has one type for all of them. */
const special = {
  last: { type: 'string', short: 'n' },
  first: { type: 'string' },
  context: { type: 'string', short: 'C' },
  model: { type: 'string' },
  practice: { type: 'boolean' },
  input: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'no-tools': { type: 'boolean' },
  attach: { type: 'string', multiple: true },
  prompt: { type: 'string' },
  field: { type: 'string', multiple: true },
  fuel: { type: 'string' },
  events: { type: 'boolean' },
  'log-requests': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  branches: { type: 'string' },
  output: { type: 'string', short: 'o' },
  all: { type: 'boolean' },
  'to-program': { type: 'boolean' },
  limit: { type: 'string' },
  order: { type: 'string' },
  count: { type: 'boolean' },
  facets: { type: 'boolean' },
  index: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  'exit-code': { type: 'boolean' },
  date: { type: 'string', short: 'd' },
  today: { type: 'boolean' },
  yesterday: { type: 'boolean' },
  after: { type: 'string' },
  before: { type: 'string' },
  source: { type: 'string' },
  project: { type: 'string' },
  tag: { type: 'string' },
  messages: { type: 'string' },
  stats: { type: 'boolean' },
  sort: { type: 'string' },
  'group-by': { type: 'string' },
  list: { type: 'string' },
  role: { type: 'string' },
  tools: { type: 'string' },
  system: { type: 'string' },
  max: { type: 'string' },
  provider: { type: 'string' },
  transport: { type: 'string' },
  follow: { type: 'boolean' },
  'as-model': { type: 'boolean' },
  'case-sensitive': { type: 'boolean', short: 'c' },
  regex: { type: 'boolean', short: 'r' },
  group: { type: 'boolean' },
  'older-than': { type: 'string' },
  page: { type: 'boolean' },
  mode: { type: 'string' },
  window: { type: 'boolean' },
  sent: { type: 'string' },
  permanently: { type: 'boolean' },
  pinned: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
  username: { type: 'string' },
  set: { type: 'string', multiple: true },
  digest: { type: 'string' },
  color: { type: 'string' },
  remove: { type: 'boolean' },
  check: { type: 'boolean' },
  redact: { type: 'string' },
  reasoning: { type: 'string' },
  times: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  repair: { type: 'boolean' },
  copy: { type: 'string' },
  encrypt: { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  'redact-pattern': { type: 'string', multiple: true },
} as const

/** Options whose value may be left out, and what such a value looks like: anything else that follows is not theirs. */
const mayStandAlone: ReadonlyMap<string, RegExp> = new Map([
  ['--messages', /^(?:\d+|all)$/],
  ['--branches', /^[a-z]+$/],
  ['--tools', /^(?:all|calls|none)$/],
  ['--system', /^(?:all|none)$/],
  // What follows it is a KEY: its own value comes after "=".
  ['--redact', /(?!)/],
])

/**
 * Parses the arguments after `skein`.
 *
 * @param defaults what is read where neither `--home` nor `--root` is given
 * @param known the special options of each command
 * @throws UsageError
 */
export function parseArguments(
  argv: readonly string[],
  defaults: readonly Root[],
  known: Readonly<Record<string, readonly string[]>>,
): Arguments {
  const { values, positionals } = parsed(argv)
  const { home, root, cache, json, help, version, ...flags } = values
  const command = version ? 'version' : help ? 'help' : (positionals[0] ?? 'help')
  if (command !== 'help' && command !== 'version') {
    // Words that every object knows, such as toString, are none of ours.
    const takes = Object.hasOwn(known, command) ? known[command] : undefined
    if (takes === undefined) throw new UsageError(`There is no command "${command}".`)
    for (const [name, value] of Object.entries(flags))
      if (value !== undefined && !takes.includes(name))
        throw new UsageError(`"skein ${command}" does not take --${name}.`)
  }
  if (cache === '') throw new UsageError('--cache needs a folder.')
  const given = givenRoots(home, root ?? [])
  return {
    command,
    // What help is asked about: "skein show --help", "skein help show".
    operands: help && positionals[0] !== 'help' ? positionals : positionals.slice(1),
    roots: given.length > 0 ? given : defaults,
    rootsGiven: given.length > 0,
    cache: cache === undefined ? undefined : path.resolve(cache),
    json: json ?? false,
    flags,
  }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: withEmptyValues(argv),
      options: { ...common, ...special },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Gives an option without a value an empty one. */
function withEmptyValues(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    const value = mayStandAlone.get(word)
    if (value === undefined || (end !== -1 && at > end)) return word
    return value.test(argv[at + 1] ?? '') ? word : `${word}=`
  })
}

function givenRoots(home: string | undefined, roots: readonly string[]): Root[] {
  const given: Root[] = []
  if (home !== undefined) {
    if (home === '') throw new UsageError('--home needs a folder.')
    given.push({ source: 'chibi', path: path.resolve(home), writable: true })
  }
  for (const root of roots) {
    const understood = parseRootOption(root, process.cwd())
    if (typeof understood === 'string') throw new UsageError(understood)
    given.push({ ...understood, writable: false })
  }
  return given
}

/** Reads a count such as that of `--last 10`; undefined where the option is not given. @throws UsageError */
export function countFlag(args: Arguments, name: string): number | undefined {
  const value = args.flags[name]
  if (value === undefined) return undefined
  const count = Number(value)
  if (typeof value !== 'string' || !Number.isInteger(count) || count < 0 || value.trim() === '')
    throw new UsageError(`--${name} needs a whole number, not "${String(value)}".`)
  return count
}

/** Reads the value of an option; undefined where it is not given. @throws UsageError where it is empty */
export function textFlag(args: Arguments, name: string): string | undefined {
  const value = args.flags[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.trim() === '')
    throw new UsageError(`--${name} needs a value.`)
  return value
}

/** Reads the value of an option that takes one of a few words; undefined where it is not given. @throws UsageError */
export function wordFlag<Word extends string>(
  args: Arguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = args.flags[name]
  if (value === undefined) return undefined
  const found = words.find((word) => word === value)
  if (found === undefined)
    throw new UsageError(`--${name} is one of ${words.join(', ')}, not "${String(value)}".`)
  return found
}
