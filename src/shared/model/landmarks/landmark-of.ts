import { typedTextOf } from '../attachments/typed-text'
import { firstWords } from '../basics/first-words'
import { isWrittenByPerson, runErrorType, shownText } from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'
import type { TranscriptRow } from '../conversation/transcript'
import { RunFailure } from '../run/run'
import type { Landmark } from './landmarks'

const wordsLength = 160

/**
 * Returns what an outline tells of a row: of a person's message its first words, of a failed answer why, of a tool's failed result whose
 * it is, of a compaction its summary. Undefined for all other rows, and for a line that may still be growing.
 */
export function landmarkOf(row: TranscriptRow): Pick<Landmark, 'kind' | 'words'> | undefined {
  if (row.type === 'damaged')
    return row.damaged.torn === true
      ? undefined
      : { kind: 'error', words: `Damaged line: ${firstWords(row.damaged.reason, wordsLength)}` }
  const { entry } = row
  const { entry_type, content, metadata } = entry
  if (isWrittenByPerson(entry))
    return {
      kind: 'prompt',
      words: firstWords(typedTextOf(entry) || shownText(entry), wordsLength),
    }
  if (entry_type === runErrorType) {
    const { data } = RunFailure.safeParse(metadata)
    return { kind: 'error', words: firstWords(data?.message ?? content, wordsLength) }
  }
  if (
    (entry_type === 'tool_result' || entry_type === 'flow_control_result') &&
    isFailedResult(entry)
  )
    return {
      kind: 'error',
      words: firstWords(`${entry.from}: ${content.trimStart()}`, wordsLength),
    }
  if (entry_type === 'compaction' || entry_type === 'archival') {
    const summary = typeof metadata?.summary === 'string' ? metadata.summary : ''
    return { kind: 'compaction', words: firstWords(summary, wordsLength) }
  }
  return undefined
}
