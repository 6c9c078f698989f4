/** Where a command writes: data to stdout, words to stderr. */
export interface Output {
  /** Data; resolves when it may go on (the reader of a pipe may be slow). */
  write(text: string): Promise<void>
  /** A sentence for a person, on stderr, with its line end added. */
  say(text: string): void
}

/** Writes to the process's own streams. A reader that has gone (`| head`) ends the process quietly, as others do. */
export function processOutput(): Output {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', resolve)
      }),
    say: (text) => {
      process.stderr.write(`${text}\n`)
    },
  }
}

/** A value as JSON for scripts, one line. */
export function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Text from files without what a terminal would obey: control characters but tab and line feed are shown as pictures. */
export function forTerminal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0)
    if (character === '\r') return ''
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
  })
}
