import type { Command } from '../command'

/** What `skein --help` prints. */
export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.flatMap(({ name, synopsis, summary }) => [
    `  ${name.padEnd(width)}  ${summary}`,
    ...(synopsis === '' ? [] : [`  ${' '.repeat(width)}  skein ${name} ${synopsis}`]),
  ])
  return `skein COMMAND [options]

Commands
${rows.join('\n')}

Options that every command takes
  --home DIR          the chibi home; else CHIBI_HOME, else ~/.chibi
  --root SOURCE=PATH  a history to read, never to write; may be given several times
  --cache DIR         where indexes are kept
  --json              data for scripts instead of text
  -h, --help          this text
  -V, --version       the version

Where --home or --root is given, only those are read. Data goes to standard output, words to standard error.
Exit codes: 0 done, 1 failed, 2 the command line was not understood.
`
}
