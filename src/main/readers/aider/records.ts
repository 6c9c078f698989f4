import type { DiskFile } from '../../disk/interface/disk'
import type { RecordFormat } from '../../records/interface/record-format'
import { type Composition, composedFormat, stateOfFiles } from '../../records/lines/composed-format'
import { type ComposedLine, composedLine } from '../../records/lines/composed-line'
import { sessionLines, sessionStarts } from './sessions'
import { sessionTurns } from './turns'

/** The id of the format of aider's history files. */
export const aiderFormat = 'aider'

/** The name under which the sessions of a file are known. */
export const sessionsName = 'sessions'

/**
 * The format of aider's history files: a record file for each session, named by the byte at which it begins. Its lines are the session
 * (`{session}`), then what was said, answered and told (`{said}`, `{answer}`, `{program}`), in turn.
 */
export const aiderRecords: RecordFormat = composedFormat({
  id: aiderFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { name }) {
    if (name === sessionsName)
      return { lines: [], about: { sessions: await sessionStarts(document) } }
    return /^\d{1,15}$/.test(name) ? composeSession(document, Number(name)) : undefined
  },
})

async function composeSession(
  document: DiskFile,
  offset: number,
): Promise<Composition | undefined> {
  const session = await sessionLines(document, offset)
  if (session === undefined) return undefined
  const { head, lines } = session
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
  return { lines: composed, about: { turns: turns.length } }
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
