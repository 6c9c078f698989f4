import readline from 'node:readline'
import type { TalkTerminal } from './talk'

/** Bytes that tell a terminal to mark what is pasted, and not to. */
const marksPastes = ['\u001b[?2004h', '\u001b[?2004l'] as const

/**
 * Opens the terminal as a place to type at, with the editing and the history of a shell; undefined where standard input or
 * standard error is none. Answers go elsewhere: to standard output, which may be a file.
 *
 * A line is a message. Lines that are pasted, and one that ends with `\`, go on in the next: then all of them are one.
 */
export function talkTerminal(say: (words: string) => void): TalkTerminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  let history: string[] = []
  return {
    async next(signal) {
      for (;;) {
        const typed = await typeOne(signal, history, say, (lines) => {
          history = lines
        })
        if (typed === undefined || typed.trim() !== '') return typed
      }
    },
  }
}

/** Reads one message. It has the terminal for itself only meanwhile: while an answer comes, Ctrl+C goes to the process. */
function typeOne(
  signal: AbortSignal,
  history: readonly string[],
  say: (words: string) => void,
  keep: (history: string[]) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = readline.createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: true,
      history: [...history],
      prompt: '> ',
    })
    let before: string[] = []
    let isPasting = false
    const pasted = (_: unknown, key: { readonly name?: string } | undefined) => {
      if (key?.name === 'paste-start') isPasting = true
      if (key?.name === 'paste-end') isPasting = false
    }
    const end = (said: string | undefined) => {
      signal.removeEventListener('abort', stop)
      process.stdin.off('keypress', pasted)
      process.stderr.write(marksPastes[1])
      lines.off('close', stop)
      lines.close()
      resolve(said)
    }
    const stop = () => end(undefined)
    lines.on('history', keep)
    lines.on('line', (line) => {
      const goesOn = line.endsWith('\\')
      before.push(goesOn ? line.slice(0, -1) : line)
      if (goesOn) {
        lines.setPrompt('. ')
        lines.prompt()
      }
      if (isPasting || goesOn) return
      // What came in one piece is one message, and text after its last line end waits for Enter.
      setImmediate(() => {
        if (isPasting || lines.line !== '' || before.length === 0) return
        const said = before.join('\n')
        before = []
        end(said)
      })
    })
    lines.on('SIGINT', () => {
      if (lines.line === '' && before.length === 0) say('Ctrl+D ends.')
      before = []
      lines.setPrompt('> ')
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      lines.prompt()
    })
    lines.once('close', stop)
    process.stdin.on('keypress', pasted)
    signal.addEventListener('abort', stop, { once: true })
    process.stderr.write(marksPastes[0])
    if (signal.aborted) return stop()
    lines.prompt()
  })
}
