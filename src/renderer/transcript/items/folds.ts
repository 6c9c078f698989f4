import type { LinePoint } from '../../state/transcript-state'
import { splitDelivered } from '../entries/delivered-messages'
import { compactionSummaryOf, metadataFactsOf, runFailureOf } from '../entries/metadata'
import { holdsAny } from './highlights'
import type { ListItem } from './use-items'

/** Returns the names of the folds of an item that hide a line, or one of the folded words. */
export function foldsAround(
  item: ListItem,
  place: LinePoint,
  folded: readonly string[],
): readonly string[] {
  switch (item.type) {
    case 'tool':
    case 'damaged':
      return [item.key]
    case 'seam': {
      if (item.copies?.some(isAt(place))) return [copiesFold(item.key)]
      const [entry] = item.entries.length === 1 ? item.entries : item.entries.filter(isAt(place))
      const body = entry === undefined ? '' : (compactionSummaryOf(entry) ?? entry.content)
      return folded.length > 0 && holdsAny(body, folded) ? [item.key] : []
    }
    case 'user': {
      const messages = splitDelivered(item.text)?.messages
      return messages !== undefined && folded.length > 0 && holdsAny(messages, folded)
        ? [deliveredFold(item.key)]
        : []
    }
    case 'agent': {
      const { reasoning } = metadataFactsOf(item.entry)
      return reasoning !== undefined && folded.length > 0 && holdsAny(reasoning, folded)
        ? [reasoningFold(item.key)]
        : []
    }
    case 'reasoning':
      return isAt(place)(item.entry) && folded.length > 0 && holdsAny(item.entry.content, folded)
        ? [reasoningFold(item.key)]
        : []
    case 'error': {
      const { response } = runFailureOf(item.entry)
      return response !== undefined && folded.length > 0 && holdsAny(response, folded)
        ? [responseFold(item.key)]
        : []
    }
    default:
      return []
  }
}

/** Returns the name of the fold of an answer's reasoning. */
export function reasoningFold(itemKey: string): string {
  return `${itemKey} reasoning`
}

/** Returns the name of the fold of the inbox messages before a user message. */
export function deliveredFold(itemKey: string): string {
  return `${itemKey} delivered`
}

/** Returns the name of the fold of a provider's response to a failed request. */
export function responseFold(itemKey: string): string {
  return `${itemKey} response`
}

/** Returns the name of the fold of the messages that chibi repeats after a seam. */
export function copiesFold(itemKey: string): string {
  return `${itemKey} copies`
}

function isAt(place: LinePoint) {
  return ({ file, offset }: LinePoint) => offset === place.offset && file === place.file
}
