/** Where a command writes: data to stdout, words to stderr. */
export interface Output {
  /** Data, text as UTF-8; resolves when it may go on (the reader of a pipe may be slow). */
  write(data: string | Uint8Array): Promise<void>
  /** A sentence for a person, on stderr, with its line end added. */
  say(text: string): void
  /** Data is read by a person at a terminal: it may be made easier on the eye. */
  readonly isTerminal: boolean
}

/**
 * Writes to the process's own streams.
 *
 * @param closed is called when the reader has gone (`| head`) or takes no more: what is going on is to be ended in
 * order, and further writes do nothing
 */
export function processOutput(closed: () => void): Output {
  let isClosed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed) return
    isClosed = true
    if (error.code !== 'EPIPE') process.stderr.write(`skein: output failed: ${error.message}\n`)
    closed()
  })
  return {
    write: (data) =>
      new Promise((resolve) => {
        // The callback comes also when the write fails; waiting for a drain alone could be for ever.
        if (isClosed) resolve()
        else process.stdout.write(data, () => resolve())
      }),
    say: (text) => {
      process.stderr.write(`${text}\n`)
    },
    isTerminal: process.stdout.isTTY === true,
  }
}

/** A value as JSON for scripts, one line. */
export function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Control characters, and those that turn the direction of text. */
const obeyed = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Text from files without what a terminal would obey: control characters but tab and line feed are shown as pictures, those that turn the direction of text as U+FFFD. */
export function forTerminal(text: string): string {
  return text.replace(obeyed, (character) => {
    const code = character.charCodeAt(0)
    if (character === '\t' || character === '\n') return character
    if (character === '\r') return ''
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
  })
}
