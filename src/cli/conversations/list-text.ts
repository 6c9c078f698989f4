import { backupWords } from '../../shared/model/backup/backup'
import { countWithNoun } from '../../shared/model/basics/plural'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { localMinute } from '../terminal/local-time'
import { terminalText } from '../terminal/output'
import { shownName } from '../terminal/shown-name'
import type { ListedFamily } from './list-families'
import type { ListedConversation } from './list-rows'

/** Below the title, right of time and number. */
const indent = ' '.repeat(26)

/** Formats a row for a terminal, with its family, its parent and messages below. */
export function listedText(row: ListedConversation): string {
  const updated = localMinute(row.updated) ?? '-'
  const state = row.state === 'ok' ? '' : `  ${row.state}`
  const backup =
    row.backup === undefined ? '' : `  (${backupWords(row.backup, sourceLabel(row.source))})`
  const tags = (row.tags ?? []).map((tag) => `  #${tag}`).join('')
  const pinned = row.pinned === true ? '  pinned' : ''
  const color = row.color === undefined ? '' : `  [${row.color}]`
  const hidden = row.hidden === true ? '  hidden' : ''
  const lines = [
    `${updated.padEnd(16)}  ${String(row.entries).padStart(6)}  ${terminalText(shownName(row))}${tags}${color}${pinned}${hidden}${state}${backup}`,
  ]
  if (row.family !== undefined) lines.push(`${indent}${familyWords(row.family)}`)
  if (row.parent != null)
    lines.push(`${indent}goes on from ${row.parent.key} after ${row.parent.entries} entries`)
  for (const { timestamp, text } of row.messages ?? []) {
    const time = localMinute(timestamp)
    lines.push(`${indent}${time === undefined ? '' : `${time}  `}${text}`)
  }
  return `${lines.map(terminalText).join('\n')}\n`
}

/** The words that tell a conversation from the others of its family. */
function familyWords({ words, entries, conversations }: ListedFamily): string {
  const own = `${countWithNoun(entries, 'entry', 'entries')} of its own`
  return `one of ${conversations} with the same beginning, ${own}${words === '' ? '' : `: ${words}`}`
}
