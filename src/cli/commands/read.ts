import type { ReadRoot } from '../../main/readers/gather'
import type { FileLedger } from '../../shared/model/transcript'
import type { Command } from '../command'
import { json } from '../output'
import { readOne } from '../read-all'

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
