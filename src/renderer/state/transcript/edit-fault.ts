import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'

/** Returns why an entry cannot be edited; undefined for a message that a person wrote and that is here as a whole. */
export function editFault(entry: Entry): string | undefined {
  if (speakerOf(entry) !== 'user') return 'A person did not write this message.'
  if (typeof entry.metadata?.continued_by === 'string')
    return 'The model wrote this message to itself.'
  if (entry.wholeLength !== undefined)
    return 'This message is too long: an edited copy would lose what is not shown.'
  return undefined
}
