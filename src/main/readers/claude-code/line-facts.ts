import { isJsonObject } from '../../../shared/model/basics/json-object'
import { rfc3339Seconds } from '../../../shared/model/basics/time'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { ValuePosition } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import type { FileLine } from '../../disk/reading/lines'
import { claudeCodeLine } from './line'

/** Titles of a session, by who gave them. */
export interface Titles {
  readonly custom?: string
  readonly ai?: string
  /** Of the older versions. */
  readonly summary?: string
}

/** What a record tells of its session. */
interface RecordFacts {
  readonly title: Titles
  readonly human: string | undefined
  /** The words of whoever speaks. */
  readonly prompt: string | undefined
  readonly cwd: string | undefined
  readonly time: number | undefined
  readonly session: string | undefined
}

/** Reads what the records of a line tell of their session; none where it is damaged. Yields to other work for a long line. */
export async function factsOfLine(line: FileLine): Promise<readonly RecordFacts[]> {
  const decoded = await decodeJsonLineInSlices(line, factsOf)
  if (decoded.type === 'value') return [decoded.value]
  return decoded.type === 'damaged' ? decoded.recovered : []
}

/** Adds the title that a record gives; a later one of the same kind replaces it. */
export function noteTitle(
  titles: { custom?: string; ai?: string; summary?: string },
  facts: RecordFacts,
): void {
  Object.assign(titles, facts.title)
}

function factsOf(value: unknown, text: string, position: ValuePosition): RecordFacts | string {
  const meaning = claudeCodeLine(value, text, position)
  if (typeof meaning === 'string') return meaning
  if (!isJsonObject(value)) return 'not a JSON object'
  const entries = meaning.type === 'entries' ? meaning.entries : []
  const { cwd, timestamp, sessionId } = value
  return {
    title: titleOf(value),
    human: entries.find((entry) => isWrittenByPerson(entry) && entry.content.trim() !== '')
      ?.content,
    prompt: entries.find(({ role, content }) => role === 'user' && content.trim() !== '')?.content,
    cwd: textIn(cwd),
    time: typeof timestamp === 'string' ? rfc3339Seconds(timestamp) : undefined,
    session: textIn(sessionId),
  }
}

function titleOf(value: Readonly<Record<string, unknown>>): Titles {
  const custom =
    value.type === 'custom-title' ? textIn(value.customTitle ?? value.title) : undefined
  const ai = value.type === 'ai-title' ? textIn(value.aiTitle ?? value.title) : undefined
  const summary = value.type === 'summary' ? textIn(value.summary) : undefined
  return {
    ...(custom === undefined ? {} : { custom }),
    ...(ai === undefined ? {} : { ai }),
    ...(summary === undefined ? {} : { summary }),
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
