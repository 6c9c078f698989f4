import readline from 'node:readline'
import type { AskConsent, ConsentAnswer } from '../../main/llm/steps/consent'
import type { ToolPreview } from '../../main/tools/base/tool'
import { terminalText } from './output'

/** Asks a person a question and gives the line that was typed; undefined when nothing will be, as at the end of the input. */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string | undefined>

/**
 * Makes the consent of a run on the command line: a tool is allowed by `--allow TOOL`, else a person at the terminal
 * is asked. Without a terminal the call does not run.
 *
 * @param person asks at the terminal; undefined where there is none
 * @param say shows a person what was not run, and how to let it run
 */
export function askPersonFor(
  allow: readonly string[],
  person: AskPerson | undefined,
  say: (words: string) => void,
): AskConsent {
  const always = new Set<string>()
  return async ({ tool }, preview, signal) => {
    const creates = preview.reach?.type === 'home' && preview.reach.creates !== undefined
    if (allow.includes(tool) || (always.has(tool) && !creates))
      return { allowed: true, as: 'always' }
    if (person === undefined) {
      say(`${tool} was not run: there is no terminal to ask at. --allow ${tool} lets it run.`)
      // Nobody denied it: the model gets this error and no denial.
      throw new Error('there is no terminal, and the command line does not allow it')
    }
    const answer = await wordOf(person, tool, preview, signal)
    if (answer.allowed && answer.as === 'always') always.add(tool)
    return answer
  }
}

async function wordOf(
  person: AskPerson,
  tool: string,
  { title, diff }: ToolPreview,
  signal: AbortSignal,
): Promise<ConsentAnswer> {
  const shown = [`\n${tool}: ${title}`, ...(diff === undefined ? [] : [diff.trimEnd()])].join('\n')
  let question = `${shown}\nAllow it? [y] yes, [a] always in this run, [n] no: `
  for (;;) {
    const word = (await person(terminalText(question), signal))?.trim().toLowerCase()
    if (word === 'y' || word === 'yes') return { allowed: true, as: 'once' }
    if (word === 'a' || word === 'always') return { allowed: true, as: 'always' }
    if (word === undefined || word === 'n' || word === 'no') return { allowed: false }
    question = 'y, a or n: '
  }
}

/**
 * Returns a function that asks the person at the terminal; undefined where standard input or standard error is no
 * terminal.
 */
export function terminalPerson(): AskPerson | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return (question, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      // Not as a terminal of its own: Ctrl+C goes to the process, as everywhere else.
      const lines = readline.createInterface({
        input: process.stdin,
        output: process.stderr,
        terminal: false,
      })
      const end = (line: string | undefined) => {
        signal.removeEventListener('abort', stop)
        resolve(line)
        lines.close()
      }
      const stop = () => end(undefined)
      signal.addEventListener('abort', stop, { once: true })
      lines.once('close', stop)
      lines.question(question, end)
    })
}
