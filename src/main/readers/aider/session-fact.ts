import path from 'node:path'
import type { ConversationFact } from '../common/reader'

/**
 * Returns the first fact of a session.
 *
 * @param container the history file
 * @param words the first words of a person; undefined where nobody said anything
 */
export function sessionFact(
  key: string,
  container: string,
  words: string | undefined,
): ConversationFact {
  return {
    key,
    title: words ?? key,
    project: path.basename(path.dirname(container)) || null,
    createdAt: beginningOf(key),
    parent: null,
  }
}

/** By the key, which has the time in this machine's zone, as aider writes it. */
function beginningOf(key: string): number | undefined {
  const time = /(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})(?:-\d+)?$/.exec(key)
  if (time === null) return undefined
  const ms = Date.parse(`${time[1]}T${time[2]}:${time[3]}:${time[4]}`)
  return Number.isNaN(ms) ? undefined : ms / 1000
}
