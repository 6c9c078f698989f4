import { sleep } from '../../main/async/sleep'
import { backupReasonOf } from '../../main/library/backups'
import type { SourceRef } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import type { ReadConversation } from '../../main/readers/read-root'
import { readContextWindow } from '../../main/store/context-window'
import { backupSentence } from '../../shared/model/backup/backup'
import { AppError } from '../../shared/model/basics/errors'
import { countWithNoun } from '../../shared/model/basics/plural'
import type { Entry } from '../../shared/model/conversation/entry'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { ExportBranches } from '../../shared/model/export'
import { countFlag, textFlag, UsageError, wordFlag } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { timeFlags, timeOptions, timeRangeOf } from '../command/times'
import { entryFilter, entryFlags, entryOptions } from '../conversations/entry-filter'
import { findRef, readListed } from '../conversations/find'
import { withLabels } from '../conversations/given-labels'
import { withGivenTitles } from '../conversations/titles'
import { entryFormatOptions, entryPrinter } from '../show/entry-text'
import { followEntries, sourceAndKey } from '../show/follow'
import { entryWithOutput } from '../show/saved-outputs'
import { printSent } from '../show/sent-text'
import { jsonOutput, terminalText } from '../terminal/output'
import { shownName } from '../terminal/shown-name'

/** Command `skein show`. */
export const showCommand: Command = {
  name: 'show',
  synopsis:
    'KEY [--last N | --first N] [--branches active|all] [--role ROLE] [--format F] [--follow]',
  summary:
    'prints one conversation; KEY may be a unique part of a key; exits 1 if a part could not be read',
  flags: [
    'last',
    'first',
    'format',
    'max',
    'follow',
    'as-model',
    'window',
    'sent',
    'branches',
    ...entryFlags,
    ...timeFlags,
  ],
  options: [
    ['-n, --last N', 'the last N entries of those asked for'],
    ['--first N', 'the first N'],
    ...entryOptions,
    ...entryFormatOptions,
    ['--as-model', 'what its system sends to its model, where that differs from the transcript'],
    ['--window', "for chibi's contexts: what would be sent to the model now"],
    [
      '--sent ENTRY_ID',
      "for chibi's contexts: what was sent to the model before that answer, from the log or rebuilt",
    ],
    [
      '--branches B',
      'active: the path to the current leaf, without --json the default; all: every branch',
    ],
    ['--follow', 'prints new entries as they come, until Ctrl+C; with --json one entry a line'],
    ...timeOptions,
  ],
  replaces:
    'chibi -g N, -G KEY N (--last N; --first N for -N); cycodj show; voicemode exchanges view -c',
  async run(context) {
    const { args, disk, output, signal } = context
    const [key, ...more] = args.operands
    if (key === undefined || more.length > 0)
      throw new UsageError('"skein show" needs one KEY; "skein list" prints them.')
    const last = countFlag(args, 'last')
    const first = countFlag(args, 'first')
    if (last !== undefined && first !== undefined)
      throw new UsageError('--last and --first exclude each other.')
    const isWanted = entryFilter(args, timeRangeOf(context))
    const choose = (entries: readonly Entry[]) => part(entries.filter(isWanted), first, last)
    const print = entryPrinter(args, output, disk)
    const isLines = args.json && args.flags.format === undefined
    const listed = await findRef(key, args, disk, signal, output.say)
    const { ref } = listed
    const branches =
      wordFlag(args, 'branches', ExportBranches.options) ?? (isLines ? 'all' : 'active')
    const isWindow = args.flags.window === true
    if (isWindow && args.flags.follow === true)
      throw new UsageError('--window and --follow exclude each other.')
    if (isWindow && ref.source !== 'chibi')
      throw new UsageError(
        `--window is for chibi's contexts; this is a conversation of ${ref.source}.`,
      )
    const sentFor = textFlag(args, 'sent')
    if (sentFor !== undefined) return printSent(context, ref, sentFor)
    if (args.flags.follow === true) return follow(context, ref, choose, isWanted)
    const found = await readListed(listed, disk, signal)
    if (found === undefined)
      throw new AppError('not-found', `The conversation "${key}" no longer exists.`)
    const { notices } = found
    const unread = new Set<UnreadPart>(found.unread)
    const onGap = (part: UnreadPart) => void unread.add(part)
    const [conversation = found.conversation] = await withGivenTitles(
      context,
      [found.conversation],
      ref.root,
      onGap,
    )
    const reason = await backupReasonOf(disk, listed.root, ref)
    if (reason !== undefined) output.say(backupSentence(reason, sourceLabel(ref.source)))
    for (const notice of notices) output.say(notice)
    if (found.damagedLines > 0) {
      const lines = countWithNoun(found.damagedLines, 'damaged line is', 'damaged lines are')
      output.say(`${lines} not printed; "skein export" has what is left of them.`)
    }
    const shown = isWindow
      ? await readContextWindow(disk, ref.root, ref.key, onGap)
      : branches === 'all'
        ? conversation.entries
        : onActivePath(conversation, output.say)
    const labelled = await withLabels(context, ref, shown, ref.root, onGap)
    const sentences = [...new Set([...unread].map(({ sentence }) => sentence))]
    for (const sentence of sentences) output.say(sentence)
    const code = sentences.length === 0 ? 0 : 1
    if (args.flags['as-model'] === true)
      return Math.max(code, await printModelView(context, ref, conversation.entries))
    if (isForPeople(args)) output.say(shownName(conversation))
    const withOutput = entryWithOutput(disk, ref, output.say)
    const entries: Entry[] = []
    for (const entry of choose(labelled)) entries.push(await withOutput(entry))
    if (isLines) await output.write(jsonOutput({ ...conversation, unread: sentences, entries }))
    else for (const entry of entries) await print(entry, ref.root)
    return code
  },
}

/** Returns the entries of the active path, and says how many others are not printed. */
function onActivePath(
  { entries, active }: ReadConversation,
  say: (words: string) => void,
): readonly Entry[] {
  const path = new Set(active)
  const shown = entries.filter(({ id }) => path.has(id))
  const others = entries.length - shown.length
  if (others > 0)
    say(
      `${countWithNoun(others, 'entry', 'entries')} on other branches; --branches all prints them.`,
    )
  return shown
}

/** Whether entries are printed for reading: then their conversation is named too, apart from the data. */
function isForPeople({ json, flags }: CommandContext['args']): boolean {
  return (
    !json && (flags.format === undefined || flags.format === 'text' || flags.format === 'pretty')
  )
}

async function printModelView(
  { args, output }: CommandContext,
  ref: SourceRef,
  entries: readonly Entry[],
): Promise<number> {
  const { source } = ref
  const reader = readers.find(({ id }) => id === source)
  if (reader?.isNeverSent?.(ref) === true) {
    output.say(
      `${sourceLabel(reader.id)} never sends this to its model: it is an archive. "skein show" without --as-model prints it.`,
    )
    return 1
  }
  const messages = reader?.modelView?.(entries)
  if (messages === undefined) {
    output.say(
      `${source} sends its model what was said: "skein show" without --as-model prints it.`,
    )
    return 1
  }
  if (args.json) await output.write(jsonOutput({ messages }))
  else
    for (const { role, content } of messages)
      await output.write(`[${role.toUpperCase()}]\n${terminalText(content)}\n\n`)
  return 0
}

async function follow(
  context: CommandContext,
  ref: SourceRef,
  choose: (entries: readonly Entry[]) => readonly Entry[],
  isWanted: (entry: Entry) => boolean,
): Promise<number> {
  const { args, disk, output, signal, now, pause } = context
  const printed = entryPrinter(args, output, disk)
  const withOutput = entryWithOutput(disk, ref, output.say)
  const print = async (entry: Entry) => printed(await withOutput(entry), ref.root)
  const arrivals = followEntries(
    {
      args: { roots: args.roots.filter(({ source }) => source === ref.source) },
      disk,
      signal,
      wanted: (one) => sourceAndKey(one) === sourceAndKey(ref) && one.root === ref.root,
      now: now?.() ?? Date.now(),
      pause: pause ?? sleep,
      note: output.say,
    },
    async (read) => {
      for (const { conversation } of read)
        for (const entry of choose(conversation.entries)) await print(entry)
    },
  )
  for await (const { entry } of arrivals) if (isWanted(entry)) await print(entry)
  return 0
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
