import type { Disk } from '../../main/disk/disk'
import { type ReadRoot, readRoot } from '../../main/readers/gather'
import { readers } from '../../main/readers/index'
import type { FileLedger } from '../../shared/model/transcript'
import type { Root } from '../arguments'
import type { Command } from '../command'
import { json } from '../output'

export const read: Command = {
  name: 'read',
  synopsis: '',
  summary: 'prints everything that stands in the files, and accounts for every line',
  flags: [],
  async run({ args, disk, output, signal }) {
    const roots: ReadRoot[] = []
    for (const root of args.roots) roots.push(await readOne(root, disk, signal))
    const conversations = roots.flatMap((one) => one.conversations)
    const files = roots.flatMap((one) => one.files)
    const notices = roots.flatMap((one) => one.notices)
    if (args.json) {
      await output.write(json({ conversations, files, notices }))
      return 0
    }
    for (const file of files) await output.write(`${sentence(file)}\n`)
    for (const { key, notice } of notices) output.say(`${key}: ${notice}`)
    const entries = conversations.reduce((sum, one) => sum + one.entries.length, 0)
    output.say(
      `${conversations.length} conversations, ${entries} entries in ${files.length} files. --json prints them.`,
    )
    return 0
  },
}

/** Reads a root with the reader of its source. */
export async function readOne(root: Root, disk: Disk, signal: AbortSignal): Promise<ReadRoot> {
  const reader = readers.find(({ id }) => id === root.source)
  // The command line accepts known sources alone.
  if (reader === undefined) throw new Error(`no reader for ${root.source}`)
  if ((await disk.stat(root.path)) === undefined)
    return { conversations: [], files: [], notices: [] }
  return readRoot(reader, root.path, disk, signal)
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
  return `${file.file}  ${parts.join(', ')}`
}
