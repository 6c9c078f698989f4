import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'

/**
 * Returns the context's name of a key of ours.
 *
 * @param why what cannot be done with another system's conversation, in words
 * @throws AppError `bad-argument`: it is another system's
 */
export function contextNameOf(key: LibraryKey, why = 'Skein only reads it.'): string {
  const { source, key: name } = parseLibraryKey(key)
  if (source === 'chibi') return name
  throw new AppError('bad-argument', `This is another system's conversation: ${why}`)
}
