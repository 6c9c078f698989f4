import { countWithNoun } from '../../shared/model/basics/plural'
import type { NothingFound } from '../../shared/model/nothing-found'
import type { CommandContext } from '../command/command'
import { terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

/** Says which queries find something next to one that finds nothing, a line each on standard error. */
export function sayNothingFound(
  output: Pick<CommandContext['output'], 'say'>,
  { near, without }: NothingFound,
): void {
  const shown = (text: string) => terminalText(oneLine(text))
  for (const { word, instead, query } of near)
    output.say(`No text has ${shown(word)}; with ${shown(instead)}: ${shown(query)}`)
  for (const { part, query, hits, hasMore } of without)
    output.say(
      `Without ${shown(part)}: ${countWithNoun(hits, 'hit')}${hasMore ? ' or more' : ''}: ${shown(query)}`,
    )
}
