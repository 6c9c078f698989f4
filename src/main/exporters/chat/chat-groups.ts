import type { Entry } from '../../../shared/model/conversation/entry'
import { exportKindOf } from '../parts/entry-kind'
import { chatContent } from './chat-parts'

/**
 * Groups entries by message in OpenAI's shape, in order: an answer of the model with its calls is one message, every
 * other entry is one of its own.
 * Of cycod, entries of one line are one message again. Elsewhere calls belong together, and to the model's text
 * right before them: their results may only come after all of them.
 */
export async function* chatGroups(
  entries: AsyncIterable<Entry>,
  source: string,
): AsyncGenerator<readonly Entry[]> {
  const joins = source === 'cycod' ? joinsOnLine : joinsInTurn
  let group: Entry[] = []
  for await (const entry of entries) {
    if (group.length > 0 && !joins(group, entry, source)) {
      yield group
      group = []
    }
    group.push(entry)
  }
  if (group.length > 0) yield group
}

function joinsOnLine(group: readonly Entry[], entry: Entry, source: string): boolean {
  const [first] = group
  if (first?.file !== entry.file || first.offset !== entry.offset) return false
  // Some writers put calls before words.
  const areCalls = group.every((one) => exportKindOf(one) === 'call')
  return joinsInTurn(group, entry, source) || (areCalls && isWords(entry, source))
}

function joinsInTurn(group: readonly Entry[], entry: Entry, source: string): boolean {
  if (exportKindOf(entry) !== 'call') return false
  return group.every(
    (one, at) => exportKindOf(one) === 'call' || (at === 0 && isWords(one, source)),
  )
}

/** An empty message with calls would not be seen. */
function isWords(entry: Entry, source: string): boolean {
  return exportKindOf(entry) === 'agent' && chatContent(entry, { source }) !== ''
}
