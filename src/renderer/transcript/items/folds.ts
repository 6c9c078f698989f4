import type { FoundPart } from '../../../shared/model/find/find'
import { type LinePoint, toolFold } from '../../state/transcript-state'
import { messageBodyOf } from '../entries/message-body'
import { compactionSummaryOf, metadataFactsOf, runFailureOf } from '../entries/metadata'
import type { ListItem } from './use-items'

/** Returns whether a text of an item has what a reader is led to. */
export type HoldsSought = (text: string, part: FoundPart) => boolean

/** Returns the names of the folds of an item that hide a line, or what a reader is led to. */
export function foldsAround(
  item: ListItem,
  place: LinePoint,
  holds: HoldsSought,
): readonly string[] {
  switch (item.type) {
    case 'tool':
      return [toolFold(item.key)]
    case 'damaged':
      return [item.key]
    case 'seam': {
      if (item.copies?.some(isAt(place))) return [copiesFold(item.key)]
      const [entry] = item.entries.length === 1 ? item.entries : item.entries.filter(isAt(place))
      const body = entry === undefined ? '' : (compactionSummaryOf(entry) ?? entry.content)
      return holds(body, 'content') ? [item.key] : []
    }
    case 'user': {
      const { delivered, parts } = messageBodyOf(item.text, item.entry)
      const messages = delivered?.messages
      return [
        ...(messages !== undefined && holds(messages, 'content') ? [deliveredFold(item.key)] : []),
        ...parts.flatMap((part, at) =>
          part.type === 'file' && holds(part.text, 'content') ? [fileFold(item.key, at)] : [],
        ),
      ]
    }
    case 'agent': {
      const { reasoning } = metadataFactsOf(item.entry)
      return reasoning !== undefined && holds(reasoning, 'reasoning')
        ? [reasoningFold(item.key)]
        : []
    }
    case 'reasoning':
      return isAt(place)(item.entry) && holds(item.entry.content, 'reasoning')
        ? [reasoningFold(item.key)]
        : []
    case 'error': {
      const { response } = runFailureOf(item.entry)
      return response !== undefined && holds(response, 'response') ? [responseFold(item.key)] : []
    }
    default:
      return []
  }
}

/** Returns the name of the fold of an answer's reasoning. */
export function reasoningFold(itemKey: string): string {
  return `${itemKey} reasoning`
}

/** Returns the name of the fold of a text file in a user message. @param at its place among the message's parts */
export function fileFold(itemKey: string, at: number): string {
  return `${itemKey} file ${at}`
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
