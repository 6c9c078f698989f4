/** A text between two tags of the same name. */
export interface TaggedText {
  readonly name: string
  readonly text: string
  /** Of the first tag, and behind the second one. */
  readonly start: number
  readonly end: number
}

/** A text with more names that are never closed is no call: each of them is looked for once. */
const mostUnclosed = 100

/** Finds texts between tags, from left to right; what is inside of one is not looked into. */
export function taggedTexts(
  text: string,
  isWanted: (name: string) => boolean,
): readonly TaggedText[] {
  const found: TaggedText[] = []
  const unclosed = new Set<string>()
  const opening = /<([a-z_]{1,64})>/g
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const [whole, name = ''] = tag
    if (!isWanted(name) || unclosed.has(name)) continue
    const from = tag.index + whole.length
    const to = text.indexOf(`</${name}>`, from)
    if (to < 0) {
      unclosed.add(name)
      if (unclosed.size > mostUnclosed) return found
      continue
    }
    const end = to + name.length + '</>'.length
    found.push({ name, text: text.slice(from, to), start: tag.index, end })
    opening.lastIndex = end
  }
  return found
}

/** Returns what of a text is outside of tags. */
export function withoutTagged(text: string, tagged: readonly TaggedText[]): string {
  let at = 0
  let rest = ''
  for (const { start, end } of tagged) {
    rest += text.slice(at, start)
    at = end
  }
  return rest + text.slice(at)
}
