import path from 'node:path'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines } from '../../disk/reading/lines'
import {
  type ComposedFormat,
  type Composition,
  composedFormat,
  stateOfFiles,
} from '../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  type Stretch,
  unendedLine,
} from '../../records/lines/composed-line'
import { composingInThreads } from '../common/composed/composing-in-threads'
import { recordOf } from '../common/record-values'
import { isSilentUpdate } from './line'
import { GrokPlay, type GrokStep } from './play'
import { type GrokSummary, readGrokSummary } from './summary'

/** The id of the format of sessions. */
export const grokSessionFormat = 'grok-build'

/** The name of the record file that a session has. */
export const grokSessionName = 'session'

/** The file with what the model is sent, which is read where a session has no log. */
export const historyFile = 'chat_history.jsonl'

/**
 * The format of sessions: what lies beside tells of it (`{session}`), then each text as `{id, previous, words}` and each other update as
 * `{id, previous, record}`, with what others tell of its call (`input`, `shown`, `isCall`) and the tokens of a turn (`usage`); of a
 * session without a log, what its model was sent (`{history}`).
 */
export const grokSessions: ComposedFormat = composedFormat({
  id: grokSessionFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container, summaryOf(container)]),
  async compose(disk, document, { container, name }) {
    return name === grokSessionName ? composeSession(disk, document, container) : undefined
  },
})

/** Threads that compose sessions for a list. */
export const grokComposing = composingInThreads('grok-build', grokSessions, grokSessionName)

function summaryOf(container: string): string {
  return path.join(path.dirname(container), 'summary.json')
}

async function composeSession(
  disk: Disk,
  document: DiskFile,
  container: string,
): Promise<Composition> {
  const isHistory = path.basename(container) === historyFile
  const play = new GrokPlay()
  const places: Stretch[] = []
  const others: ComposedLine[] = []
  let torn: ComposedLine | undefined
  let number = 0
  for await (const lines of readLines(document))
    for (const line of lines) {
      number += 1
      const place = { start: line.offset, end: line.offset + line.length }
      const decoded = await decodeJsonLineInSlices(line, recordOf)
      if (decoded.type === 'blank') continue
      if (decoded.type === 'value') {
        places[number] = place
        if (isHistory) others.push(composedLine('{"history":', place, '}'))
        else play.take(decoded.value, number, isSilentUpdate)
      } else if (decoded.torn) torn = unendedLine(place)
      else others.push(composedLine(place))
    }
  play.end()
  const head = await headOf(disk, container, play.title)
  const hasUsage = !head.isSubagent
  const lines = [
    composedLine(JSON.stringify({ session: head })),
    ...play.steps.map((step) => lineOf(step, places, hasUsage)),
    ...others,
    ...(torn === undefined ? [] : [torn]),
  ]
  // A line that cannot be read may have said something.
  return { lines, about: { said: play.said + others.length + (torn === undefined ? 0 : 1) } }
}

/** Reads what lies beside a log of its session. Sessions below the folder of another are its subagents, whatever they tell. */
async function headOf(
  disk: Disk,
  container: string,
  title: string | undefined,
): Promise<GrokSummary> {
  const summary = (await readGrokSummary(disk, summaryOf(container))) ?? { isSubagent: false }
  const titled = title === undefined ? summary : { ...summary, title }
  const around = path.dirname(path.dirname(container))
  if (path.basename(around) !== 'subagents') return titled
  return { ...titled, isSubagent: true, parent: path.basename(path.dirname(around)) }
}

/** The session that called a subagent counts its tokens too. */
function lineOf(step: GrokStep, places: readonly Stretch[], hasUsage: boolean): ComposedLine {
  const { id, previous } = step
  const usage = hasUsage ? step.usage : undefined
  if (step.type === 'words')
    return composedLine(JSON.stringify({ id, previous, words: step.words, usage }))
  const { input, shown, isCall } = step
  const told = JSON.stringify({ id, previous, input, shown, isCall, usage }).slice(0, -1)
  return composedLine(`${told},"record":`, places[step.line] ?? 'null', '}')
}
