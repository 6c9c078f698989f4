import { UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { compareSides } from '../comparison/comparison'
import { changeText, comparisonHead } from '../comparison/comparison-text'
import { markStyleOf } from '../comparison/marked-text'
import { forkOf, namedSide } from '../comparison/sides'
import { readAll } from '../conversations/read-all'
import { jsonOutput } from '../terminal/output'

/** Command `skein compare`. */
export const compareCommand: Command = {
  name: 'compare',
  synopsis: 'KEY[@ENTRY] KEY[@ENTRY]',
  summary:
    'compares two conversations from their fork, or two entries of one; exits 1 where a part of them could not be read',
  flags: [],
  async run(context) {
    const { args, output } = context
    const [first, second, ...more] = args.operands
    if (first === undefined || second === undefined || more.length > 0)
      throw new UsageError(
        '"skein compare" needs two of KEY or KEY@ENTRY; "skein list" prints the keys.',
      )
    const { conversations, incomplete, unread } = await readAll(context, args.roots)
    const named = [namedSide(first, conversations), namedSide(second, conversations)] as const
    const { sides, family } = forkOf(named, conversations)
    const { comparison, changes } = compareSides(...sides)
    if (args.json) await output.write(jsonOutput({ ...comparison, unread }))
    else {
      const style = markStyleOf(context)
      await output.write(comparisonHead(comparison))
      for (const change of changes) await output.write(`\n${changeText(change, style)}`)
    }
    return family.some((one) => incomplete.has(one)) ? 1 : 0
  },
}
