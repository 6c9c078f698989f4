/** Kind of a text in an answer. */
type TextKind = 'content' | 'summary' | 'thoughts' | 'arguments'

interface Place {
  readonly item: number
  readonly part: number
}

/** Account of what was told of an answer's texts, so that each counts once however often it comes. */
export interface ToldTexts {
  /** The number of an item: the one that an event says, else the one of its id, else the last. */
  item(index: number | undefined, id: string | undefined): number
  /** Takes a piece; gives what is to be told of it. */
  add(kind: TextKind, place: Place, text: string): string
  /** Takes a whole text; gives what of it was not told yet. */
  whole(kind: TextKind, place: Place, text: string): string
  /** Tells whether a whole text goes on with what was told at its place. */
  continues(kind: TextKind, place: Place, text: string): boolean
  /** Takes all words of the answer; gives them where none were told. */
  once(text: string): string
}

/**
 * Makes an empty account. Of a model's thoughts an item may have both the text and a summary: what comes first counts.
 * Parts of thoughts are parted by an empty line. Keeps the texts, so that it takes as much room as the answer.
 */
export function toldTexts(): ToldTexts {
  const told = new Map<string, string>()
  const numbers = new Map<string, number>()
  const thinking = new Map<number, TextKind>()
  let highest = -1
  let last = 0
  let all = ''
  let hasThoughts = false

  function isCounted(kind: TextKind, { item }: Place): boolean {
    if (kind !== 'summary' && kind !== 'thoughts') return true
    const known = thinking.get(item)
    if (known === undefined) thinking.set(item, kind)
    return known === undefined || known === kind
  }

  function tell(kind: TextKind, key: string, text: string): string {
    if (text === '') return ''
    const before = told.get(key)
    told.set(key, (before ?? '') + text)
    if (kind === 'content') all += text
    if (kind === 'content' || kind === 'arguments') return text
    const isNext = hasThoughts && before === undefined
    hasThoughts = true
    return isNext ? `\n\n${text}` : text
  }

  return {
    item(index, id) {
      last = index ?? (id === undefined ? last : (numbers.get(id) ?? highest + 1))
      if (id !== undefined) numbers.set(id, last)
      highest = Math.max(highest, last)
      return last
    },
    add(kind, place, text) {
      return isCounted(kind, place) ? tell(kind, keyOf(kind, place), text) : ''
    },
    continues: (kind, place, text) => text.startsWith(told.get(keyOf(kind, place)) ?? ''),
    once: (text) => (all === '' ? tell('content', 'all', text) : ''),
    whole(kind, place, text) {
      if (text === '' || !isCounted(kind, place)) return ''
      const key = keyOf(kind, place)
      const before = told.get(key)
      if (before !== undefined)
        return text.startsWith(before) ? tell(kind, key, text.slice(before.length)) : ''
      // A server that counts otherwise in its last events: these words were told in another place.
      if (kind === 'content' && all.endsWith(text)) {
        told.set(key, text)
        return ''
      }
      return tell(kind, key, text)
    },
  }
}

function keyOf(kind: TextKind, { item, part }: Place): string {
  return `${kind} ${item} ${part}`
}
