import { countWithNoun } from '../../shared/model/basics/plural'
import type { NativeQuestion } from './question'
import { escapeInvisibleUpTo, quoteName } from './question-text'

const mostNamed = 10

/** Returns the question whether files that were dropped on the window are read and copied: a page may have made up their paths. */
export function importQuestion(files: readonly string[]): NativeQuestion {
  const [first = ''] = files
  const name = first.split(/[\\/]/).at(-1) ?? first
  const named = files.slice(0, mostNamed).map((file) => escapeInvisibleUpTo(file, 1000))
  const rest = files.length - named.length
  return {
    message:
      files.length === 1
        ? `Import ${quoteName(name)}?`
        : `Import ${countWithNoun(files.length, 'file')}?`,
    detail: `${[...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')}\n\nSkein keeps a copy and reads the conversations in it.`,
    refusal: 'Cancel',
    answers: ['Import'],
  }
}
