import { countWithNoun } from '../../shared/model/basics/plural'
import { type FacetsResult, mostCountedHits } from '../../shared/model/facet-counts'
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

function numbers({ total, isCut, notices }: FacetsResult): string {
  const most = mostCountedHits.toLocaleString('en')
  const cut = `Where there are more than ${most} hits, only the first ${most} or so are counted; narrow the query.`
  const unread = 'What could not be read is not counted.'
  const whole = isCut || notices.length > 0 ? [] : ['Every hit is counted.']
  return [
    `${countWithNoun(total, 'hit')}.`,
    ...(isCut ? [cut] : []),
    ...(notices.length > 0 ? [unread] : []),
    ...whole,
  ].join(' ')
}
