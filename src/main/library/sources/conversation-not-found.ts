import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Histories } from './histories'

/**
 * Returns the error for a conversation that was not found; where a root could not be listed, it does not claim that
 * the conversation is gone.
 *
 * @param histories undefined where a home alone is open
 *
 * @param mayBeThere whether a root of its source was not looked at, for a reason that the histories do not know
 */
export function conversationNotFound(
  histories: Pick<Histories, 'faultOf'> | undefined,
  key: LibraryKey,
  mayBeThere = false,
): AppError {
  const fault = histories?.faultOf(parseLibraryKey(key).source)
  if (fault !== undefined)
    return new AppError(
      'unreadable',
      `"${key}" cannot be read: its folder could not be listed. ${fault.replace(/\.$/, '')}.`,
    )
  if (mayBeThere)
    return new AppError(
      'unreadable',
      `"${key}" cannot be read: not all folders of its system could be listed.`,
    )
  return new AppError('not-found', `The conversation "${key}" no longer exists.`)
}
