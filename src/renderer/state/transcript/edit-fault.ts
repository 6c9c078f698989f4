import { type Entry, isWrittenByPerson, speakerOf } from '../../../shared/model/conversation/entry'

/** Returns why an entry cannot be edited; undefined for a message that a person wrote and that is here as a whole. */
export function editFault(entry: Entry): string | undefined {
  if (speakerOf(entry) !== 'user') return 'A person did not write this message.'
  if (isContinuation(entry)) return 'The model wrote this message to itself.'
  if (entry.wholeLength !== undefined)
    return 'This message is too long: an edited copy would lose what is not shown.'
  return undefined
}

/** Tells whether a person typed a message, which is neither a tool's nor the model's to itself. */
export function isTypedByPerson(entry: Entry): boolean {
  return isWrittenByPerson(entry) && !isContinuation(entry)
}

function isContinuation(entry: Entry): boolean {
  return typeof entry.metadata?.continued_by === 'string'
}
