import type { Disk } from '../../main/disk/disk'
import { type ReadConversation, readUnit } from '../../main/readers/gather'
import { readers } from '../../main/readers/index'
import { type Entry, shownText, speakerOf } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import { type Arguments, countFlag, UsageError } from '../arguments'
import type { Command } from '../command'
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
    const conversation = await find(key, args, disk, signal)
    const entries = part(conversation.entries, first, last)
    if (args.json) await output.write(json({ ...conversation, entries }))
    else for (const entry of entries) await output.write(`${text(entry)}\n\n`)
    return 0
  },
}

/** Finds a conversation by `key` or `source:key`. @throws AppError `not-found` */
async function find(
  wanted: string,
  args: Arguments,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadConversation> {
  for (const root of args.roots)
    for (const reader of readers)
      if (reader.id === root.source)
        for await (const ref of reader.list(root.path, disk, signal)) {
          if (ref.key !== wanted && `${reader.id}:${ref.key}` !== wanted) continue
          const read = await readUnit(reader, ref, disk, signal)
          const found = read.conversations.find(({ key }) => key === ref.key)
          if (found !== undefined) return found
        }
  throw new AppError('not-found', `There is no conversation "${wanted}".`)
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
  const time = entry.timestamp === null ? '' : `  ${new Date(entry.timestamp * 1000).toISOString()}`
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
