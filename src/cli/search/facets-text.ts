import { countWithNoun } from '../../shared/model/basics/plural'
import type { FacetsResult } from '../../shared/model/facet-counts'
import type { CommandContext } from '../command/command'
import { jsonOutput, terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

/** Prints the counts of facets: for scripts, or a line a value under its facet. */
export async function printFacets(
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
  result: FacetsResult,
): Promise<void> {
  if (args.json) return output.write(jsonOutput(result))
  for (const { facet, values, others } of result.facets) {
    if (values.length === 0) continue
    await output.write(`${facet}\n`)
    const width = Math.max(...values.map(({ count }) => String(count).length))
    for (const { value, count } of values)
      await output.write(`  ${String(count).padStart(width)}  ${terminalText(oneLine(value))}\n`)
    if (others > 0) await output.write(`  ${countWithNoun(others, 'further value')}\n`)
  }
  for (const words of result.notices) output.say(terminalText(words))
  output.say(numbers(result))
}

function numbers({ facets, notices }: FacetsResult): string {
  if (facets.every(({ complete }) => complete)) return 'Every hit is counted.'
  return notices.length > 0
    ? 'Every hit is counted but for what could not be read.'
    : 'There are more hits than are counted here; narrow the query.'
}
