import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { protectedPlaceAround } from '../../main/disk/writing/protected-places'
import { writePieces } from '../../main/disk/writing/write-pieces'
import { exporterOf } from '../../main/exporters/index'
import { countLosses } from '../../main/exporters/losses'
import { toExportable } from '../../main/exporters/parts/exporter'
import { openStore } from '../../main/store/open-store'
import { AppError } from '../../shared/model/basics/errors'
import { ExportBranches, ExportFormat } from '../../shared/model/export'
import { type Root, textFlag, UsageError, wordFlag } from '../command/arguments'
import type { Command } from '../command/command'
import { type FoundConversation, findConversation } from '../conversations/find'
import { withGivenTitles } from '../conversations/titles'
import { exportMany } from '../export-many'
import { originalOf } from '../originals'

export const exportCommand: Command = {
  name: 'export',
  synopsis: 'KEY ... | --all [--format F] [--branches active|all] [-o FILE | -o FOLDER]',
  summary:
    'writes one conversation whole, or several into a folder; says first, on stderr, what has no place in the format; exits 1 where a part could not be read',
  flags: ['format', 'branches', 'output', 'all', 'source'],
  options: [
    ['--format F', `${ExportFormat.options.join(', ')}; md unless told`],
    ['--branches B', 'active: the path to the current leaf; all: every branch'],
    [
      '-o, --output FILE',
      'writes there, whole or not at all; never where histories lie; - is standard output',
    ],
    ['-o, --output FOLDER', 'with several KEYs or --all: a file each, under a name that is free'],
    ['--all', 'every conversation that is read'],
    ['--source SOURCE', 'with --all: only this system'],
  ],
  replaces: 'cycodj show --messages all --save-output; voicemode exchanges export -c',
  async run(context) {
    const { args, disk, output, signal } = context
    const [key, ...more] = args.operands
    const isAll = args.flags.all === true
    if (isAll && key !== undefined) throw new UsageError('--all takes no KEY.')
    if (!isAll && args.flags.source !== undefined)
      throw new UsageError('--source belongs to --all; a KEY may be "source:key".')
    if (!isAll && key === undefined)
      throw new UsageError(
        '"skein export" needs a KEY, several, or --all; "skein list" prints keys.',
      )
    const exporter = exporterOf(wordFlag(args, 'format', ExportFormat.options) ?? 'md')
    const branches = wordFlag(args, 'branches', ExportBranches.options) ?? exporter.branches
    if (exporter.id === 'original' && branches === 'active')
      throw new UsageError('The original holds every branch.')
    const target = textFlag(args, 'output') ?? '-'
    if (isAll || more.length > 0) {
      if (target === '-') throw new UsageError('Several conversations need a folder: -o FOLDER.')
      const keys = isAll ? undefined : args.operands
      return exportMany(context, { keys, exporter, branches, folder: path.resolve(target) })
    }
    const found = await findConversation(key ?? '', args, disk, signal, output.say)
    const { files, ref, reader } = found
    const unread = [...found.unread]
    const [conversation = found.conversation] = await withGivenTitles(
      context,
      [found.conversation],
      ref.root,
      // Bytes that are copied have no title of ours in any case.
      (part) => void (exporter.id === 'original' || unread.push(part)),
    )
    if (target !== '-') await mustBeFree(target, args.roots, found, disk)
    const original = await originalOf({ ref, reader }, disk)
    const counted = toExportable(conversation, files, () => original.bytes(signal))
    const options = { branches, unread: () => unread }
    const { losses } = await countLosses(exporter, counted, options, signal)
    // Keys of metadata in it are plain names.
    for (const { sentence } of losses) output.say(sentence)
    const whole = toExportable(conversation, files, () => original.bytes(signal))
    const pieces = exporter.write(whole, { branches }, signal)
    // What could not be read was said above.
    const code = unread.length === 0 ? 0 : 1
    if (target === '-') {
      for await (const piece of pieces) await output.write(piece)
      return code
    }
    const bytes = await writePieces(disk, path.resolve(target), pieces, 'umask')
    output.say(`${conversation.entries.length} entries, ${bytes} bytes in ${target}.`)
    return code
  },
}

/** An export in the place of what is read, or among it, would change it. @throws AppError `bad-argument` */
async function mustBeFree(
  target: string,
  roots: readonly Root[],
  { ref }: FoundConversation,
  disk: Disk,
): Promise<void> {
  const files =
    ref.source === 'chibi'
      ? (await openStore({ home: ref.root, disk }).listFiles(ref.key)).files.map(
          (file) => file.path,
        )
      : ref.files.map(({ file }) => path.join(ref.root, file))
  const place = await protectedPlaceAround(disk, path.resolve(target), { roots, files })
  if (place !== undefined)
    throw new AppError(
      'bad-argument',
      `The export was not written: ${target} lies in what is read and never written to: ${place}.`,
    )
}
