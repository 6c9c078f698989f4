import { z } from 'zod'
import { defineTool } from './define'
import { patienceMs } from './file-text'
import type { Grounds } from './grounds'
import { Hits } from './hits'
import type { KeptPlace } from './kept-output'
import { matcherOf } from './pattern'
import { textArgs, withText } from './read-files'
import { searchFile } from './search-file'
import type { Tool } from './tool'
import { counted } from './wording'

const mostAround = 50

const aroundArg = (where: string) =>
  z
    .int()
    .min(0)
    .max(mostAround)
    .optional()
    .describe(`Lines to show ${where} each match; 0 otherwise`)

/** file_grep. `fits` counts characters of the answer. */
export function grepTool(grounds: Grounds, kept: KeptPlace, fits: number): Tool {
  return defineTool({
    name: 'file_grep',
    description:
      'Finds the lines of a text file that match a JavaScript regular expression. Answers "number:line"; lines around a match are "number-line".',
    effect: 'reads',
    args: z.strictObject({
      ...textArgs(grounds),
      pattern: z.string().min(1).describe('JavaScript regular expression; (?i) first ignores case'),
      context_before: aroundArg('before'),
      context_after: aroundArg('after'),
    }),
    async run({ pattern, context_before: before = 0, context_after: after = 0, ...asked }, signal) {
      const matching = matcherOf(pattern)
      return withText(grounds, kept, asked, async (file, { shown }) => {
        const hits = new Hits({ before, after, fits, most: Number.POSITIVE_INFINITY, name: '' })
        const until = performance.now() + patienceMs
        const { lines, overlong, isLate } = await searchFile(file, matching, hits, until, signal)
        const remarks = [
          hits.isFull ? `Cut: no more fits; lines after ${hits.lastNumber} were not searched.` : '',
          isLate ? `Stopped after ${patienceMs / 1000} seconds, at line ${lines}.` : '',
          overlong > 0
            ? `Only the beginning of ${counted(overlong, 'very long line')} was searched.`
            : '',
        ].filter((remark) => remark !== '')
        const none = `(no match in ${counted(lines, 'line')} of ${shown})`
        const answer = hits.count === 0 ? none : hits.written.join('\n')
        return remarks.length === 0 ? answer : `${answer}\n[${remarks.join(' ')}]`
      })
    },
  })
}
