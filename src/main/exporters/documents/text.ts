import { isoTime } from '../../../shared/model/basics/time'
import { type Entry, shownText, speakerOf } from '../../../shared/model/conversation/entry'
import { documentLine, documentText } from '../parts/document-text'
import { lostArguments, lostHalves, lostMetadata } from '../parts/entry-losses'
import { exportedTurn } from '../parts/exported-turn'
import type { Exporter } from '../parts/exporter'
import type { EntryLoss } from '../parts/loss'
import { type ExportedRow, exportedRows } from '../parts/rows'

/** Plain text, times in UTC: for each entry a line that says who and when, then the words, then an empty line. */
export const textExporter: Exporter = {
  id: 'txt',
  extension: 'txt',
  mediaType: 'text/plain',
  branches: 'active',
  hasBranches: true,
  hasProject: false,
  hasOutputs: true,
  lostOf,
  async *write(conversation, options, signal) {
    for await (const row of exportedRows(conversation, options, signal)) yield `${section(row)}\n\n`
  },
}

const shown: ReadonlySet<string> = new Set(['saved_output'])

function lostOf(entry: Entry): readonly EntryLoss[] {
  return [...lostMetadata(entry, shown), ...lostArguments(entry), ...lostHalves(entry)]
}

function section(row: ExportedRow): string {
  switch (row.type) {
    case 'fork':
      return `[another branch] after “${documentLine(row.from)}”`
    case 'branch':
      return `[another conversation] ${documentLine(row.conversation.title)}`
    case 'damaged': {
      const { name, notes, text: words } = exportedTurn(row)
      return `[${name}] ${documentLine(notes.join(' '))}\n${documentText(words)}`.trimEnd()
    }
    case 'entry':
      return entryText(row.entry)
  }
}

function entryText(entry: Entry): string {
  const at = isoTime(entry.timestamp ?? undefined)
  const time = at === null ? '' : `  ${at}`
  return `${documentLine(entryHeading(entry))}${time}\n${documentText(shownText(entry))}`.trimEnd()
}

/** Makes the heading of an entry: its speaker or its type, "[USER] mira", "[TOOL CALL] shell". */
export function entryHeading(entry: Entry): string {
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
