import path from 'node:path'
import { type Disk, DiskError } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import { isExecutable } from '../disk/process/executable'
import { lookedUpNames } from '../disk/process/looked-up-names'
import { readExactly } from '../disk/reading/lines'
import { isInsideFolder } from './find-plugins'

/** The folders in which programs are found and run, and those that others can change. */
export interface ProgramEnvironment {
  readonly disk: Disk
  /** Folders, with every link followed, whose writers must not decide what runs. */
  readonly guarded: readonly string[]
  /** Where plugins run. */
  readonly folder: string
  /** `PATH` as plugins get it. */
  readonly searchPath: string
}

/** Longest first line that systems read, in bytes, `#!` included. */
const longestLine = 255
/** An interpreter may be a script itself; Linux follows so many. */
const deepest = 5
/** Where plugins look for programs when the environment names no usable folder. */
const usualPath = '/usr/local/bin:/usr/bin:/bin'

/** Resolves to true where a path leads through a guarded folder, or into it. */
export async function isGuarded(guarded: readonly string[], target: string): Promise<boolean> {
  const way = await lookedUpNames(target)
  return way.some((name) =>
    guarded.some((folder) => name === folder || isInsideFolder(folder, name)),
  )
}

/**
 * Resolves to the folders of a `PATH` that are absolute and lead through no guarded folder; the usual ones where
 * none is left.
 */
export async function safeSearchPath(
  given: string | undefined,
  guarded: readonly string[],
): Promise<string> {
  const folders: string[] = []
  for (const folder of (given ?? '').split(path.delimiter))
    if (path.isAbsolute(folder) && !(await isGuarded(guarded, folder))) folders.push(folder)
  return folders.length === 0 ? usualPath : folders.join(path.delimiter)
}

/**
 * Finds the reason why the interpreter in a program's first line may not run it, in a sentence; undefined where it
 * may, where there is none, and where it does not exist: then the start fails.
 *
 * An interpreter in the home is as much a part of what runs as the plugin, and is in no hash.
 *
 * @throws DiskError where an interpreter that is a script cannot be read
 */
export async function interpreterFault(
  around: ProgramEnvironment,
  head: Uint8Array,
  depth = 0,
): Promise<string | undefined> {
  const line = firstLine(head)
  if (line === undefined) return undefined
  const whose = depth === 0 ? 'Its first line' : 'The first line of its interpreter'
  if (line.length > longestLine) return `${whose} is longer than operating systems read.`
  const { interpreter, words } = parsed(line)
  if (interpreter === '') return undefined
  if (!path.isAbsolute(interpreter))
    return `${whose} names its interpreter by a relative path: ${interpreter}.`
  // Where plugins run in the home itself, each plain word would name something there.
  const from = (await isGuarded(around.guarded, around.folder)) ? undefined : around.folder
  for (const word of [interpreter, ...words])
    for (const target of [...pathsIn(word, around.folder), ...namesIn(word, from)])
      if (await isGuarded(around.guarded, target)) return inHome(whose, word)
  if (depth === deepest) return `${whose} leads through too many scripts to an interpreter.`
  const last = (await lookedUpNames(interpreter)).at(-1) ?? interpreter
  const next =
    path.basename(interpreter) === 'env' || path.basename(last) === 'env'
      ? await foundByEnv(around, words, whose)
      : { program: interpreter }
  if ('fault' in next) return next.fault
  if (next.program === undefined) return undefined
  return interpreterFault(around, await beginningOf(around.disk, next.program), depth + 1)
}

function inHome(whose: string, word: string): string {
  return `${whose} names ${shownPath(word)}, which is in the home or is reached through it: a program that can write there could change what runs. Use an interpreter outside the home.`
}

/** Reads the first line without `#!`; undefined where it names no interpreter. */
function firstLine(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (!bytes.subarray(0, 2).equals(Buffer.from('#!'))) return undefined
  const end = bytes.indexOf('\n')
  return bytes.subarray(2, end < 0 ? undefined : end).toString('utf8')
}

/** Parses a first line as the kernel does: the interpreter ends at a blank or a NUL, arguments follow. */
function parsed(line: string): { readonly interpreter: string; readonly words: readonly string[] } {
  const [interpreter = '', ...words] = line.split(/[ \t\0]+/).filter((word) => word !== '')
  return { interpreter, words }
}

/** Lists the paths that a word of the line may mean: `/a`, `-I/a`, `name=/a`, `a/b`. */
function pathsIn(word: string, folder: string): readonly string[] {
  const slash = word.indexOf('/')
  if (slash < 0) return []
  const whole = word.slice(slash)
  return slash === 0 ? [whole] : [whole, path.resolve(folder, word)]
}

/** Lists the paths that an argument may mean without a slash before them: `a`, `-Ia`, `name=a/b`, `open("a/b`. */
function namesIn(word: string, folder: string | undefined): readonly string[] {
  if (folder === undefined) return []
  const begins = [...word.matchAll(/^-\w|[=:,;"'(]/g)].map((sign) => sign.index + sign[0].length)
  return [0, ...begins].map((begin) => path.resolve(folder, word.slice(begin)))
}

type ByEnv = { readonly fault: string } | { readonly program: string | undefined }

/** Finds the program that `/usr/bin/env` runs, as far as its arguments show it. */
async function foundByEnv(
  around: ProgramEnvironment,
  words: readonly string[],
  whose: string,
): Promise<ByEnv> {
  const name = commandOf(words)
  if (name === undefined || /["'\\$]/.test(name))
    return {
      fault: `${whose} gives env arguments from which Skein cannot tell which program runs.`,
    }
  if (name.includes('/')) {
    if (path.isAbsolute(name)) return { program: name }
    return { fault: `${whose} names its interpreter by a relative path: ${name}.` }
  }
  const { disk, guarded, searchPath } = around
  for (const folder of searchPath.split(path.delimiter)) {
    const program = path.join(folder, name)
    if ((await disk.stat(program))?.kind !== 'file' || !(await isExecutable(program))) continue
    return (await isGuarded(guarded, program)) ? { fault: inHome(whose, program) } : { program }
  }
  return { program: undefined }
}

/**
 * Finds the command among the arguments of env; undefined where there is none, or an option changes where it is
 * found.
 */
function commandOf(words: readonly string[]): string | undefined {
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '-S' || word === '-vS' || word === '--split-string') continue
    if (word === '-' || word === '-i' || word === '-v' || word === '--ignore-environment') continue
    if (word === '-u') left.shift()
    else if (/^--unset=/.test(word)) continue
    else if (word.startsWith('-S')) left.unshift(word.slice(2))
    else if (word.startsWith('--split-string=')) left.unshift(word.slice(15))
    else if (word.startsWith('-') || word.startsWith('PATH=')) return undefined
    else if (!word.includes('=')) return word
  }
  return undefined
}

async function beginningOf(disk: Disk, file: string): Promise<Uint8Array> {
  if ((await disk.stat(file))?.kind !== 'file') return new Uint8Array()
  try {
    const open = await disk.open(file, 'read')
    try {
      return await readExactly(open, 0, longestLine + 3)
    } finally {
      await open.close()
    }
  } catch (error) {
    // It may be run without being readable, which no script can be.
    if (error instanceof DiskError && error.code === 'denied') return new Uint8Array()
    throw error
  }
}
