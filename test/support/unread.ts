import type { ReadRoot } from '../../src/main/readers/read-root'

/** What could not be read, in words, with whose it is. */
export function unreadIn({ unread }: Pick<ReadRoot, 'unread'>) {
  return unread.map(({ key, part }) => ({ key, notice: part.sentence }))
}
