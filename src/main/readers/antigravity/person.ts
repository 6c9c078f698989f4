import type { TimelessEntry } from '../common/drafts'

const requestStart = '<USER_REQUEST>'
const requestEnd = '</USER_REQUEST>'

/**
 * Converts what reached the model with a person's words: the words, then what the program put beside them (`metadata.injected`). Text without
 * the tags is the person's as it is. O(n).
 */
export function promptEntries(content: string): readonly TimelessEntry[] {
  const start = content.indexOf(requestStart)
  const end = start === -1 ? -1 : content.indexOf(requestEnd, start)
  if (end === -1) return [said(content)]
  const words = content.slice(start + requestStart.length, end)
  const rest = content.slice(0, start) + content.slice(end + requestEnd.length)
  const { tagged, others } = taggedTexts(rest)
  return [
    said(words.trim()),
    ...tagged.map(({ text, tag }) => injected(text, tag)),
    ...(others.trim() === '' ? [] : [injected(others.trim(), 'USER_INPUT')]),
  ]
}

/** Text in tags, and the name of the tags. */
interface Tagged {
  readonly text: string
  readonly tag: string
}

/**
 * Splits a text into those that the program put into tags of their own, and what is around them. Tags are found once and not
 * from each opening one on: in a text full of them that nothing closes, that would take a time that grows with its square.
 */
function taggedTexts(text: string): {
  readonly tagged: readonly Tagged[]
  readonly others: string
} {
  const tagged: Tagged[] = []
  let others = ''
  let end = 0
  /** Places of closing tags, the next one last. */
  const closings = new Map<string, number[]>()
  const tags = [...text.matchAll(/<(\/?)([A-Z][A-Z_]+)>/g)]
  for (const [, slash, tag = ''] of tags) if (slash === '/') closings.set(tag, [])
  for (let at = tags.length - 1; at >= 0; at--) {
    const found = tags[at]
    if (found?.[1] === '/') closings.get(found[2] ?? '')?.push(found.index)
  }
  for (const { 1: slash, 2: tag = '', index } of tags) {
    const places = closings.get(tag)
    if (slash === '/' || index < end || places === undefined) continue
    while ((places.at(-1) ?? Number.POSITIVE_INFINITY) < index) places.pop()
    const closing = places.at(-1)
    if (closing === undefined) continue
    others += text.slice(end, index)
    end = closing + `</${tag}>`.length
    tagged.push({ text: text.slice(index, end), tag })
  }
  return { tagged, others: others + text.slice(end) }
}

/** Makes the entry of something that the program tells its model. */
export function injected(content: string, rawType: string): TimelessEntry {
  return {
    from: 'antigravity',
    to: 'antigravity',
    content,
    entry_type: 'message',
    role: 'user',
    metadata: { injected: true, raw_type: rawType },
  }
}

function said(content: string): TimelessEntry {
  return { from: 'user', to: 'antigravity', content, entry_type: 'message', role: 'user' }
}
