import type { LinePoint } from '../state/landing'
import { type Item, placesOf } from './items'
import { holdsAny } from './marked'
import { factsOf, failureOf, summaryOf } from './metadata'
import type { ListItem } from './use-items'

/** The folds that hide a line of an item, or the words that somebody looks for in it. */
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
      const [entry] = placesOf(item).length === 1 ? item.entries : entriesAt(item, place)
      const body = entry === undefined ? '' : (summaryOf(entry) ?? entry.content)
      return folded.length > 0 && holdsAny(body, folded) ? [item.key] : []
    }
    case 'agent': {
      const { reasoning } = factsOf(item.entry)
      return reasoning !== undefined && folded.length > 0 && holdsAny(reasoning, folded)
        ? [reasoningFold(item.key)]
        : []
    }
    case 'error': {
      const { response } = failureOf(item.entry)
      return response !== undefined && folded.length > 0 && holdsAny(response, folded)
        ? [responseFold(item.key)]
        : []
    }
    default:
      return []
  }
}

/** The name of the fold of an answer's reasoning. */
export function reasoningFold(itemKey: string): string {
  return `${itemKey} reasoning`
}

/** The name of the fold of what a provider answered instead of an answer. */
export function responseFold(itemKey: string): string {
  return `${itemKey} response`
}

function entriesAt(item: Extract<Item, { type: 'seam' }>, place: LinePoint) {
  return item.entries.filter(({ file, offset }) => offset === place.offset && file === place.file)
}
