/** Kind of a text in an answer. */
type TextKind = 'content' | 'summary' | 'thoughts' | 'arguments'

/** Place of a text: the number of its item, and of its part in that. */
export interface TextPosition {
  readonly item: number
  readonly part: number
}

/** Account of the texts of an answer that came out so far, so that each counts once however often it comes. */
export interface TextAccount {
  /** The number of an item: the one that an event says, else the one of its id, else the last. */
  item(index: number | undefined, id: string | undefined): number
  /** Takes a piece; returns the part of it that counts. */
  add(kind: TextKind, place: TextPosition, text: string): string
  /** Takes a whole text; returns the part that has not come out yet. */
  whole(kind: TextKind, place: TextPosition, text: string): string
  /** Returns true where a whole text is the one at its place so far, or continues it. */
  isOf(kind: TextKind, place: TextPosition, text: string): boolean
  /** Begins the whole response: all texts come once more, in their order, but perhaps under other numbers. */
  again(): void
  /** Takes the whole text of the answer; returns it where no text came out before. */
  once(text: string): string
}

/**
 * Returns an empty account. An item of reasoning may have both the text and a summary: the one that comes first
 * counts. Parts of thoughts are separated by an empty line. It keeps the texts, so it takes as much memory as the
 * answer.
 */
export function openTextAccount(): TextAccount {
  const texts = new Map<string, string>()
  const numbers = new Map<string, number>()
  const thinking = new Map<number, TextKind>()
  let highest = -1
  let last = 0
  /** The texts of each kind so far, and how much of them has come once more. */
  const spoken = { content: '', summary: '', thoughts: '', arguments: '' }
  let repeated: Record<TextKind, number> | undefined
  let hasThoughts = false

  function isCounted(kind: TextKind, { item }: TextPosition): boolean {
    if (kind !== 'summary' && kind !== 'thoughts') return true
    const known = thinking.get(item)
    if (known === undefined) thinking.set(item, kind)
    return known === undefined || known === kind
  }

  function isRepeated(kind: TextKind, text: string): boolean {
    // Of arguments it is known whose they are.
    if (repeated === undefined || kind === 'arguments') return false
    if (!spoken[kind].startsWith(text, repeated[kind])) return false
    repeated[kind] += text.length
    return true
  }

  function tell(kind: TextKind, key: string, text: string): string {
    if (text === '') return ''
    const before = texts.get(key)
    texts.set(key, (before ?? '') + text)
    spoken[kind] += text
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
    isOf(kind, place, text) {
      const before = texts.get(keyOf(kind, place)) ?? ''
      // Deltas of others under the same id may come before it.
      return text.startsWith(before) || before.endsWith(text)
    },
    again() {
      repeated = { content: 0, summary: 0, thoughts: 0, arguments: 0 }
    },
    once: (text) => (spoken.content === '' ? tell('content', 'all', text) : ''),
    whole(kind, place, text) {
      if (text === '' || isRepeated(kind, text) || !isCounted(kind, place)) return ''
      const key = keyOf(kind, place)
      const before = texts.get(key)
      if (before !== undefined)
        return text.startsWith(before) ? tell(kind, key, text.slice(before.length)) : ''
      // A server that counts otherwise in its last events: this text came out in another place.
      if (kind === 'content' && spoken.content.endsWith(text)) {
        texts.set(key, text)
        return ''
      }
      return tell(kind, key, text)
    },
  }
}

function keyOf(kind: TextKind, { item, part }: TextPosition): string {
  return `${kind} ${item} ${part}`
}
