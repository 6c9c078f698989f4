import { type Entry, shownText, speakerOf } from '../../shared/model/entry'
import { isoTime } from '../../shared/model/time'
import type { Exporter } from './exporter'
import type { Lost } from './lost'
import { lostArguments, lostHalves, lostMetadata } from './lost-parts'
import { type ExportedRow, exportedRows } from './rows'
import { turnOf } from './turns'
import { visibleLine, visibleText } from './visible'

/** Plain text, times in UTC: for each entry a line that says who and when, then the words, then an empty line. */
export const text: Exporter = {
  id: 'txt',
  extension: 'txt',
  mediaType: 'text/plain',
  branches: 'active',
  hasBranches: true,
  hasProject: false,
  lostOf,
  async *write(conversation, options, signal) {
    for await (const row of exportedRows(conversation, options, signal)) yield `${section(row)}\n\n`
  },
}

const shown: ReadonlySet<string> = new Set()

function lostOf(entry: Entry): readonly Lost[] {
  return [...lostMetadata(entry, shown), ...lostArguments(entry), ...lostHalves(entry)]
}

function section(row: ExportedRow): string {
  switch (row.type) {
    case 'fork':
      return `[another branch] after “${visibleLine(row.from)}”`
    case 'branch':
      return `[another conversation] ${visibleLine(row.conversation.title)}`
    case 'damaged': {
      const { name, marks, text: words } = turnOf(row)
      return `[${name}] ${visibleLine(marks.join(' '))}\n${visibleText(words)}`.trimEnd()
    }
    case 'entry':
      return entryText(row.entry)
  }
}

function entryText(entry: Entry): string {
  const at = isoTime(entry.timestamp ?? undefined)
  const time = at === null ? '' : `  ${at}`
  return `${visibleLine(headingOf(entry))}${time}\n${visibleText(shownText(entry))}`.trimEnd()
}

/** Who says an entry, or what it is: "[USER] mira", "[TOOL CALL] shell". */
export function headingOf(entry: Entry): string {
  const speaker = speakerOf(entry)
  if (speaker !== undefined) return `[${speaker.toUpperCase()}] ${entry.from}`
  switch (entry.entry_type) {
    case 'tool_call':
      return `[TOOL CALL] ${entry.to}`
    case 'tool_result':
      return `[TOOL RESULT] ${entry.from}`
    default:
      return `[${entry.entry_type}]`
  }
}
