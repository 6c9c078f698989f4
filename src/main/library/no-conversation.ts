import { type LibraryKey, partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { Histories } from './histories'

/** Makes the words for a conversation that was not found: nobody says that it is gone where a root could not be listed. */
export function noConversation(histories: Pick<Histories, 'faultOf'>, key: LibraryKey): AppError {
  const fault = histories.faultOf(partsOf(key).source)
  if (fault === undefined)
    return new AppError('not-found', `There is no conversation "${key}" any more.`)
  return new AppError(
    'unreadable',
    `"${key}" cannot be read: the list of its folder was not. ${fault.replace(/\.$/, '')}.`,
  )
}
