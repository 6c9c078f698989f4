import path from 'node:path'
import type { Disk } from '../../main/disk/disk'
import { writePieces } from '../../main/disk/write-pieces'
import { exportable } from '../../main/exporters/exporter'
import { exporterOf } from '../../main/exporters/index'
import { lossesOf } from '../../main/exporters/losses'
import { contextOriginal, historyOriginal, type Original } from '../../main/library/originals'
import type { HistoryReader, SourceRef } from '../../main/readers/reader'
import { openStore } from '../../main/store/open-store'
import { ExportBranches, ExportFormat } from '../../shared/model/export'
import { UsageError, wordFlag } from '../arguments'
import type { Command } from '../command'
import { findConversation } from '../find'

export const exportConversation: Command = {
  name: 'export',
  synopsis: 'KEY [--format F] [--branches active|all] [-o FILE]',
  summary: 'writes one conversation whole; says first, on stderr, what has no place in the format',
  flags: ['format', 'branches', 'output'],
  options: [
    ['--format F', `${ExportFormat.options.join(', ')}; md unless told`],
    ['--branches B', 'active: the path to the current leaf; all: every branch'],
    ['-o, --output FILE', 'writes there, whole or not at all'],
  ],
  replaces: 'cycodj show --messages all --save-output; voicemode exchanges export -c',
  async run({ args, disk, output, signal }) {
    const [key, ...more] = args.operands
    if (key === undefined || more.length > 0)
      throw new UsageError('"skein export" needs one KEY; "skein list" prints them.')
    const exporter = exporterOf(wordFlag(args, 'format', ExportFormat.options) ?? 'md')
    const branches = wordFlag(args, 'branches', ExportBranches.options) ?? exporter.branches
    if (exporter.id === 'original' && branches === 'active')
      throw new UsageError('The original holds every branch.')
    const { conversation, files, ref, reader } = await findConversation(key, args, disk, signal)
    const { losses } = await lossesOf(
      exporter,
      exportable(conversation, files),
      { branches },
      signal,
    )
    // Keys of metadata in it are plain names.
    for (const { sentence } of losses) output.say(sentence)
    async function* originals() {
      yield* (await originalOf(ref, reader, disk)).bytes(signal)
    }
    const whole = exportable(conversation, files, originals)
    const pieces = exporter.write(whole, { branches }, signal)
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

async function originalOf(ref: SourceRef, reader: HistoryReader, disk: Disk): Promise<Original> {
  if (ref.source !== 'chibi') return historyOriginal(disk, { reader, ref })
  return contextOriginal(disk, openStore({ home: ref.root, disk }), ref.key)
}
