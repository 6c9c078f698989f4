import { type KnownFormat, knownObject } from '../known/known-format'

/**
 * Table of what the reader knows of aider's chats. These are pages of text, in which nothing but the version that aider names can be
 * new; the fields are of the lines that are composed of a page.
 */
export const aiderTable: KnownFormat = {
  proved: '0.86',
  versionOf: ({ program }) =>
    typeof program === 'string' ? /^Aider v([\w.+-]+)/m.exec(program)?.[1] : undefined,
  record: knownObject(['session', 'said', 'answer', 'program', 'model', 'usage']),
}
