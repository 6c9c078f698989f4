import type { ReadRoot, UnreadConversationPart } from '../../main/readers/read-root'
import type { FileLedger } from '../../shared/model/conversation/transcript'
import type { Command } from '../command/command'
import { readNamedRoots } from '../conversations/read-all'
import { sayOnce } from '../conversations/tolerant-reader'
import { jsonOutput, terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

/** Command `skein read`. */
export const readCommand: Command = {
  name: 'read',
  synopsis: '',
  summary: 'prints everything in the files, and accounts for every line',
  flags: [],
  async run({ args, disk, output, signal }) {
    const roots: ReadRoot[] = []
    for await (const { read } of readNamedRoots(args.roots, disk, signal)) roots.push(read)
    const conversations = roots.flatMap((one) => one.conversations)
    const files = roots.flatMap((one) => one.files)
    const unread = roots.flatMap((one) => one.unread)
    const isWhole = unread.length === 0
    const notices = [
      ...roots.flatMap((one) => one.notices),
      ...unread.map(({ key, part }) => ({ key, notice: part.sentence })),
    ]
    if (args.json) {
      // What counts as a fork is the reader's business, and shows in `parent` and `active`.
      const printed = conversations.map(({ forkRule: _, ...one }) => one)
      await output.write(
        jsonOutput({ conversations: printed, files, notices, unread: unread.map(asJson) }),
      )
      return isWhole ? 0 : 1
    }
    for (const file of files) await output.write(`${sentence(file)}\n`)
    const say = sayOnce(output.say)
    for (const { key, notice } of notices) say(`${key}: ${notice}`)
    const entries = conversations.reduce((sum, one) => sum + one.entries.length, 0)
    output.say(
      `${conversations.length} conversations, ${entries} entries in ${files.length} files. --json prints them.`,
    )
    return isWhole ? 0 : 1
  },
}

function asJson({ key, part }: UnreadConversationPart) {
  return { key, ...part }
}

function sentence(file: FileLedger): string {
  const { lines, entryLines, control, blank, damaged, torn } = file
  const parts = [
    `${lines} lines`,
    `${entryLines} entries`,
    ...(control > 0 ? [`${control} control`] : []),
    ...(blank > 0 ? [`${blank} blank`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} damaged`] : []),
    ...(torn ? ['the last one unfinished'] : []),
  ]
  // A name may hold what would begin a line of its own.
  return terminalText(`${oneLine(file.file)}  ${parts.join(', ')}`)
}
