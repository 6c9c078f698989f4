import path from 'node:path'
import { writePieces } from '../../main/disk/write-pieces'
import { exportable } from '../../main/exporters/exporter'
import { exporterOf } from '../../main/exporters/index'
import { ExportBranches, ExportFormat } from '../../shared/model/export'
import { type Arguments, UsageError } from '../arguments'
import type { Command } from '../command'
import { findConversation } from '../find'

export const exportConversation: Command = {
  name: 'export',
  synopsis: `KEY --format ${ExportFormat.options.join('|')} [--branches active|all] [-o FILE]`,
  summary: 'writes one conversation whole, tools and reasoning included',
  flags: ['format', 'branches', 'output'],
  async run({ args, disk, output, signal }) {
    const [key, ...more] = args.operands
    if (key === undefined || more.length > 0)
      throw new UsageError('"skein export" needs one KEY; "skein list" prints them.')
    const exporter = exporterOf(oneOf(ExportFormat.options, args, 'format') ?? 'md')
    const branches = oneOf(ExportBranches.options, args, 'branches') ?? exporter.branches
    const { conversation, files } = await findConversation(key, args, disk, signal)
    const pieces = exporter.write(exportable(conversation, files), { branches }, signal)
    const target = args.flags.output
    if (typeof target !== 'string') {
      for await (const piece of pieces) await output.write(piece)
      return 0
    }
    const bytes = await writePieces(disk, path.resolve(target), pieces)
    output.say(`${conversation.entries.length} entries, ${bytes} bytes in ${target}.`)
    return 0
  },
}

/** The value of an option that knows a few words alone. @throws UsageError */
function oneOf<Word extends string>(
  words: readonly Word[],
  args: Arguments,
  name: string,
): Word | undefined {
  const value = args.flags[name]
  if (value === undefined) return undefined
  const found = words.find((word) => word === value)
  if (found === undefined)
    throw new UsageError(`--${name} is one of ${words.join(', ')}, not "${String(value)}".`)
  return found
}
