import type { Command } from '../command/command'

/** Formats the text of `skein --help`; with a command's name, that of this command. */
export function helpText(commands: readonly Command[], name?: string): string {
  const one = commands.find((command) => command.name === name)
  return one === undefined ? allOf(commands) : oneOf(one)
}

function allOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.flatMap(({ name, synopsis, summary, replaces }) => [
    `  ${name.padEnd(width)}  ${summary}`,
    ...(synopsis === '' ? [] : [`  ${' '.repeat(width)}  skein ${name} ${synopsis}`]),
    ...(replaces === undefined ? [] : [`  ${' '.repeat(width)}  for: ${replaces}`]),
  ])
  return `skein COMMAND [options]

Commands
${rows.join('\n')}

${common}
"skein COMMAND --help" explains a command's options.
Where --home or --root is given, only those are read. Data goes to standard output, messages to standard error.
Exit codes: 0 done, 1 failed, 2 invalid command line.
`
}

function oneOf({ name, synopsis, summary, options = [], replaces }: Command): string {
  const width = Math.max(0, ...options.map(([option]) => option.length))
  const rows = options.map(([option, words]) => `  ${option.padEnd(width)}  ${words}`)
  return [
    `skein ${name} ${synopsis}`.trimEnd(),
    `\n${summary}`,
    ...(replaces === undefined ? [] : [`For: ${replaces}`]),
    ...(rows.length === 0 ? [] : [`\nOptions\n${rows.join('\n')}`]),
    `\n${common}`,
  ].join('\n')
}

const common = `Options that every command takes
  --home DIR          the chibi home; else CHIBI_HOME, else ~/.chibi
  --root SOURCE=PATH  a history to read, never to write; may be given several times
  --cache DIR         where indexes are kept
  --json              data for scripts instead of text
  -h, --help          this text
  -V, --version       the version
`
