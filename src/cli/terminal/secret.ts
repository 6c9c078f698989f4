import readline from 'node:readline'
import { Writable } from 'node:stream'
import type { AskPerson } from './person'

/**
 * Returns a function that asks for a secret at the terminal, which shows nothing of what is typed; undefined where standard input
 * or standard error is no terminal.
 *
 * @param interrupt what Ctrl+C does: the terminal sends none while it is asked
 */
export function terminalSecret(interrupt: () => void): AskPerson | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return (question, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      process.stderr.write(question)
      const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() })
      const lines = readline.createInterface({
        input: process.stdin,
        output: nowhere,
        terminal: true,
        historySize: 0,
      })
      let line: string | undefined
      const close = () => lines.close()
      signal.addEventListener('abort', close, { once: true })
      lines.once('line', (typed) => {
        line = typed
        close()
      })
      lines.once('SIGINT', () => {
        interrupt()
        close()
      })
      lines.once('close', () => {
        signal.removeEventListener('abort', close)
        process.stderr.write('\n')
        resolve(line)
      })
    })
}
