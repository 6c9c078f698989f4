import path from 'node:path'
import { firstWords } from '../../../shared/model/basics/first-words'
import type { DiskFile } from '../../disk/interface/disk'
import {
  type ComposedFormat,
  composedFormat,
  stateOfFiles,
} from '../../records/lines/composed-format'
import { type ComposedLine, composedLine } from '../../records/lines/composed-line'
import { composingInThreads } from '../common/composed/composing-in-threads'
import {
  allSessions,
  hasSessions,
  type SessionLines,
  type SessionStart,
  sessionLines,
} from './sessions'
import { sessionTurns } from './turns'

/** The id of the format of aider's history files. */
export const aiderFormat = 'aider'

/** The name of aider's history files. */
export const historyName = '.aider.chat.history.md'

/** The name under which the sessions of a file are known. */
export const sessionsName = 'sessions'

/**
 * The format of aider's history files: a record file for each session, named by the byte at which it begins. Its lines are the session
 * (`{session}`), then what was said, answered and told (`{said}`, `{answer}`, `{program}`), in turn.
 */
export const aiderRecords: ComposedFormat = composedFormat({
  id: aiderFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { container, name }) {
    if (name === sessionsName) {
      // Any text has lines: one of another name is a history by the beginning of a session alone.
      const isHistory = path.basename(container) === historyName || (await hasSessions(document))
      return { lines: [], about: { sessions: isHistory ? await listedSessions(document) : [] } }
    }
    if (!/^\d{1,15}$/.test(name)) return undefined
    const session = await sessionLines(document, Number(name))
    if (session === undefined) return undefined
    const { lines, turns } = composeSession(session)
    return { lines, about: { turns } }
  },
})

/** Threads that read history files for a list. */
export const aiderComposing = composingInThreads('aider', aiderRecords, sessionsName)

/** A session, and what a list shows of it. */
export interface ListedSession extends SessionStart {
  readonly turns: number
  /** Of its record file. */
  readonly bytes: number
  /** The first words of a person that are no command to the program; else the first command. */
  readonly words?: string | undefined
}

async function listedSessions(document: DiskFile): Promise<readonly ListedSession[]> {
  const listed: ListedSession[] = []
  for await (const session of allSessions(document)) {
    const { offset, startedAt } = session
    const { lines, turns, said } = composeSession(session)
    const bytes = lines.reduce((sum, line) => sum + line.bytes, 0)
    listed.push({ offset, startedAt, turns, bytes, words: firstPrompt(said) })
  }
  return listed
}

/** Returns the first words of texts that are no command to the program; else the first command. */
export function firstPrompt(said: Iterable<string>): string | undefined {
  let command: string | undefined
  for (const text of said) {
    const words = firstWords(text)
    if (words !== '' && !words.startsWith('/')) return words
    command ??= words || undefined
  }
  return command
}

function composeSession({ head, lines }: SessionLines) {
  const composed: ComposedLine[] = [composedLine(JSON.stringify({ session: head?.text ?? '' }))]
  const turns = sessionTurns(lines.map(({ text }) => text))
  let model: string | undefined
  for (const [at, { type, text }] of turns.entries()) {
    if (type === 'program') model = modelIn(text) ?? model
    const next = turns[at + 1]
    // What an answer cost is told behind it.
    const usage = type === 'answer' && next?.type === 'program' ? usageIn(next.text) : undefined
    composed.push(
      composedLine(
        JSON.stringify({ [type]: text, ...(type === 'answer' ? { model, usage } : {}) }),
      ),
    )
  }
  const said = turns.flatMap(({ type, text }) => (type === 'said' ? [text] : []))
  return { lines: composed, turns: turns.length, said }
}

function modelIn(text: string): string | undefined {
  return /^(?:Main model|Model): (\S+)/m.exec(text)?.[1]
}

interface TurnUsage {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly cost?: number
}

/** Numbers are rounded by aider: "Tokens: 1.2k sent, 3k cache hit, 80 received. Cost: $0.01 message, $0.02 session." */
function usageIn(text: string): TurnUsage | undefined {
  const tokens = /^Tokens: (.*) sent, (.*?)([\d.]+[kM]?) received/m.exec(text)
  if (tokens === null) return undefined
  const [, sent = '', between = '', received = ''] = tokens
  const hit = /([\d.]+[kM]?) cache hit/.exec(between)?.[1]
  const cost = /Cost: \$([\d.]+) message/.exec(text)?.[1]
  return {
    input: countIn(sent),
    output: countIn(received),
    ...(hit === undefined ? {} : { cached: countIn(hit) }),
    ...(cost === undefined ? {} : { cost: Number(cost) }),
  }
}

function countIn(text: string): number {
  const [, number = '0', unit] = /^([\d.]+)([kM]?)/.exec(text.replaceAll(',', '')) ?? []
  const count = Number(number) * (unit === 'k' ? 1000 : unit === 'M' ? 1_000_000 : 1)
  return Number.isFinite(count) ? Math.round(count) : 0
}
