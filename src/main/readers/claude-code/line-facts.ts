import { isJsonObject } from '../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { ValuePosition } from '../../disk/json/json-accept'
import { lineNames } from '../../disk/json/line-names'
import { timeIn, trimmedIn } from '../common/drafts'
import { claudeCodeLine } from './line'

/** Titles of a session, by who gave them. */
export interface Titles {
  readonly custom?: string
  readonly ai?: string
  /** Of the older versions. */
  readonly summary?: string
}

/** Facts of a session that one record tells. */
interface RecordFacts {
  readonly title: Titles
  readonly human: string | undefined
  /** The words of whoever speaks. */
  readonly prompt: string | undefined
  readonly cwd: string | undefined
  readonly time: number | undefined
  readonly session: string | undefined
}

/** Adds the title that a record gives; a later one of the same kind replaces it. */
export function noteTitle(
  titles: { custom?: string; ai?: string; summary?: string },
  facts: RecordFacts,
): void {
  Object.assign(titles, facts.title)
}

/** Reads what a record tells of its session; the reason in words where it is none. */
export function recordFacts(
  value: unknown,
  text: string,
  position: ValuePosition,
): RecordFacts | string {
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
    cwd: trimmedIn(cwd),
    time: timeIn(timestamp),
    session: trimmedIn(sessionId),
  }
}

/** Tells whether a line may give a title. False is sure. */
export const mayGiveTitle = lineNames(['custom-title', 'ai-title', 'summary'])

function titleOf(value: Readonly<Record<string, unknown>>): Titles {
  const custom =
    value.type === 'custom-title' ? trimmedIn(value.customTitle ?? value.title) : undefined
  const ai = value.type === 'ai-title' ? trimmedIn(value.aiTitle ?? value.title) : undefined
  const summary = value.type === 'summary' ? trimmedIn(value.summary) : undefined
  return {
    ...(custom === undefined ? {} : { custom }),
    ...(ai === undefined ? {} : { ai }),
    ...(summary === undefined ? {} : { summary }),
  }
}
