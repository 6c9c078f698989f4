import type { NativeQuestion } from './question'
import { escapeInvisible } from './question-text'

/** Returns the question whether a new session is written among those of another program: exactly this file. */
export function sessionQuestion(place: {
  readonly program: string
  readonly file: string
  readonly folder: string
}): NativeQuestion {
  const { program, file, folder } = place
  return {
    message: `Write a new session for ${program}?`,
    detail: [
      `New file:\n${escapeInvisible(file)}`,
      `It goes on in:\n${escapeInvisible(folder)}`,
      'No file that is there is changed.',
    ].join('\n\n'),
    refusal: 'Cancel',
    answers: ['Write file'],
  }
}
