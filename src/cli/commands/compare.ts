import path from 'node:path'
import { comparisonDocument } from '../../main/exporters/comparison/document'
import { saveExport } from '../../main/home/export/save-export'
import { protectedHistories } from '../../main/library/sources/protected-histories'
import { compareSides, uncomparedDamage } from '../../shared/model/comparison/compare-sides'
import { ComparisonFormat } from '../../shared/model/export'
import { textFlag, UsageError, wordFlag } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { printedComparison } from '../comparison/comparison-json'
import { changeText, comparisonHead } from '../comparison/comparison-text'
import { markStyleOf } from '../comparison/marked-text'
import { forkOf, namedSide } from '../comparison/sides'
import { readAll } from '../conversations/read-all'
import { jsonOutput } from '../terminal/output'

/** Command `skein compare`. */
export const compareCommand: Command = {
  name: 'compare',
  synopsis: 'KEY[@ENTRY] KEY[@ENTRY] [--format md|html] [-o FILE]',
  summary:
    'compares two conversations from their fork, or two entries of one; exits 1 where a part of them could not be read',
  flags: ['format', 'output'],
  options: [
    ['--format F', `${ComparisonFormat.options.join(' or ')}: writes the comparison as a document`],
    [
      '-o, --output FILE',
      'writes the document there, completely or not at all; never among histories; - is standard output',
    ],
  ],
  async run(context) {
    const { args, output } = context
    const [first, second, ...more] = args.operands
    if (first === undefined || second === undefined || more.length > 0)
      throw new UsageError(
        '"skein compare" needs two of KEY or KEY@ENTRY; "skein list" prints the keys.',
      )
    const format = formatOf(context)
    const read = await readAll(context, args.roots)
    const { conversations, incomplete, unreadOf } = read
    const named = [namedSide(first, conversations), namedSide(second, conversations)] as const
    const { sides, family } = forkOf(named, conversations)
    const compared = compareSides(...sides)
    const damage = named.flatMap(({ conversation }) =>
      uncomparedDamage(read.damagedLinesOf(conversation), conversation.title),
    )
    for (const sentence of new Set(damage)) output.say(sentence)
    const unread = [...new Set([...read.unread, ...damage])]
    if (format !== undefined) {
      const parts = named.flatMap(({ conversation }) => unreadOf(conversation))
      await write(
        context,
        comparisonDocument(format, compared, [...new Set([...parts, ...damage])]),
      )
    } else if (args.json) await output.write(jsonOutput({ ...printedComparison(compared), unread }))
    else {
      const style = markStyleOf(context)
      await output.write(comparisonHead(compared))
      for (const change of compared.changes) await output.write(`\n${changeText(change, style)}`)
    }
    return family.some((one) => incomplete.has(one)) ? 1 : 0
  },
}

/** The format of a document; undefined where the comparison is printed. @throws UsageError */
function formatOf({ args }: CommandContext): ComparisonFormat | undefined {
  const format = wordFlag(args, 'format', ComparisonFormat.options)
  if (format !== undefined && args.json)
    throw new UsageError('--json prints data; --format writes a document.')
  if (format === undefined && args.flags.output !== undefined)
    throw new UsageError('-o belongs to --format md or --format html.')
  return format
}

async function write(
  { args, disk, output }: CommandContext,
  document: Generator<string>,
): Promise<void> {
  const target = textFlag(args, 'output') ?? '-'
  if (target === '-') {
    for (const piece of document) await output.write(piece)
    return
  }
  const kept = protectedHistories(disk, args.roots)
  const bytes = await saveExport(disk, path.resolve(target), all(document), kept)
  output.say(`${bytes} bytes in ${target}.`)
}

async function* all(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces
}
