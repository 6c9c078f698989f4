import { AppError } from '../../shared/model/basics/errors'
import { visibleText } from '../../shared/model/basics/visible'

/** Output of a command: data on stdout, sentences for people on stderr. */
export interface Output {
  /** Data, text as UTF-8; resolves when it may go on (the reader of a pipe may be slow). @throws AppError `disk-full`, `io` */
  write(data: string | Uint8Array): Promise<void>
  /** A sentence for a person, on stderr, with its line end added; without what a terminal would obey. */
  say(text: string): void
  /** Data is read by a person at a terminal: it may be made easier on the eye. */
  readonly isTerminal: boolean
}

/**
 * Writes to the process's own streams.
 *
 * @param closed is called when the reader has gone (`| head`): what is going on is to be ended in order, and further
 * writes do nothing. Every other failure is thrown by the write that it happened to, and by all that follow
 */
export function processOutput(closed: () => void): Output {
  let isClosed = false
  let failure: AppError | undefined
  const failed = (error: NodeJS.ErrnoException) => {
    if (isClosed || failure !== undefined) return
    if (error.code !== 'EPIPE') {
      failure = outputError(error)
      return
    }
    isClosed = true
    closed()
  }
  process.stdout.on('error', failed)
  return {
    write: (data) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null) => {
          if (error) failed(error)
          if (failure === undefined) resolve()
          else reject(failure)
        }
        // The callback comes also when the write fails; waiting for a drain alone could be for ever.
        if (isClosed || failure !== undefined) done()
        else process.stdout.write(data, done)
      }),
    say: (text) => {
      process.stderr.write(`${terminalText(text)}\n`)
    },
    isTerminal: process.stdout.isTTY === true,
  }
}

function outputError(error: NodeJS.ErrnoException): AppError {
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT'
  const why = isFull ? 'the disk is full' : error.message
  return new AppError(isFull ? 'disk-full' : 'io', `Standard output takes no more: ${why}.`, {
    cause: error,
  })
}

/** Formats a value as JSON for scripts, on one line with its line end. */
export function jsonOutput(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/**
 * Makes text from files safe for a terminal: control characters but tab and line feed become pictures, characters
 * that turn the direction of text become U+FFFD, carriage returns are left out.
 */
export function terminalText(text: string): string {
  return visibleText(text.includes('\r') ? text.replaceAll('\r', '') : text)
}
