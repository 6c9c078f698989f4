import { type Entry, shownText, speakerOf } from '../../shared/model/entry'
import { isoTime } from '../../shared/model/time'
import { countFlag, UsageError } from '../arguments'
import type { Command } from '../command'
import { findConversation } from '../find'
import { forTerminal, json } from '../output'

export const show: Command = {
  name: 'show',
  synopsis: 'KEY [--last N | --first N]',
  summary: 'prints one conversation (chibi -g N is --last N, chibi -g -N is --first N)',
  flags: ['last', 'first'],
  async run({ args, disk, output, signal }) {
    const [key, ...more] = args.operands
    if (key === undefined || more.length > 0)
      throw new UsageError('"skein show" needs one KEY; "skein list" prints them.')
    const last = countFlag(args, 'last')
    const first = countFlag(args, 'first')
    if (last !== undefined && first !== undefined)
      throw new UsageError('--last and --first exclude each other.')
    const { conversation } = await findConversation(key, args, disk, signal)
    const entries = part(conversation.entries, first, last)
    if (args.json) await output.write(json({ ...conversation, entries }))
    else for (const entry of entries) await output.write(`${text(entry)}\n\n`)
    return 0
  },
}

function part(
  entries: readonly Entry[],
  first: number | undefined,
  last: number | undefined,
): readonly Entry[] {
  if (first !== undefined) return entries.slice(0, first)
  if (last !== undefined) return last === 0 ? [] : entries.slice(-last)
  return entries
}

function text(entry: Entry): string {
  const at = isoTime(entry.timestamp ?? undefined)
  const time = at === null ? '' : `  ${at}`
  return `${forTerminal(heading(entry))}${time}\n${forTerminal(shownText(entry))}`.trimEnd()
}

function heading(entry: Entry): string {
  switch (entry.entry_type) {
    case 'message':
      return `[${(speakerOf(entry) ?? 'message').toUpperCase()}] ${entry.from}`
    case 'tool_call':
      return `[TOOL CALL] ${entry.to}`
    case 'tool_result':
      return `[TOOL RESULT] ${entry.from}`
    default:
      return `[${entry.entry_type}]`
  }
}
