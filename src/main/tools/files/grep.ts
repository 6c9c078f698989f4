import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { defineTool } from '../base/define-tool'
import type { Tool } from '../base/tool'
import type { AllowedPaths } from './allowed-paths'
import { fileTimeLimitMs } from './file-text'
import { LineHits } from './hits'
import type { KeptOutputFolder } from './kept-output'
import { createMatcher } from './pattern'
import { textArgs, withTextFile } from './read-files'
import { searchFile } from './search-file'

const mostAround = 50

const aroundArg = (where: string) =>
  z
    .int()
    .min(0)
    .max(mostAround)
    .optional()
    .describe(`Lines to show ${where} each match; 0 otherwise`)

/** Returns file_grep. `fits` is the most characters of an answer. */
export function grepTool(allowed: AllowedPaths, kept: KeptOutputFolder, fits: number): Tool {
  return defineTool({
    name: 'file_grep',
    description:
      'Finds the lines of a text file that match a JavaScript regular expression. Answers "number:line"; lines around a match are "number-line".',
    effect: 'reads',
    args: z.strictObject({
      ...textArgs(allowed),
      pattern: z.string().min(1).describe('JavaScript regular expression; (?i) first ignores case'),
      context_before: aroundArg('before'),
      context_after: aroundArg('after'),
    }),
    async run({ pattern, context_before: before = 0, context_after: after = 0, ...asked }, signal) {
      const matching = createMatcher(pattern)
      return withTextFile(allowed, kept, asked, async (file, { shown }) => {
        const hits = new LineHits({ before, after, fits, most: Number.POSITIVE_INFINITY, name: '' })
        const until = performance.now() + fileTimeLimitMs
        const { lines, overlong, isLate } = await searchFile(file, matching, hits, until, signal)
        const remarks = [
          hits.isFull ? `Cut: no more fits; lines after ${hits.lastNumber} were not searched.` : '',
          isLate ? `Stopped after ${fileTimeLimitMs / 1000} seconds, at line ${lines}.` : '',
          overlong > 0
            ? `Only the beginning of ${countWithNoun(overlong, 'very long line')} was searched.`
            : '',
        ].filter((remark) => remark !== '')
        const none = `(no match in ${countWithNoun(lines, 'line')} of ${shown})`
        const answer = hits.count === 0 ? none : hits.written.join('\n')
        return remarks.length === 0 ? answer : `${answer}\n[${remarks.join(' ')}]`
      })
    },
  })
}
