import { truncateEnd } from '../../main/tools/base/short-text'
import { unfinishedSentence } from '../../shared/model/conversation/answer-end'
import { citationsOf } from '../../shared/model/conversation/citations'
import { callUserMessage, type Entry } from '../../shared/model/conversation/entry'
import { adaptationsOf, adaptedSentences } from '../../shared/model/run/adaptations'
import type { RunEvent, RunFailure } from '../../shared/model/run/run'
import { attachedLines } from '../show/entry-text'
import { jsonOutput, type Output, terminalText } from '../terminal/output'

/** `text`: the answer as it comes. `json`: one value at the end. `events`: a line for each event. */
export type AskForm = 'text' | 'json' | 'events'

/** End of a run; `outcome` is undefined where the run ended without saying so. */
export interface AskEnd {
  readonly outcome: 'complete' | 'stopped' | 'failed' | undefined
  readonly failure: RunFailure | undefined
}

/** Printer of a run: its answer on standard output, its tools on standard error where that is a terminal. */
export interface AskOutput {
  tell(event: RunEvent): Promise<void>
  /** Prints the end; says on standard error why there is no answer. */
  end(context: string): Promise<AskEnd>
}

/**
 * Makes the printer of a run's events: text as it streams, one JSON object at the end, or one JSON line for each
 * event.
 */
export function askOutput(output: Output, form: AskForm, showsTools: boolean): AskOutput {
  const entries: Entry[] = []
  let ended: Extract<RunEvent, { type: 'ended' }> | undefined
  /** Something was written since the last line end. */
  let isOpen = false
  let wroteWords = false
  /** The first half of a character whose other half is still to come. */
  let half = ''

  async function write(text: string): Promise<void> {
    if (form !== 'text' || text === '') return
    // Words of another turn are a paragraph of their own.
    await output.write(`${!isOpen && wroteWords ? '\n' : ''}${terminalText(text)}`)
    isOpen = true
    wroteWords = true
  }

  /** A part of the words as it streams, which may end within a character. */
  async function stream(part: string): Promise<void> {
    const text = half + part
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    await write(text.slice(0, text.length - half.length))
  }

  /** Says that what was printed were thoughts: it cannot be taken back. */
  async function parted(): Promise<void> {
    await endLine()
    if (form === 'text') output.say('Up to here the model was thinking.')
  }

  async function endLine(): Promise<void> {
    const left = half
    half = ''
    await write(left)
    if (isOpen) await output.write('\n')
    isOpen = false
  }

  /** Prints the pages that an answer cites, by the numbers in its words, and what came with it: places below the context's folder. */
  async function sources({ metadata = {}, role }: Entry): Promise<void> {
    const lines = citationsOf(metadata).map(
      ({ number, url, title }) => `[${number}] ${title === undefined ? '' : `${title}: `}${url}`,
    )
    if (role === 'agent') lines.push(...attachedLines(metadata, true))
    if (lines.length === 0) return
    await write(lines.join('\n'))
    await endLine()
  }

  async function appended(entry: Entry): Promise<void> {
    entries.push(entry)
    await endLine()
    await sources(entry)
    // They come in the arguments alone, and are no part of the stream.
    const words = callUserMessage(entry)?.words
    if (words !== undefined) {
      await write(words)
      await endLine()
    }
    const progress = showsTools ? progressOf(entry) : undefined
    if (progress !== undefined) output.say(progress)
  }

  return {
    async tell(event) {
      if (form === 'events') await output.write(jsonOutput(event))
      switch (event.type) {
        case 'appended':
          return event.row.type === 'entry' ? appended(event.row.entry) : undefined
        case 'delta':
          if (event.kind === 'parted') return parted()
          return event.kind === 'content' ? stream(event.text) : undefined
        case 'retrying': {
          const seconds = Math.ceil(event.waitMs / 1000)
          return output.say(`${event.failure.message} Trying again in ${seconds} s.`)
        }
        case 'compaction':
          if (event.words !== undefined) output.say(event.words)
          return
        case 'ended':
          ended = event
          return
        default:
          return
      }
    },
    async end(context) {
      await endLine()
      const outcome = ended?.outcome
      // A run_error's metadata is its failure.
      const last = entries.at(-1)?.metadata as Partial<RunFailure> | undefined
      const failure = ended?.failure
      if (form === 'json')
        await output.write(
          jsonOutput({ context, outcome, entries, ...(failure === undefined ? {} : { failure }) }),
        )
      const unfinished = unfinishedSentence(lastAnswer(entries)?.metadata)
      if (outcome === 'complete' && unfinished !== undefined)
        output.say(`${terminalText(unfinished)} Ask it to continue to get the rest.`)
      for (const words of changesIn(entries)) output.say(terminalText(words))
      if (outcome === 'stopped') output.say('Stopped. The partial answer is kept.')
      else if (outcome !== 'complete') sayWhy(output.say, failure ?? last)
      return { outcome, failure }
    },
  }
}

function lastAnswer(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ entry_type: type, role }) => type === 'message' && role === 'agent')
}

/** Says how requests had to differ from what was meant, each once. */
function changesIn(entries: readonly Entry[]): readonly string[] {
  const words = entries.flatMap(({ metadata }) => {
    const told = metadata?.without_parameters
    const names = Array.isArray(told) ? told.filter((name) => typeof name === 'string') : []
    const without = metadata?.without_tools === true ? ['tools', ...names] : names
    return adaptedSentences(without, adaptationsOf(metadata))
  })
  return [...new Set(words)]
}

function sayWhy(say: (text: string) => void, failure: Partial<RunFailure> | undefined): void {
  say([failure?.message, failure?.advice].filter((part) => part !== undefined).join(' '))
  if (failure?.response !== undefined) say(terminalText(failure.response))
}

const longestLine = 100

/** A line about a call, or about what it gave. */
function progressOf({ entry_type: type, from, to, content }: Entry): string | undefined {
  if (type === 'tool_call') return `> ${to} ${oneLine(content)}`
  return type === 'tool_result' ? `< ${from}: ${oneLine(content)}` : undefined
}

function oneLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > longestLine ? `${truncateEnd(line, longestLine - 1)}…` : line
}
