import type { JsonObject } from '../basics/json-object'
import type { Entry } from '../conversation/entry'
import { argumentsObject } from './arguments-object'
import { lettersOf } from './changing-tools'

/** A command that a call gives to a shell. */
export interface ShellCommand {
  readonly command: string
  /** The call's other arguments: where it runs, how long it may, why. */
  readonly others: JsonObject
}

/** Longest arguments that are read as a command, in characters. */
const longest = 200_000
/** Tools that run commands, by their letters in lower case. */
const shells: ReadonlySet<string> = new Set([
  ...['bash', 'shell', 'sh', 'zsh', 'powershell', 'terminal', 'exec', 'cmd', 'developershell'],
  ...['localshell', 'localshellcall', 'containerexec', 'execcommand', 'runcommand', 'shellcommand'],
  ...['executecommand', 'executebash', 'runbash', 'runbashcommand', 'runshellcommand'],
  ...['runterminalcmd', 'runterminalcommand', 'runinterminal', 'executeshellcommand', 'execute'],
])
/** Returns true for a tool that runs commands, by its name alone. */
export function isShellTool(name: string): boolean {
  return shells.has(lettersOf(name))
}

const commandNames = ['command', 'cmd', 'script', 'command_line', 'CommandLine']

/** Returns the command that a call gives to a shell; undefined for other tools, and where its arguments are no JSON. */
export function shellCommand({ entry_type, to, content }: Entry): ShellCommand | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !isShellTool(to)) return undefined
  const args = argumentsObject(content)
  const name = args === undefined ? undefined : commandNames.find((one) => Object.hasOwn(args, one))
  if (args === undefined || name === undefined) return undefined
  const command = commandOf(args[name])
  if (command === undefined || command === '') return undefined
  const { [name]: _, ...others } = args
  return { command, others }
}

/** A command as one text, or as words of which the last is the script of a shell. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const words = value as readonly unknown[]
  if (!words.every((word) => typeof word === 'string')) return undefined
  const [shell = '', option = '', script] = words
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option))
    return script
  return words.map(quoted).join(' ')
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
